/** The tasks of a conversation, and the one that the page is about. */
import type { TaskSummary } from "../../protocol";

/** Returns the tasks of a conversation, oldest first. */
export function conversation(tasks: Iterable<TaskSummary>, session: string): TaskSummary[] {
  const of = [...tasks].filter((task) => task.session === session);
  return of.sort((a, b) => a.created_at_ms - b.created_at_ms || (a.id < b.id ? -1 : 1));
}

/** Returns the task that the page is about: the requested one while it runs or waits, otherwise the newest. */
export function subjectOf(all: readonly TaskSummary[], asked: string): TaskSummary | undefined {
  const task = all.find(({ id }) => id === asked);
  return task && task.state.state !== "stopped" ? task : (all.at(-1) ?? task);
}
