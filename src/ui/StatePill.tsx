/** The state of a task, as a pill. */
import type { Risk, StoppedTask, TaskState } from "../protocol";
import { clockOrDate, t, tn } from "../text";
import { visible } from "../text/visible";

export function stateWords(state: TaskState): string {
  switch (state.state) {
    case "queued":
      return t("state.queued");
    case "running":
      return t("state.running", { iteration: state.iteration });
    case "awaiting_subtasks":
      return t("state.subtasks");
    case "awaiting_provider":
      return t("state.provider", { time: clockOrDate(state.until_ms), backend: visible(state.backend) });
    case "paused":
      return t(`state.${state.reason}`);
    case "interrupted":
      return t("state.interrupted");
    case "stopped":
      return state.undone ? t("state.undone") : endWords(state);
    default:
      // A state from a newer host.
      return visible((state as { state: string }).state);
  }
}

/**
 * Describes how a task ended, even if it was undone since. A task that completed counts as done, even if a request
 * was denied.
 */
export function endWords({ reason, denied }: Pick<StoppedTask, "reason" | "denied">): string {
  if (!isDone(reason) || !denied) return t(`state.${reason}`);
  return `${t("state.completed")} · ${tn("state.with_denied", denied)}`;
}

/** Returns whether a task runs now, or its sub-tasks do. */
export function isAtWork({ state }: TaskState): boolean {
  return state === "running" || state === "awaiting_subtasks";
}

/** Returns the words of the button that lets a task continue before it would by itself, if there is one. */
export function resumeWords(state: TaskState): string | undefined {
  if (state.state === "awaiting_provider") return t("task.continue_now");
  if (state.state === "paused" && state.reason === "expired") return t("task.ask_again");
  const isHeld = state.state === "paused" && (state.reason === "by_user" || state.reason === "budget");
  // A task that waits for an answer continues with the answer. Only a paused one is resumed explicitly.
  return isHeld || state.state === "interrupted" ? t("task.resume") : undefined;
}

/** Returns whether a task finished on its own. */
export function isDone(reason: StoppedTask["reason"]): boolean {
  return reason === "completed" || reason === "denied";
}

const ENDED: Record<string, string> = { completed: "low", error: "high", needs_model: "wait" };

function look(state: TaskState): string {
  switch (state.state) {
    case "running":
    case "awaiting_subtasks":
      return "run";
    case "paused":
      return state.reason === "by_user" ? "quiet" : "wait";
    case "stopped":
      return state.undone ? "quiet" : (ENDED[state.reason] ?? "quiet");
    default:
      return "quiet";
  }
}

interface Props {
  state: TaskState;
  /** Replaces the state's own text. */
  words?: string | undefined;
}

export function StatePill({ state, words }: Props) {
  const text = words ?? stateWords(state);
  return (
    <span className={`pill ${look(state)}`} title={text}>
      <span className="clip">{text}</span>
    </span>
  );
}

export function RiskPill({ risk }: { risk: Risk }) {
  return <span className={`pill plain ${risk}`}>{t(`risk.${risk}`)}</span>;
}
