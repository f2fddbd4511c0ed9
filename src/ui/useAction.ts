/** Something that the host is asked to do: whether it is under way, and how it failed. */
import { useCallback, useRef, useState } from "react";
import type { ErrorBody } from "../protocol";
import { bodyOf } from "./ErrorNote";

export interface Action<A extends unknown[]> {
  run(...values: A): Promise<boolean>;
  busy: boolean;
  error: ErrorBody | undefined;
  clear(): void;
}

/** For buttons: while it is under way, a second press does nothing. */
export function useAction<A extends unknown[]>(perform: (...values: A) => Promise<unknown>): Action<A> {
  const queued = useQueuedAction(perform);
  const run = async (...values: A) => !queued.busy && queued.run(...values);
  return { ...queued, run };
}

/** For fields, which change faster than the host answers: each run waits for the one before it, and none is dropped. */
export function useQueuedAction<A extends unknown[]>(perform: (...values: A) => Promise<unknown>): Action<A> {
  const [pending, setPending] = useState(0);
  const [error, setError] = useState<ErrorBody>();
  const before = useRef<Promise<unknown>>(Promise.resolve());
  const clear = useCallback(() => setError(undefined), []);
  const run = async (...values: A) => {
    setPending((count) => count + 1);
    setError(undefined);
    const done = before.current.then(() => perform(...values));
    before.current = done.catch(() => {});
    try {
      await done;
      return true;
    } catch (failure) {
      setError(bodyOf(failure));
      return false;
    } finally {
      setPending((count) => count - 1);
    }
  };
  return { run, busy: pending > 0, error, clear };
}
