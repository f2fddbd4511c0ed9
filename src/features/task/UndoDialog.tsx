/**
 * The undo dialog: previews the changes, file by file, job by job and for each git repository, then shows the result. It
 * also says why a redo is not possible.
 */
import { Check, CircleSlash, GitBranch, Undo2 } from "lucide-react";
import { useEffect, useState } from "react";
import type { ErrorBody, JobReport, UndoneFile, UndoneOutcome, UndoneRepository } from "../../protocol";
import { useHost } from "../../store/hooks";
import { changesOf, isRefused, repositoriesOf } from "../../store/undone";
import { number, t, tn } from "../../text";
import { shortPath } from "../../text/visible";
import { Dialog } from "../../ui/Dialog";
import { bodyOf, ErrorNote } from "../../ui/ErrorNote";
import { HostText } from "../../ui/HostText";
import { Skeleton } from "../../ui/Skeleton";
import { UndoFoot } from "../../ui/UndoFoot";
import { useAction } from "../../ui/useAction";
import { PathNotes } from "../files/PathNotes";
import type { Asked } from "./useUndo";

/** The number of files that are listed. The totals count all. */
const SHOWN = 200;

interface Props extends Asked {
  onClose(): void;
}

export function UndoDialog({ task, call, preview: known, isRedo = false, onClose }: Props) {
  const { client } = useHost();
  const [preview, setPreview] = useState(known);
  const [error, setError] = useState<ErrorBody>();
  const [done, setDone] = useState<UndoneOutcome>();
  useEffect(() => {
    if (known) return;
    let gone = false;
    client
      .command({ command: "undo", task, call, dry_run: true, if_whole: false, files_only: false })
      .then((outcome) => !gone && outcome.outcome === "undone" && setPreview(outcome))
      .catch((failure: unknown) => !gone && setError(bodyOf(failure)));
    return () => {
      gone = true;
    };
  }, [client, task, call, known]);
  const undo = useAction(async (filesOnly: boolean) => {
    const outcome = await client.command(
      isRedo
        ? { command: "redo", task, files_only: filesOnly }
        : { command: "undo", task, call, dry_run: false, if_whole: false, files_only: filesOnly },
    );
    if (outcome.outcome !== "undone") return;
    // Git can have been used since the preview.
    if (isRefused(outcome.repositories)) setPreview(outcome);
    else setDone(outcome);
  });
  const shown = done ?? preview;
  const { files = [], jobs = [] } = shown ?? {};
  const repositories = repositoriesOf(shown?.repositories);
  const refused = isRefused(repositories);
  const has = files.length + jobs.length + repositories.length > 0;
  const words = refused ? (isRedo ? "undo.redo_files" : "undo.files") : isRedo ? "task.redo" : "undo.do";
  const failed = error ?? undo.error;
  return (
    <Dialog title={t(isRedo ? "undo.redo_title" : "undo.title")} onClose={onClose}>
      <div className="dialog-body undo" aria-live="polite">
        {failed && <ErrorNote error={failed} />}
        {!shown && !failed && <Skeleton lines={3} label={t("undo.looking")} />}
        {shown && !has && <p className="muted">{t("undo.none")}</p>}
        {repositories.length > 0 && <Repositories all={repositories} done={done !== undefined} />}
        {refused && <p>{t(isRedo ? "undo.redo_refused" : "undo.refused")}</p>}
        {jobs.map((job) => (
          <JobPart key={job.job} report={job} done={done !== undefined} />
        ))}
        {files.length > 0 && <Files files={files} done={done !== undefined} />}
        <UndoFoot
          words={t(words)}
          onClose={onClose}
          onUndo={!done && has ? () => void undo.run(refused) : undefined}
          busy={undo.busy}
        />
      </div>
    </Dialog>
  );
}

/** What happens to git repositories, or why nothing in them changes. */
function Repositories({ all, done }: { all: readonly UndoneRepository[]; done: boolean }) {
  return (
    <ul className="undo-files">
      {all.map(({ folder, outcome, message }) => (
        <li
          key={folder}
          className="row"
          data-ok={done || outcome === "refused" ? outcome === "restored" : undefined}
        >
          {outcome === "refused" ? (
            <CircleSlash className="ic" aria-hidden="true" />
          ) : (
            <GitBranch className="ic" aria-hidden="true" />
          )}
          <div className="undo-repository grow">
            <span className="mono">{shortPath(folder)}</span>
            <HostText text={message} className="muted small" />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** The changes of a plan, undone as the job that made them. */
function JobPart({ report, done }: { report: JobReport; done: boolean }) {
  const against = report.conflicts.length + report.more_conflicts;
  return (
    <>
      <p>
        {done
          ? t("undo.job.done", { n: number(report.done), of: number(report.steps) })
          : tn("undo.job", report.steps)}
      </p>
      {report.stopped && (
        <p className="operation-problem">
          <HostText text={report.stopped} />
        </p>
      )}
      {against > 0 && (
        <>
          <p>{tn("undo.job.against", against)}</p>
          <PathNotes notes={report.conflicts} className="undo-conflicts scroll" />
        </>
      )}
      {report.skipped.length > 0 && <PathNotes notes={report.skipped} className="undo-conflicts scroll" />}
    </>
  );
}

function Files({ files, done }: { files: readonly UndoneFile[]; done: boolean }) {
  // A dry run describes for each path what would happen.
  const changes = changesOf(files);
  const can = changes.filter((file) => file.restored).length;
  const cannot = changes.length - can;
  return (
    <>
      <p>
        {done ? tn("undo.done", can) : tn("undo.would", changes.length)}{" "}
        {done && cannot > 0 && tn("undo.cannot", cannot)}
      </p>
      <ul className="undo-files scroll" aria-live="off">
        {files.slice(0, SHOWN).map((file) => (
          <li
            key={`${file.call} ${file.change.path}`}
            className="row"
            data-ok={done ? file.restored : undefined}
          >
            <Mark done={done} ok={file.restored} />
            <span className="mono grow">{shortPath(file.change.path)}</span>
            <HostText text={file.message} className="muted small" />
          </li>
        ))}
      </ul>
    </>
  );
}

function Mark({ done, ok }: { done: boolean; ok: boolean }) {
  const Icon = !done ? Undo2 : ok ? Check : CircleSlash;
  return <Icon className="ic" aria-hidden="true" />;
}
