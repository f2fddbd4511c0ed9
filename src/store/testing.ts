/** Inputs for the tests: the golden wire samples, and tasks recorded from a real host. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EventRecord, ServerMessage, TaskUpdate } from "../protocol";
import { reduce } from "./reduce";
import { type AppState, type Input, initialState } from "./state";

const GOLDEN = join(import.meta.dirname, "../../tests/golden");
const LIVES = join(import.meta.dirname, "../../tests/lives");

/** Returns the golden samples of a type, by file name. */
export function golden<T>(type: string): [string, T][] {
  return readdirSync(GOLDEN)
    .filter((name) => name.endsWith(".json"))
    .map((name) => [name, JSON.parse(readFileSync(join(GOLDEN, name), "utf8"))] as const)
    .filter(([, sample]) => sample.type === type)
    .map(([name, sample]) => [name, sample.value as T]);
}

/** Returns a recording: every message of a host during a task. */
export function recording(name: string): ServerMessage[] {
  const text = readFileSync(join(import.meta.dirname, "recordings", name), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ServerMessage);
}

/** Returns recordings of tasks with random events, each from a file and complete. */
export function lives(): [string, ServerMessage[]][] {
  const read = (name: string) => readFileSync(join(LIVES, name), "utf8").trim().split("\n");
  const names = readdirSync(LIVES).filter((name) => name.endsWith(".jsonl"));
  return names.map((name) => [name, read(name).map((line) => JSON.parse(line) as ServerMessage)]);
}

export function heard(...messages: ServerMessage[]): Input[] {
  return messages.map((message) => ({ from: "host", message }));
}

/** Returns an event message. `update` is only given by tests that depend on the task's state. */
export function event(record: EventRecord, update: TaskUpdate | null = null): ServerMessage {
  return { type: "event", record, update, shortened: false };
}

/** Returns an input with past events: the next ones in order, or the newest. */
export function past(events: readonly EventRecord[], tail: boolean): Input {
  return { from: "page", past: events[0]?.task ?? "", events, shortened: [], tail };
}

/** Returns the state after some inputs, from the initial state. */
export function stateAfter(...inputs: Input[]): AppState {
  return reduce(initialState, inputs);
}
