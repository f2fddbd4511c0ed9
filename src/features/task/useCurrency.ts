/** The currency of prices. */
import { useAnswer } from "../../store/hooks";

/** The latest possible date, which matches no row: only the currency is needed. */
const NEVER_MS = 8_640_000_000_000_000;

export function useCurrency(): string {
  const { answer } = useAnswer({ query: "usage", since_ms: NEVER_MS }, "usage");
  return answer?.currency ?? "USD";
}
