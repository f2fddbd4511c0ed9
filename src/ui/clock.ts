/** The current time, for texts like `2 min ago`: a single timer for the whole page. */
import { useSyncExternalStore } from "react";

const EVERY_MS = 20_000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Returns the time to show. Before the first subscription it is at most one timer interval old. */
function current(): number {
  if (timer === undefined && Date.now() - now > EVERY_MS) now = Date.now();
  return now;
}

function subscribe(listener: () => void) {
  // The clock stops while no component uses it, so the first subscriber updates it.
  if (listeners.size === 0) now = Date.now();
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, EVERY_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

export function useNow(): number {
  return useSyncExternalStore(subscribe, current);
}
