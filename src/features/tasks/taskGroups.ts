/** The list of tasks: searched, filtered and sorted by urgency. */
import type { TaskSummary } from "../../protocol";
import type { Key } from "../../text";
import { goalWords, visible } from "../../text/visible";
import { isDone } from "../../ui/StatePill";
import { treeOf } from "./parts";
import { byTurn } from "./queue";

/**
 * The states of tasks in the order of the list: first those that wait for the user, then those that run or will run.
 */
export const STANDINGS = ["waiting", "running", "paused", "queued", "done", "stopped"] as const;
export type Standing = (typeof STANDINGS)[number];
export type Filter = "all" | Standing | "archived";

export type ListRow =
  | {
      is: "task";
      task: TaskSummary;
      /** The title of its conversation. */
      title: string;
      /** The number of earlier tasks in its conversation. */
      earlier: number;
      /** The number of tasks before it in the queue. */
      before?: number;
      /** Whether it is the last in the queue. */
      last?: boolean;
      /** The number of levels below the task that the user started. */
      depth: number;
      /** The text in it that matches the search. */
      said?: string;
    }
  | { is: "head"; words: Key };

export function standingOf({ state }: TaskSummary): Standing {
  switch (state.state) {
    case "paused":
      return state.reason === "by_user" ? "paused" : "waiting";
    case "interrupted":
      return "paused";
    case "stopped":
      return isDone(state.reason) ? "done" : "stopped";
    case "queued":
      return "queued";
    case "running":
    case "awaiting_subtasks":
    case "awaiting_provider":
      return "running";
    default:
      // A state from a newer host counts as running.
      return "running";
  }
}

/** Returns the filters that would find tasks, and the chosen one. */
export function filtersOf(tasks: Iterable<TaskSummary>, chosen: Filter): Filter[] {
  const there = new Set<Filter>(["all", chosen]);
  for (const task of tasks) there.add(task.archived ? "archived" : standingOf(task));
  return (["all", ...STANDINGS, "archived"] as const).filter((filter) => there.has(filter));
}

/**
 * Returns whether a conversation is archived. A follow-up restores it, and running or waiting tasks are always shown.
 */
export function isArchived(all: readonly TaskSummary[]): boolean {
  return all.at(-1)?.archived === true && all.every(({ state }) => state.state === "stopped");
}

const QUEUED = STANDINGS.indexOf("queued");

/** Returns the sort rank of a task. All ended tasks have the same rank and are sorted by their end. */
function rank(task: TaskSummary): number {
  return Math.min(STANDINGS.indexOf(standingOf(task)), STANDINGS.indexOf("done"));
}

/** Returns the heading of a time's day. `today` is the last midnight. */
function dayOf(at: number, today: number): Key {
  if (at >= today) return "tasks.today";
  return at >= today - 86_400_000 ? "tasks.yesterday" : "tasks.older";
}

/** Returns the user's title of a conversation, or its first goal. */
export function titleOf(all: readonly TaskSummary[], task: TaskSummary): string {
  const { title, goal } = all[0] ?? task;
  return title ? visible(title) : goalWords(goal);
}

/** Groups the tasks by conversation, each oldest first. */
function bySession(tasks: readonly TaskSummary[]): Map<string, TaskSummary[]> {
  const sessions = new Map<string, TaskSummary[]>();
  for (const task of tasks) {
    const of = sessions.get(task.session);
    if (of) of.push(task);
    else sessions.set(task.session, [task]);
  }
  for (const of of sessions.values()) if (of.length > 1) of.sort((a, b) => a.created_at_ms - b.created_at_ms);
  return sessions;
}

/**
 * Returns the rows of the list. The conversations contain every word in a goal, in the folder, or in a
 * message (which the host searches). Open ones come first, then the ended ones by day. A conversation is
 * shown by its newest task and any others that have not ended. Sub-tasks are listed below their parent
 * while it runs, and otherwise only if a search finds them.
 */
export function rowsOf(
  tasks: Iterable<TaskSummary>,
  words: string,
  filter: Filter,
  now: number,
  said: ReadonlyMap<string, string> = new Map(),
): ListRow[] {
  const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const matches = (task: TaskSummary) => {
    if (wanted.length === 0 || said.has(task.id)) return true;
    const text = `${task.title ?? ""}\n${task.goal}\n${task.workspace}\n${task.id}`.toLocaleLowerCase();
    return wanted.every((word) => text.includes(word));
  };
  const all = [...tasks];
  const { tops, below } = treeOf(all);
  const sessions = bySession(tops);
  const of = (task: TaskSummary) => sessions.get(task.session) ?? [task];
  const queue = all.filter((task) => standingOf(task) === "queued").sort(byTurn);
  // Counted over all tasks: the place in the queue does not depend on the search.
  const placeIn = (task: TaskSummary) => {
    const before = queue.indexOf(task);
    return before < 0 ? {} : { before, last: before === queue.length - 1 };
  };
  const sorted = tops
    .filter((task) => task.state.state !== "stopped" || of(task).at(-1) === task)
    .map((task) => {
      // A task waits if one of its sub-tasks does.
      const ranks = below(task).map(({ task }) => rank(task));
      return { task, rank: Math.min(rank(task), ...ranks), order: orderOf(task) };
    })
    .sort((a, b) => a.rank - b.rank || (a.rank === QUEUED ? byTurn(a.task, b.task) : b.order - a.order));
  const rows: ListRow[] = [];
  const today = new Date(now).setHours(0, 0, 0, 0);
  let head: Key | undefined;
  for (const { task } of sorted) {
    const own = of(task);
    const hasEnded = task.state.state === "stopped";
    const family = hasEnded ? own.flatMap((each) => below(each)) : below(task);
    // A search also finds archived conversations.
    const isAway = isArchived(own);
    const stands = [task, ...family.map(({ task }) => task)].map(standingOf);
    if (
      isAway
        ? filter !== "archived" && (filter !== "all" || wanted.length === 0)
        : filter !== "all" && !(hasEnded ? standingOf(task) === filter : stands.includes(filter as Standing))
    )
      continue;
    const found = family.filter(({ task }) => wanted.length > 0 && matches(task));
    if (!own.some(matches) && found.length === 0) continue;
    const day = hasEnded ? dayOf(task.updated_at_ms, today) : undefined;
    if (day && day !== head) {
      head = day;
      rows.push({ is: "head", words: day });
    }
    const earlier = own.indexOf(task);
    const words = own.map(({ id }) => said.get(id)).findLast((found) => found !== undefined);
    const place = { ...placeIn(task), ...(words !== undefined && { said: words }) };
    rows.push({ is: "task", task, title: titleOf(own, task), earlier, depth: 0, ...place });
    for (const { task: part, depth } of hasEnded ? found : family) {
      const title = titleOf([part], part);
      const words = said.get(part.id);
      const place = { ...placeIn(part), ...(words !== undefined && { said: words }) };
      rows.push({ is: "task", task: part, title, earlier: 0, depth, ...place });
    }
  }
  return rows;
}

/** Running tasks are sorted by their start, ended ones by their end. */
function orderOf(task: TaskSummary): number {
  return task.state.state === "stopped" ? task.updated_at_ms : task.created_at_ms;
}
