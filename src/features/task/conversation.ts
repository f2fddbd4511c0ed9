/** Which tasks make a conversation, and which of them it is about now. */
import type { TaskSummary } from "../../protocol";

/** The tasks of a conversation, oldest first. */
export function conversation(tasks: Iterable<TaskSummary>, session: string): TaskSummary[] {
  const of = [...tasks].filter((task) => task.session === session);
  return of.sort((a, b) => a.created_at_ms - b.created_at_ms || (a.id < b.id ? -1 : 1));
}

/** The task that a conversation is about now: the one that was asked for while it works or waits, else its newest. */
export function subjectOf(all: readonly TaskSummary[], asked: string): TaskSummary | undefined {
  const task = all.find(({ id }) => id === asked);
  return task && task.state.state !== "stopped" ? task : (all.at(-1) ?? task);
}
