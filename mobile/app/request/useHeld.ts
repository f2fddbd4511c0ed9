/** What was shown last stays in view once it is no longer there: a card does not vanish under the thumb. */
import { useRef } from "react";

export function useHeld<T>(now: T | undefined): T | undefined {
  const held = useRef(now);
  if (now !== undefined) held.current = now;
  return held.current;
}
