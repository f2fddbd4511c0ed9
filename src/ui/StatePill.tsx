/** Where a task stands, as a pill. */
import type { Risk, TaskState } from "../protocol";
import { t } from "../text";
import { visible } from "../text/visible";

export function stateWords(state: TaskState): string {
  switch (state.state) {
    case "queued":
      return t("state.queued");
    case "running":
      return t("state.running", { iteration: state.iteration });
    case "paused":
      return t(`state.${state.reason}`);
    case "interrupted":
      return t("state.interrupted");
    case "stopped":
      return t(`state.${state.reason}`);
    default:
      // A newer host's.
      return visible((state as { state: string }).state);
  }
}

const ENDED: Record<string, string> = { completed: "low", error: "high", needs_model: "wait" };

function look(state: TaskState): string {
  switch (state.state) {
    case "running":
      return "run";
    case "paused":
      return state.reason === "by_user" ? "quiet" : "wait";
    case "stopped":
      return ENDED[state.reason] ?? "quiet";
    default:
      return "quiet";
  }
}

interface Props {
  state: TaskState;
  /** In place of the state's own words. */
  words?: string | undefined;
}

export function StatePill({ state, words }: Props) {
  return <span className={`pill ${look(state)}`}>{words ?? stateWords(state)}</span>;
}

export function RiskPill({ risk }: { risk: Risk }) {
  return <span className={`pill plain ${risk}`}>{t(`risk.${risk}`)}</span>;
}
