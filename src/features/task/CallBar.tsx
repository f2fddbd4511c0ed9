/** Progress of a running call that works through many items, such as files to move or texts to classify. */
import type { JobProgress } from "../../protocol";
import { useStore } from "../../store/hooks";
import type { CallEntry } from "../../store/journal";
import { number, t } from "../../text";

/** The call's latest progress; `undefined` once it has ended. */
export function useCallJob({ id, phase }: Pick<CallEntry, "id" | "phase">): JobProgress | undefined {
  return useStore((state) => {
    if (phase !== "running") return undefined;
    let newest: JobProgress | undefined;
    for (const job of state.working.values()) if (job.call === id) newest = job;
    return newest;
  });
}

export function CallBar({ done, steps, label }: Pick<JobProgress, "done" | "steps"> & { label: string }) {
  return (
    <div className="call-bar">
      <progress value={done} max={Math.max(steps, 1)} aria-label={label} />
      <p className="muted small">{t("call.progress", { n: number(done), of: number(steps) })}</p>
    </div>
  );
}
