/** Determines what undo and redo can still do with a task. */
import type { Journal } from "../../store/journal";
import { movedBy } from "./aside";

export function changesLeft({ entries }: Journal): number {
  let [changed, undone] = [0, 0];
  for (const entry of entries) {
    if (entry.is === "undone" || entry.is === "redone") {
      // The host's own count. Older journals only say how much was restored.
      if (entry.left !== undefined) [changed, undone] = [entry.left, 0];
      else undone += entry.count;
    }
    // A background command counts as one change, because its changes are only counted during undo.
    if (entry.is === "background") changed += 1;
    if (entry.is === "call") changed += (entry.result?.changes.length ?? 0) + movedBy(entry).length;
  }
  return Math.max(0, changed - undone);
}

/** Returns whether the last undo can be redone. */
export function canRedo({ entries }: Journal): boolean {
  let open = 0;
  for (const entry of entries) {
    if (entry.is === "undone" && entry.count > 0) open += 1;
    if (entry.is === "redone" && entry.count > 0) open -= 1;
  }
  return open > 0;
}
