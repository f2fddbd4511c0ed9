/** An action at the host: whether it is in progress, and its error. */
import { useCallback, useContext, useEffect, useRef, useState } from "react";
import type { ErrorBody } from "../protocol";
import { HostContext } from "../store/hooks";
import { t } from "../text";
import { bodyOf } from "./ErrorNote";

export interface Action<A extends unknown[]> {
  run(...values: A): Promise<boolean>;
  busy: boolean;
  error: ErrorBody | undefined;
  clear(): void;
}

/** For buttons: while the action is in progress, further presses are ignored. */
export function useAction<A extends unknown[]>(perform: (...values: A) => Promise<unknown>): Action<A> {
  const queued = useQueuedAction(perform);
  const run = async (...values: A) => !queued.busy && queued.run(...values);
  return { ...queued, run };
}

/** Removes the error that an action was not sent, once the host is back: its words are not true any more. */
function useUntilBack(error: ErrorBody | undefined, clear: () => void) {
  const host = useContext(HostContext);
  const wasUnsent = error?.code === "not_sent" && error.message === t("link.not_sent");
  useEffect(() => {
    if (!host || !wasUnsent) return;
    return host.store.subscribe(() => host.store.get().link.is === "online" && clear());
  }, [host, wasUnsent, clear]);
}

/** For fields, which change faster than the host answers: each run waits for the previous one, and none is dropped. */
export function useQueuedAction<A extends unknown[]>(perform: (...values: A) => Promise<unknown>): Action<A> {
  const [pending, setPending] = useState(0);
  const [error, setError] = useState<ErrorBody>();
  const before = useRef<Promise<unknown>>(Promise.resolve());
  const clear = useCallback(() => setError(undefined), []);
  useUntilBack(error, clear);
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
