/** Undoes a job in one step if there are no conflicts. Otherwise its dialog asks. */
import { useState } from "react";
import { useHost } from "../../store/hooks";
import { useAction } from "../../ui/useAction";
import { useUndoing } from "./useJobs";

export function useJobUndo(onDone: () => void) {
  const { client } = useHost();
  /** The job whose conflicts the user has to resolve first. */
  const [asked, setAsked] = useState<string>();
  /** The job that undid the last one. Undoing it is a redo. */
  const [by, setBy] = useState<string>();
  const [at, setAt] = useState("");
  const action = useAction(async (job: string) => {
    setAt(job);
    const command = { command: "undo_job", job, on_conflict: "abort", dry_run: false } as const;
    const outcome = await client.command(command);
    if (outcome.outcome !== "job") return;
    const { undoes, job: done } = outcome.report;
    if (undoes === null) setAsked(job);
    else setBy(done);
    onDone();
  });
  const live = useUndoing(at, action.busy);
  const close = () => {
    setAsked(undefined);
    onDone();
  };
  return { ...action, asked, by, close, live };
}
