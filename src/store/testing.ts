/** What the tests fold: the golden wire samples, and a task recorded from a real host. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EventRecord, ServerMessage } from "../protocol";
import { reduce } from "./reduce";
import { type AppState, type Input, initialState } from "./state";

const GOLDEN = join(import.meta.dirname, "../../tests/golden");

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

export function heard(...messages: ServerMessage[]): Input[] {
  return messages.map((message) => ({ from: "host", message }));
}

export function event(record: EventRecord): ServerMessage {
  return { type: "event", record, shortened: false };
}

/** Past events as the client puts them in: the next ones in order, or the newest. */
export function past(events: readonly EventRecord[], tail: boolean): Input {
  return { from: "page", past: events[0]?.task ?? "", events, shortened: [], tail };
}

/** The state after some inputs, from nothing. */
export function stateAfter(...inputs: Input[]): AppState {
  return reduce(initialState, inputs);
}
