/** The dialog that undoes or redoes a plan: the conflicts, how to resolve them, and the progress. */
import { useEffect, useState } from "react";
import type { ErrorBody, JobReport, OnConflict } from "../../protocol";
import { useHost } from "../../store/hooks";
import { number, t, tn } from "../../text";
import { Dialog } from "../../ui/Dialog";
import { bodyOf, ErrorNote } from "../../ui/ErrorNote";
import { HostText } from "../../ui/HostText";
import { Segmented } from "../../ui/Segmented";
import { Skeleton } from "../../ui/Skeleton";
import { UndoFoot } from "../../ui/UndoFoot";
import { useAction } from "../../ui/useAction";
import { JobBar } from "./JobBar";
import { PathNotes } from "./PathNotes";
import { useUndoing } from "./useJobs";

const CHOICES: readonly OnConflict[] = ["skip", "keep_both", "abort"];

/** The job to undo. If that job was an undo itself, undoing it is a redo. */
export interface Turning {
  job: string;
  isRedo: boolean;
}

export function UndoJob({ job, isRedo, onClose }: Turning & { onClose(): void }) {
  const is = isRedo ? "redo" : "undo";
  const { client } = useHost();
  const [wanted, setWanted] = useState<OnConflict>("skip");
  const [dry, setDry] = useState<JobReport>();
  const [done, setDone] = useState<JobReport>();
  const [error, setError] = useState<ErrorBody>();
  useEffect(() => {
    let gone = false;
    client
      .command({ command: "undo_job", job, on_conflict: "skip", dry_run: true })
      .then((outcome) => !gone && outcome.outcome === "job" && setDry(outcome.report))
      .catch((failure: unknown) => !gone && setError(bodyOf(failure)));
    return () => {
      gone = true;
    };
  }, [client, job]);
  const undo = useAction(async () => {
    const command = { command: "undo_job", job, on_conflict: wanted, dry_run: false } as const;
    const outcome = await client.command(command);
    if (outcome.outcome !== "job") return;
    // A conflict appeared in the meantime, and nothing was undone.
    if (outcome.report.undoes === null) setDry(outcome.report);
    else setDone(outcome.report);
  });
  const live = useUndoing(job, undo.busy);
  const begun = undo.busy || done !== undefined;
  const against = (dry?.conflicts.length ?? 0) + (dry?.more_conflicts ?? 0);
  const failed = error ?? undo.error;
  return (
    <Dialog title={t(`files.${is}.title`)} onClose={onClose}>
      <div className="dialog-body undo-job" aria-live="polite">
        {failed && <ErrorNote error={failed} />}
        {!dry && !failed && <Skeleton lines={3} label={t("undo.looking")} />}
        {dry && !begun && (
          <>
            <p>{tn(`files.${is}.steps`, dry.steps)}</p>
            {against > 0 && (
              <>
                <p>{tn("files.undo.conflicts", against)}</p>
                <PathNotes notes={dry.conflicts} className="undo-conflicts scroll" />
                <Segmented<OnConflict>
                  label={t("files.undo.choice")}
                  value={wanted}
                  options={CHOICES.map((value) => ({ value, label: t(`files.undo.${value}`) }))}
                  onChange={setWanted}
                />
                <p className="muted small">{t(`files.${is}.more.${wanted}`)}</p>
              </>
            )}
          </>
        )}
        {begun && (
          <>
            {!done && (
              <JobBar
                label={t(`files.${is}.title`)}
                turn={is}
                done={live?.done ?? 0}
                steps={live?.steps ?? dry?.steps ?? 0}
              />
            )}
            {done && (
              <>
                <p>{t(`files.${is}.done`, { n: number(done.done), of: number(done.steps) })}</p>
                {done.stopped && (
                  <p className="operation-problem">
                    <HostText text={done.stopped} />
                  </p>
                )}
                {done.skipped.length > 0 && (
                  <PathNotes notes={done.skipped} className="undo-conflicts scroll" />
                )}
              </>
            )}
          </>
        )}
        <UndoFoot
          words={t(isRedo ? "files.redo" : "undo.do")}
          onClose={onClose}
          onUndo={dry && !begun && dry.steps > 0 && wanted !== "abort" ? () => void undo.run() : undefined}
          busy={undo.busy}
        />
      </div>
    </Dialog>
  );
}
