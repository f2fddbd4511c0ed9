/** The queue: the tasks that wait to start, in their order, and how one is moved. */
import type { QueuePlace, TaskSummary } from "../../protocol";

/** The ways in which a task can be moved in the queue. */
export type Way = "first" | "earlier" | "later";

/** Compares two queued tasks by rank. Older hosts send no rank; they start the older task first. */
export function byTurn(a: TaskSummary, b: TaskSummary): number {
  const [one, other] = [a.queue_rank ?? "", b.queue_rank ?? ""];
  return one < other ? -1 : one > other ? 1 : a.created_at_ms - b.created_at_ms;
}

/** Returns the queued tasks in the order in which they will start. */
export function queueOf(tasks: Iterable<TaskSummary>): TaskSummary[] {
  return [...tasks].filter((task) => task.state.state === "queued").sort(byTurn);
}

/** Returns the new place of a task. `undefined` if it is already at that end or is not queued. */
export function placeOf(queue: readonly TaskSummary[], task: string, way: Way): QueuePlace | undefined {
  const at = queue.findIndex((each) => each.id === task);
  if (at === -1) return undefined;
  if (way === "later") {
    if (at === queue.length - 1) return undefined;
    const behind = queue[at + 2];
    return behind ? { place: "before", task: behind.id } : { place: "last" };
  }
  const other = queue[at - 1];
  if (!other) return undefined;
  return way === "first" ? { place: "first" } : { place: "before", task: other.id };
}
