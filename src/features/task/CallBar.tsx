/** How far a running call got that works through many things, such as files to move or texts to ask a model about. */
import type { JobProgress } from "../../protocol";
import { useStore } from "../../store/hooks";
import type { CallEntry } from "../../store/journal";
import { number, t } from "../../text";

/** What was last heard of the call's work; nothing once it has ended. */
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
