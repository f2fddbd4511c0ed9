/** What asks in a request: each reason once, with the parts that it is about. */
import type { Part, RequestDetails, Risk } from "../../protocol";
import { englishOf } from "../../text";
import { pathIn, visible } from "../../text/visible";

export interface Asking {
  /** Empty for the whole command, which is shown above it. */
  texts: string[];
  reason: Part["reason"];
  kind: Part["kind"];
  risk: Risk;
}

const RISKS: readonly Risk[] = ["high", "medium", "low"];

/** The highest risk first, and what the shell does itself after what it runs. Loans come before everything. */
function weight({ kind, risk }: Part): number {
  return kind === "loan" ? -1 : RISKS.indexOf(risk) * 2 + (kind === "construct" ? 1 : 0);
}

/** Returns what asks. Parts that are allowed anyway are not listed. */
export function asking(details: RequestDetails): Asking[] {
  const all = new Map<string, Asking>();
  const asked = details.parts.filter(({ decision }) => decision !== "allow");
  for (const part of asked.toSorted((a, b) => weight(a) - weight(b))) {
    const { reason, kind, risk } = part;
    const known = all.get(englishOf(reason)) ?? { texts: [], reason, kind, risk };
    all.set(englishOf(reason), known);
    const text = textOf(part, details);
    if (text && !known.texts.includes(text)) known.texts.push(text);
  }
  return [...all.values()];
}

/** A text without quotes: a part has them as the check writes them. */
const bare = (text: string) => text.trim().replace(/['"]/g, "");

/** Returns what a part is about. Empty for the whole command; of a part with several lines the first one. */
function textOf({ kind, text }: Part, { command, cwd }: RequestDetails): string {
  if (kind !== "command" && kind !== "construct") return pathIn(cwd, text);
  const [whole, part] = [bare(command ?? ""), bare(text)];
  if (part === whole) return "";
  // A part is one line, in which `\n` means a line break, unless the command contains these characters itself.
  if (whole.includes(part)) return visible(text);
  if (whole.startsWith(part.replace(/…$/, "").replaceAll("\\n", "\n").trimEnd())) return "";
  const [first = "", ...more] = text.split("\\n");
  return visible(more.length > 0 ? `${first} …` : first);
}
