/** What a task came to, beyond the state that it ended in: what it changed, what of that was undone, what was denied. */
import type { TaskState } from "../../protocol";
import type { Journal } from "../../store/journal";
import { t, tn } from "../../text";
import { stateWords } from "../../ui/StatePill";
import { movedBy } from "./aside";

export interface Outcome {
  /** Changes that undo could still undo. */
  left: number;
  /** Changes that were undone. */
  undone: number;
  /** Requests that were denied. */
  denied: number;
}

export function outcomeOf({ entries }: Journal): Outcome {
  let [changed, undone] = [0, 0];
  const denied = new Set<string>();
  for (const entry of entries) {
    if (entry.is === "undone") undone += entry.files.filter((file) => file.restored).length;
    // What a command in the background changed is counted when undo looks for it.
    if (entry.is === "background") changed += 1;
    if (entry.is !== "call") continue;
    changed += (entry.result?.changes.length ?? 0) + movedBy(entry).length;
    if (entry.answer?.choice.choice === "deny") denied.add(entry.request?.id ?? entry.id);
  }
  return { left: Math.max(0, changed - undone), undone, denied: denied.size };
}

/** `Done · 1 request denied`, `Undone`; nothing where the state says all. */
export function endingWords(state: TaskState, { left, undone, denied }: Outcome): string | undefined {
  if (undone > 0 && left === 0) return t("state.undone");
  if (denied === 0 || state.state !== "stopped" || state.reason !== "completed") return undefined;
  return `${stateWords(state)} · ${tn("state.with_denied", denied)}`;
}
