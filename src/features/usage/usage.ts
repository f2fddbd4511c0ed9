/** Tokens and money by day, model and task, from the host's sums. A plan counts for the day on which it was made. */
import type { UsageAnswer, UsageRow } from "../../protocol";

/** A number of tokens, and their cost as far as prices are known. */
export interface Sum {
  tokens: number;
  money: number;
  /** The number of tokens without a price. */
  unpriced: number;
}

export interface Named extends Sum {
  name: string;
}

export interface Usage {
  /** Sums by day, oldest first. `at` is midnight. */
  days: readonly (Sum & { at: number })[];
  total: Sum;
  tasks: number;
  byModel: readonly Named[];
  byTask: readonly (Named & { task: string })[];
  /** Input tokens from the provider's cache, and output tokens of thoughts. */
  cached: number;
  thoughts: number;
  /** Models without a price. */
  unpriced: readonly string[];
}

/** The number of tasks that are listed by name. */
const NAMED = 8;
const MILLION = 1_000_000;

/** Returns midnight of the first of `dayCount` days, the last of which is today. */
export function firstDay(dayCount: number, now: number): number {
  const first = new Date(now);
  first.setHours(0, 0, 0, 0);
  first.setDate(first.getDate() - dayCount + 1);
  return first.getTime();
}

/** Returns the model of a row, or its backend. */
export function modelOf(row: UsageRow): string {
  return row.model ?? row.backend;
}

/** Returns the cost of a row, as computed by the host. `undefined` if the price is not known. */
export function costOf(row: UsageRow): number | undefined {
  return row.cost_micros === null ? undefined : row.cost_micros / MILLION;
}

function nothing(): Sum {
  return { tokens: 0, money: 0, unpriced: 0 };
}

function add(sum: Sum, tokens: number, cost: number | undefined) {
  sum.tokens += tokens;
  sum.money += cost ?? 0;
  if (cost === undefined) sum.unpriced += tokens;
}

function most<T extends Sum>(sums: Iterable<T>): T[] {
  return [...sums].sort((a, b) => b.tokens - a.tokens);
}

export function usageOf({ rows }: UsageAnswer, dayCount: number, now: number): Usage {
  const first = new Date(firstDay(dayCount, now));
  const days = Array.from({ length: dayCount }, (_, place) => {
    const day = new Date(first);
    day.setDate(day.getDate() + place);
    return { at: day.getTime(), ...nothing() };
  });
  const total = nothing();
  const of = { cached: 0, thoughts: 0 };
  const models = new Map<string, Named>();
  const tasks = new Map<string, Named & { task: string }>();
  for (const row of rows) {
    const day = days.findLast((each) => each.at <= row.at_ms);
    if (!day) continue;
    const model = models.get(modelOf(row)) ?? { name: modelOf(row), ...nothing() };
    const task = tasks.get(row.task) ?? { name: row.goal, task: row.task, ...nothing() };
    models.set(model.name, model);
    tasks.set(row.task, task);
    const cost = costOf(row);
    of.cached += row.cached_tokens;
    of.thoughts += row.reasoning_tokens;
    for (const sum of [total, day, model, task]) add(sum, row.input_tokens + row.output_tokens, cost);
  }
  return {
    days,
    total,
    ...of,
    tasks: tasks.size,
    byModel: most(models.values()),
    byTask: most(tasks.values()).slice(0, NAMED),
    unpriced: most(models.values())
      .filter((model) => model.unpriced > 0)
      .map((model) => model.name),
  };
}
