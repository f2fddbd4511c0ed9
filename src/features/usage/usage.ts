/** Tokens and money by day, model and task, from what the host added up. A plan counts for the day on which it was made. */
import type { UsageAnswer, UsageRow } from "../../protocol";

/** Tokens, and what they cost as far as prices are known. */
export interface Sum {
  tokens: number;
  money: number;
  /** Tokens that have no price. */
  unpriced: number;
}

export interface Named extends Sum {
  name: string;
}

export interface Usage {
  /** Midnight of each day, oldest first. */
  days: readonly (Sum & { at: number })[];
  total: Sum;
  tasks: number;
  byModel: readonly Named[];
  byTask: readonly (Named & { task: string })[];
  /** Models without a price. */
  unpriced: readonly string[];
}

/** Tasks that are named. */
const NAMED = 8;
const MILLION = 1_000_000;

/** Midnight of the first of so many days, today the last. */
export function firstDay(dayCount: number, now: number): number {
  const first = new Date(now);
  first.setHours(0, 0, 0, 0);
  first.setDate(first.getDate() - dayCount + 1);
  return first.getTime();
}

/** What a row was planned by: its model, else its backend. */
export function modelOf(row: UsageRow): string {
  return row.model ?? row.backend;
}

/** What a row cost; nothing known where neither its model nor its backend has a price. */
export function costOf(row: UsageRow, prices: UsageAnswer["prices"]): number | undefined {
  const price =
    prices.find((each) => each.of === row.model) ?? prices.find((each) => each.of === row.backend);
  if (!price) return undefined;
  return (row.input_tokens * price.input + row.output_tokens * price.output) / MILLION;
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

export function usageOf({ rows, prices }: UsageAnswer, dayCount: number, now: number): Usage {
  const first = new Date(firstDay(dayCount, now));
  const days = Array.from({ length: dayCount }, (_, place) => {
    const day = new Date(first);
    day.setDate(day.getDate() + place);
    return { at: day.getTime(), ...nothing() };
  });
  const total = nothing();
  const models = new Map<string, Named>();
  const tasks = new Map<string, Named & { task: string }>();
  for (const row of rows) {
    const day = days.findLast((each) => each.at <= row.at_ms);
    if (!day) continue;
    const model = models.get(modelOf(row)) ?? { name: modelOf(row), ...nothing() };
    const task = tasks.get(row.task) ?? { name: row.goal, task: row.task, ...nothing() };
    models.set(model.name, model);
    tasks.set(row.task, task);
    const cost = costOf(row, prices);
    for (const sum of [total, day, model, task]) add(sum, row.input_tokens + row.output_tokens, cost);
  }
  return {
    days,
    total,
    tasks: tasks.size,
    byModel: most(models.values()),
    byTask: most(tasks.values()).slice(0, NAMED),
    unpriced: most(models.values())
      .filter((model) => model.unpriced > 0)
      .map((model) => model.name),
  };
}
