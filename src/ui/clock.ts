/** The time, for words like `2 min ago`: one timer for the whole page. */
import { useSyncExternalStore } from "react";

const EVERY_MS = 20_000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** The time that is shown. Before the first one subscribes it is not an older than a turn of the timer. */
function current(): number {
  if (timer === undefined && Date.now() - now > EVERY_MS) now = Date.now();
  return now;
}

function subscribe(listener: () => void) {
  // While nobody looked at the time it stood still; the first to look finds it right.
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
