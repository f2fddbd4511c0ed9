/** The list of tasks as it is shown: found, filtered, and ordered by what matters now. */
import type { TaskSummary } from "../../protocol";
import type { Key } from "../../text";

export const FILTERS = ["all", "open", "waiting", "ended"] as const;
export type Filter = (typeof FILTERS)[number];

export type ListRow = { is: "task"; task: TaskSummary } | { is: "head"; words: Key };

function waits(task: TaskSummary): boolean {
  return task.state.state === "paused" && task.state.reason !== "by_user";
}

function passes(task: TaskSummary, filter: Filter): boolean {
  switch (filter) {
    case "all":
      return true;
    case "open":
      return task.state.state !== "stopped";
    case "waiting":
      return waits(task);
    case "ended":
      return task.state.state === "stopped";
  }
}

/** What comes first: waiting for a person, at work, queued; then what has ended. */
function rank(task: TaskSummary): number {
  if (waits(task)) return 0;
  if (task.state.state === "running") return 1;
  return task.state.state === "stopped" ? 3 : 2;
}

/** The heading of a time's day, by the midnight that today began with. */
function dayOf(at: number, today: number): Key {
  if (at >= today) return "tasks.today";
  return at >= today - 86_400_000 ? "tasks.yesterday" : "tasks.older";
}

/** Tasks that have every word in their goal or folder; those that are open first, then the ended ones by day. */
export function rowsOf(tasks: Iterable<TaskSummary>, words: string, filter: Filter, now: number): ListRow[] {
  const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const matches = (task: TaskSummary) => {
    if (wanted.length === 0) return true;
    const text = `${task.goal}\n${task.workspace}\n${task.id}`.toLocaleLowerCase();
    return wanted.every((word) => text.includes(word));
  };
  const found = [...tasks]
    .filter((task) => passes(task, filter) && matches(task))
    .sort((a, b) => rank(a) - rank(b) || orderOf(b) - orderOf(a));
  const rows: ListRow[] = [];
  const today = new Date(now).setHours(0, 0, 0, 0);
  let head: Key | undefined;
  for (const task of found) {
    const day = task.state.state === "stopped" ? dayOf(task.updated_at_ms, today) : undefined;
    if (day && day !== head) {
      head = day;
      rows.push({ is: "head", words: day });
    }
    rows.push({ is: "task", task });
  }
  return rows;
}

/** What runs keeps its place; what has ended goes by its end. */
function orderOf(task: TaskSummary): number {
  return task.state.state === "stopped" ? task.updated_at_ms : task.created_at_ms;
}
