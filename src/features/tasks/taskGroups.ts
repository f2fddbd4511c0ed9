/** The list of tasks as it is shown: found, filtered, and ordered by what matters now. */
import type { TaskSummary } from "../../protocol";
import type { Key } from "../../text";
import { goalWords, visible } from "../../text/visible";
import { isDone } from "../../ui/StatePill";
import { treeOf } from "./parts";
import { byTurn } from "./queue";

/** Where tasks stand, in the order in which they are listed: what waits for a person, then what continues by itself. */
export const STANDINGS = ["waiting", "running", "paused", "queued", "done", "stopped"] as const;
export type Standing = (typeof STANDINGS)[number];
export type Filter = "all" | Standing | "archived";

export type ListRow =
  | {
      is: "task";
      task: TaskSummary;
      /** What its conversation is called. */
      title: string;
      /** How many tasks came before it in its conversation. */
      earlier: number;
      /** How many are before it in the queue. */
      before?: number;
      /** Whether it is the last of the queue. */
      last?: boolean;
      /** How far below the task that a person started. */
      depth: number;
      /** What was said in it with the words that are searched for. */
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
      return "running";
    default:
      // Also whatever a newer host calls a state: it continues.
      return "running";
  }
}

/** The filters that would find something, and the chosen one. */
export function filtersOf(tasks: Iterable<TaskSummary>, chosen: Filter): Filter[] {
  const there = new Set<Filter>(["all", chosen]);
  for (const task of tasks) there.add(task.archived ? "archived" : standingOf(task));
  return (["all", ...STANDINGS, "archived"] as const).filter((filter) => there.has(filter));
}

/** Whether a conversation was put away. A follow-up brings it back, and what works or waits is always shown. */
export function isArchived(all: readonly TaskSummary[]): boolean {
  return all.at(-1)?.archived === true && all.every(({ state }) => state.state === "stopped");
}

const QUEUED = STANDINGS.indexOf("queued");

/** What comes first. What has ended is one, by its end. */
function rank(task: TaskSummary): number {
  return Math.min(STANDINGS.indexOf(standingOf(task)), STANDINGS.indexOf("done"));
}

/** The heading of a time's day, by the midnight that today began with. */
function dayOf(at: number, today: number): Key {
  if (at >= today) return "tasks.today";
  return at >= today - 86_400_000 ? "tasks.yesterday" : "tasks.older";
}

/** What a person called a conversation, else what was said first in it. */
export function titleOf(all: readonly TaskSummary[], task: TaskSummary): string {
  const { title, goal } = all[0] ?? task;
  return title ? visible(title) : goalWords(goal);
}

/** Tasks by conversation, each oldest first. */
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
 * Conversations that have every word in a goal or the folder, or in something that was said, as the host found it; those that are open first, then the ended ones by day. Of a
 * conversation the newest task is shown, and whichever others have not ended. Sub-tasks are below their task while it works,
 * and otherwise where they were searched for.
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
  // Counted over all: a place in the queue does not depend on what is searched for.
  const placeIn = (task: TaskSummary) => {
    const before = queue.indexOf(task);
    return before < 0 ? {} : { before, last: before === queue.length - 1 };
  };
  const sorted = tops
    .filter((task) => task.state.state !== "stopped" || of(task).at(-1) === task)
    .map((task) => {
      // If a task below it waits for a person, it waits too.
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

/** What runs keeps its place; what has ended goes by its end. */
function orderOf(task: TaskSummary): number {
  return task.state.state === "stopped" ? task.updated_at_ms : task.created_at_ms;
}
