/** Tokens by day, backend and task, from the list of tasks. A task counts for the day on which it was begun. */
import type { TaskSummary } from "../../protocol";

export interface Usage {
  /** Midnight of each day, oldest first, and the tokens of that day. */
  days: readonly { at: number; tokens: number }[];
  tokens: number;
  tasks: number;
  byBackend: readonly { name: string; tokens: number }[];
  byTask: readonly TaskSummary[];
}

/** Tasks that are named. */
const NAMED = 8;

export function usageOf(tasks: Iterable<TaskSummary>, dayCount: number, now: number): Usage {
  const first = new Date(now);
  first.setHours(0, 0, 0, 0);
  first.setDate(first.getDate() - dayCount + 1);
  const days = Array.from({ length: dayCount }, (_, place) => {
    const day = new Date(first);
    day.setDate(day.getDate() + place);
    return { at: day.getTime(), tokens: 0 };
  });
  const counted = [...tasks].filter((task) => task.created_at_ms >= first.getTime());
  const backends = new Map<string, number>();
  for (const task of counted) {
    const day = days.findLast((each) => each.at <= task.created_at_ms);
    if (day) day.tokens += task.tokens;
    backends.set(task.backend, (backends.get(task.backend) ?? 0) + task.tokens);
  }
  return {
    days,
    tokens: counted.reduce((sum, task) => sum + task.tokens, 0),
    tasks: counted.length,
    byBackend: [...backends].map(([name, tokens]) => ({ name, tokens })).sort((a, b) => b.tokens - a.tokens),
    byTask: counted
      .filter((task) => task.tokens > 0)
      .sort((a, b) => b.tokens - a.tokens)
      .slice(0, NAMED),
  };
}
