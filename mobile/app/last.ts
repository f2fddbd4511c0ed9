/**
 * The last state that the host told, kept on the phone: what the pages show, with its age, while the host is out of reach.
 * It is never the ground for an answer: the first connection replaces all of it.
 */
import { useSyncExternalStore } from "react";
import type { AgentState } from "../../src/protocol";
import { useStore } from "../../src/store/hooks";
import type { AppState } from "../../src/store/state";
import type { Store } from "../../src/store/store";

const KEY = "deputy.last";
const SAVE_AFTER_MS = 1_000;
/** Ended tasks that the list shows while the host is away. */
const TASKS_KEPT = 30;

interface Last {
  at: number;
  state: AgentState;
}

/** When what is shown was last known to be true. */
let asOf = 0;
const listeners = new Set<() => void>();

function load(): Last | undefined {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? "null") as Last | null) ?? undefined;
  } catch {
    return undefined;
  }
}

function save({ tasks, requests, questions }: AppState) {
  const newest = [...tasks.values()].sort((a, b) => b.updated_at_ms - a.updated_at_ms).slice(0, TASKS_KEPT);
  const state = {
    agent: "active",
    tasks: newest,
    requests: [...requests.values()],
    questions: [...questions.values()],
  };
  try {
    localStorage.setItem(KEY, JSON.stringify({ at: asOf, state }));
  } catch {
    // It does not fit, or the browser keeps nothing: then the pages begin empty.
    localStorage.removeItem(KEY);
  }
}

/** Puts what was kept into the store. Its number is 0, so the host sends all of its state anew. */
export function showLast(store: Store) {
  const last = load();
  if (!last) return;
  asOf = last.at;
  store.put({ from: "host", message: { type: "snapshot", snapshot: { seq: 0, state: last.state } } });
  store.flush();
}

/** Keeps what the host tells from now on. */
export function keepLast(store: Store) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasOnline = false;
  const keep = () => {
    clearTimeout(timer);
    timer = undefined;
    if (store.get().seq > 0) save(store.get());
  };
  store.subscribe(() => {
    const isOnline = store.get().link.is === "online";
    if (isOnline || wasOnline) {
      asOf = Date.now();
      for (const listener of listeners) listener();
    }
    wasOnline = isOnline;
    if (isOnline) timer ??= setTimeout(keep, SAVE_AFTER_MS);
  });
  // A phone ends pages without asking.
  document.addEventListener("visibilitychange", () => document.hidden && wasOnline && keep());
}

export function forgetLast() {
  localStorage.removeItem(KEY);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Since when nothing was heard of the host; nothing while it is connected, or where nothing is known. */
export function useStaleSince(): number | undefined {
  const isOnline = useStore((state) => state.link.is === "online");
  const at = useSyncExternalStore(subscribe, () => asOf);
  return isOnline || at === 0 ? undefined : at;
}
