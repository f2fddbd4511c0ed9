/** What prices are in. */
import { useAnswer } from "../../store/hooks";

/** Later than any row: only the currency is asked for. */
const NEVER_MS = 8_640_000_000_000_000;

export function useCurrency(): string {
  const { answer } = useAnswer({ query: "usage", since_ms: NEVER_MS }, "usage");
  return answer?.currency ?? "USD";
}
