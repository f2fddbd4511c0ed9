/** A file that a conversation was exported to, read for the host, which takes it in parts. */
import type { EventRecord } from "../../protocol";

/** The first line of an exported conversation. */
export const EXPORT = { format: "deputy-conversation", version: 1 };
/** Characters of one part: what goes over the line at once is bounded. */
const PART_CHARS = 200_000;

export type Read =
  | { parts: EventRecord[][] }
  /** It is something else, of another version, or has nothing in it. */
  | { wrong: "format" | "empty" }
  /** This line, from 1, is no event. */
  | { wrong: "line"; line: number };

export function readExport(text: string): Read {
  const lines = text.split("\n").map((line) => line.trim());
  const head = parsed(lines[0] ?? "");
  if (head?.format !== EXPORT.format || head.version !== EXPORT.version) return { wrong: "format" };
  const parts: EventRecord[][] = [];
  let room = 0;
  for (const [at, line] of lines.entries()) {
    if (at === 0 || line === "") continue;
    const event = parsed(line);
    if (!event) return { wrong: "line", line: at + 1 };
    let part = parts.at(-1);
    if (!part || line.length > room) {
      part = [];
      parts.push(part);
      room = PART_CHARS;
    }
    room -= line.length;
    // The host checks what is in it.
    part.push(event as unknown as EventRecord);
  }
  return parts.length === 0 ? { wrong: "empty" } : { parts };
}

/** The object that a line is; nothing where it is none. */
function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
