/** The planner's reason for a call, out of the story. */
import type { Journal } from "../../store/journal";

/** The planner's thought that led to the call at this place. */
export function reasonBefore(journal: Journal, place: number): string | undefined {
  for (let at = place; at >= 0; at -= 1) {
    const entry = journal.entries[at];
    if (entry?.is === "thought") return entry.text;
    if (entry && entry.is !== "call") return undefined;
  }
  return undefined;
}
