/** Undoes or redoes a plan in one step if there are no conflicts. Otherwise its dialog asks. */
import { useState } from "react";
import { useHost } from "../../store/hooks";
import { useAction } from "../../ui/useAction";
import type { Turning } from "./UndoJob";
import { useUndoing } from "./useJobs";

export function useJobUndo(onDone: () => void) {
  const { client } = useHost();
  /** The undo or redo whose conflicts the user has to resolve first. */
  const [asked, setAsked] = useState<Turning>();
  const [at, setAt] = useState("");
  const action = useAction(async (turning: Turning) => {
    const { job } = turning;
    setAt(job);
    const command = { command: "undo_job", job, on_conflict: "abort", dry_run: false } as const;
    const outcome = await client.command(command);
    if (outcome.outcome !== "job") return;
    if (outcome.report.undoes === null) setAsked(turning);
    onDone();
  });
  const live = useUndoing(at, action.busy);
  const close = () => {
    setAsked(undefined);
    onDone();
  };
  return { ...action, asked, close, live };
}
