/** Sub-tasks: parts of a task that its calls delegate. */
import type { TaskSummary } from "../../protocol";

/** Returns the sub-tasks of a task, or of one of its calls, oldest first. */
export function partsOf(tasks: Iterable<TaskSummary>, task: string, call?: string): TaskSummary[] {
  const of = [...tasks].filter(
    ({ parent }) => parent?.task === task && (call === undefined || parent.call === call),
  );
  return of.sort((a, b) => a.created_at_ms - b.created_at_ms);
}

/** A task below another, and its depth. */
export interface Below {
  task: TaskSummary;
  depth: number;
}

/** Builds the tree of tasks: `below` lists all tasks below a task, each before its own sub-tasks. */
export function treeOf(tasks: readonly TaskSummary[]) {
  const ids = new Set(tasks.map(({ id }) => id));
  const byParent = new Map<string, TaskSummary[]>();
  const tops: TaskSummary[] = [];
  for (const task of tasks) {
    const parent = task.parent?.task;
    // The list may not reach back to its parent task.
    if (parent === undefined || parent === null || !ids.has(parent)) {
      tops.push(task);
      continue;
    }
    const of = byParent.get(parent);
    if (of) of.push(task);
    else byParent.set(parent, [task]);
  }
  const parts = (task: TaskSummary) => partsOf(byParent.get(task.id) ?? [], task.id);
  const below = (task: TaskSummary, depth = 1): Below[] =>
    parts(task).flatMap((part) => [{ task: part, depth }, ...below(part, depth + 1)]);
  return { tops, parts, below };
}
