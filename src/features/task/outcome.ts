/** Determines what undo and redo can still do with a task. */
import type { TaskState } from "../../protocol";
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

/** Returns whether an undo can be redone. */
export function canRedo({ entries }: Journal): boolean {
  let open = 0;
  for (const entry of entries) {
    if (entry.is !== "undone" && entry.is !== "redone") continue;
    // The host's own answer. Older journals only say how much was restored.
    if (entry.canRedo !== undefined) open = entry.canRedo ? 1 : 0;
    else if (entry.count > 0) open += entry.is === "undone" ? 1 : -1;
  }
  return open > 0;
}

/** Returns whether a task offers to undo its changes and to redo its last undo. */
export function undoOffers(state: TaskState, journal: Journal | undefined, isWhole: boolean) {
  const whole = isWhole ? journal : undefined;
  const isEnded = state.state === "stopped";
  return {
    // Unknown until the whole journal is loaded, so undo is offered until then.
    undo: !(isEnded && state.undone) && (!whole || changesLeft(whole) > 0),
    redo: isEnded && whole !== undefined && canRedo(whole),
  };
}
