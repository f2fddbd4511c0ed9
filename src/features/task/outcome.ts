/** What undo and redo could still do with a task. */
import type { Journal } from "../../store/journal";
import { movedBy } from "./aside";

export function changesLeft({ entries }: Journal): number {
  let [changed, undone] = [0, 0];
  for (const entry of entries) {
    if (entry.is === "undone" || entry.is === "redone") {
      // What the host counted; journals from before it did say what was restored.
      if (entry.left !== undefined) [changed, undone] = [entry.left, 0];
      else undone += entry.count;
    }
    // What a command in the background changed is counted when undo looks for it.
    if (entry.is === "background") changed += 1;
    if (entry.is === "call") changed += (entry.result?.changes.length ?? 0) + movedBy(entry).length;
  }
  return Math.max(0, changed - undone);
}

/** Whether its last undo can be made again. */
export function canRedo({ entries }: Journal): boolean {
  let open = 0;
  for (const entry of entries) {
    if (entry.is === "undone" && entry.count > 0) open += 1;
    if (entry.is === "redone" && entry.count > 0) open -= 1;
  }
  return open > 0;
}
