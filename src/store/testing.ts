/** What the tests fold: the golden wire samples, and a task recorded from a real host. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EventRecord, ServerMessage, TaskUpdate } from "../protocol";
import { reduce } from "./reduce";
import { type AppState, type Input, initialState } from "./state";

const GOLDEN = join(import.meta.dirname, "../../tests/golden");
const LIVES = join(import.meta.dirname, "../../tests/lives");

/** The golden samples of one type, by file name. */
export function golden<T>(type: string): [string, T][] {
  return readdirSync(GOLDEN)
    .filter((name) => name.endsWith(".json"))
    .map((name) => [name, JSON.parse(readFileSync(join(GOLDEN, name), "utf8"))] as const)
    .filter(([, sample]) => sample.type === type)
    .map(([name, sample]) => [name, sample.value as T]);
}

/** Everything a host said while a task was run, asked, denied, asked again and ended. */
export function recording(name: string): ServerMessage[] {
  const text = readFileSync(join(import.meta.dirname, "recordings", name), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ServerMessage);
}

/** What the host said of tasks with random lives: one in each file, told to the end. */
export function lives(): [string, ServerMessage[]][] {
  const read = (name: string) => readFileSync(join(LIVES, name), "utf8").trim().split("\n");
  const names = readdirSync(LIVES).filter((name) => name.endsWith(".jsonl"));
  return names.map((name) => [name, read(name).map((line) => JSON.parse(line) as ServerMessage)]);
}

export function heard(...messages: ServerMessage[]): Input[] {
  return messages.map((message) => ({ from: "host", message }));
}

/** An event as the host tells it; without `update` where the test is not about where the task stands. */
export function event(record: EventRecord, update: TaskUpdate | null = null): ServerMessage {
  return { type: "event", record, update, shortened: false };
}

/** Past events as the client puts them in: the next ones in order, or the newest. */
export function past(events: readonly EventRecord[], tail: boolean): Input {
  return { from: "page", past: events[0]?.task ?? "", events, shortened: [], tail };
}

/** The state after some inputs, from nothing. */
export function stateAfter(...inputs: Input[]): AppState {
  return reduce(initialState, inputs);
}
