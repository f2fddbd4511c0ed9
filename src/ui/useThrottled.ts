/** Throttles a value that changes up to sixty times per second, for text that is read rather than watched. */
import { useEffect, useRef, useState } from "react";

export function useThrottled<T>(value: T, everyMs: number): T {
  const [shown, setShown] = useState(value);
  const latest = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const last = useRef(0);
  latest.current = value;
  useEffect(() => {
    if (Object.is(value, shown) || timer.current !== undefined) return;
    const wait = Math.max(0, last.current + everyMs - performance.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      last.current = performance.now();
      setShown(latest.current);
    }, wait);
  }, [value, shown, everyMs]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return shown;
}
