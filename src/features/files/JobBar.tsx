/** The progress bar of a job. */
import type { JobTurn } from "../../protocol";
import { number, t } from "../../text";

interface Props extends Pick<JobTurn, "turn" | "done" | "steps"> {
  label: string;
}

export function JobBar({ label, turn, done, steps }: Props) {
  return (
    <div className="job-bar">
      <progress value={done} max={Math.max(steps, 1)} aria-label={label} />
      <p className="muted small">{t(`files.steps.${turn}`, { n: number(done), of: number(steps) })}</p>
    </div>
  );
}
