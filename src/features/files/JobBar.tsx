/** The progress bar of a job. */
import { number, t } from "../../text";

export function JobBar({ label, done, steps }: { label: string; done: number; steps: number }) {
  return (
    <div className="job-bar">
      <progress value={done} max={Math.max(steps, 1)} aria-label={label} />
      <p className="muted small">{t("files.steps", { n: number(done), of: number(steps) })}</p>
    </div>
  );
}
