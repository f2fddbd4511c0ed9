/** Reads an exported conversation and sends it to the host in parts. */
import type { EventRecord } from "../../protocol";

/** The first line of an exported conversation. */
export const EXPORT = { format: "deputy-conversation", version: 1 };
/** Characters per part; the size of a message is limited. */
const PART_CHARS = 200_000;

export type Read =
  | { parts: EventRecord[][] }
  /** Not an export, from another version, or empty. */
  | { wrong: "format" | "empty" }
  /** The number of the invalid line, from 1. */
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
    // The host validates the content.
    part.push(event as unknown as EventRecord);
  }
  return parts.length === 0 ? { wrong: "empty" } : { parts };
}

/** Parses a line as a JSON object; `undefined` if it is not one. */
function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
