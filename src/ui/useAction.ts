/** Something that is told to the host: whether it is under way, and how it failed. */
import { useCallback, useState } from "react";
import type { ErrorBody } from "../protocol";
import { bodyOf } from "./ErrorNote";

export interface Action<A extends unknown[]> {
  run(...values: A): Promise<boolean>;
  busy: boolean;
  error: ErrorBody | undefined;
  clear(): void;
}

export function useAction<A extends unknown[]>(perform: (...values: A) => Promise<unknown>): Action<A> {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ErrorBody>();
  const clear = useCallback(() => setError(undefined), []);
  const run = async (...values: A) => {
    if (busy) return false;
    setBusy(true);
    setError(undefined);
    try {
      await perform(...values);
      return true;
    } catch (failure) {
      setError(bodyOf(failure));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { run, busy, error, clear };
}
