/** Finds the planner's reason for a call in the journal. */
import type { Journal } from "../../store/journal";

/** Returns the planner's thought that led to the call at this index. */
export function reasonBefore(journal: Journal, place: number): string | undefined {
  const call = journal.entries[place];
  if (call?.is !== "call") return undefined;
  for (let at = place - 1; at >= 0; at -= 1) {
    const entry = journal.entries[at];
    // A step without a reason shows none; another step's reason does not apply to it.
    if (!entry || !("iteration" in entry) || entry.iteration !== call.iteration) return undefined;
    if (entry.is === "thought") return entry.text;
  }
  return undefined;
}
