/** A plan that runs: the request that approves it, its progress and its result. */
import { Check, CircleAlert, FolderOpen } from "lucide-react";
import { useEffect, useRef } from "react";
import { hrefOf } from "../../app/route";
import type { JobInfo, PermissionRequest } from "../../protocol";
import { useHost, useStore } from "../../store/hooks";
import { number, t, tn } from "../../text";
import { ErrorNote } from "../../ui/ErrorNote";
import { HostText } from "../../ui/HostText";
import { Skeleton } from "../../ui/Skeleton";
import { RequestCard } from "../request/RequestCard";
import { useOpen } from "../task/FileMenu";
import type { Organising } from "./draft";
import { JobBar } from "./JobBar";
import { turningsOf } from "./JobsList";
import { PathNotes, StoppedAt } from "./PathNotes";
import { UndoJob } from "./UndoJob";
import { latestOf, useJobs } from "./useJobs";
import { useJobUndo } from "./useJobUndo";

interface Props {
  task: string;
  state: Organising;
  change(part: Partial<Organising>): void;
  onAgain(): void;
  onJobs(): void;
}

export function Run({ task, state, change, onAgain, onJobs }: Props) {
  const summary = useStore((all) => all.tasks.get(task));
  const requests = useStore((all) => all.requests);
  const request = [...requests.values()].find((each) => each.task === task);
  const ended = summary?.state.state === "stopped";
  const running = !request && !ended && state.call !== null;
  const { jobs, error, look } = useJobs(state.call, running);
  const open = useOpen(task);
  const card = useRef<HTMLDivElement>(null);
  const approval = useApproval(request, state, () => change({ approved: null }));
  const job = state.call ? jobs?.[0] : undefined;
  const undo = useJobUndo(() => {
    look();
    onJobs();
  });
  const latest = job && latestOf(job);
  const turnings = job ? turningsOf(job) : [];
  const call = request?.call;
  useEffect(() => {
    if (call && call !== state.call) change({ call });
  }, [call, state.call, change]);
  useEffect(() => {
    if (ended) look();
  }, [ended, look]);
  const stopped = summary?.state.state === "stopped" ? summary.state : undefined;
  const link = (
    <a className="btn" href={hrefOf({ screen: "task", task })}>
      {t("request.goto")}
    </a>
  );
  return (
    <div className="files-run" aria-live="polite">
      {error && <ErrorNote error={error} />}
      {request && !approval && <RequestCard key={request.id} request={request} why={undefined} active />}
      {(!request || approval) && !ended && !job && <Skeleton lines={5} label={t("files.asking")} />}
      {!request && latest && !ended && (
        <div className="card run-card">
          <h2>{t("files.working")}</h2>
          <JobBar label={t("files.working")} turn={latest.turn} done={latest.done} steps={latest.steps} />
        </div>
      )}
      {ended && stopped && (
        <div className="card run-card" ref={card} tabIndex={-1}>
          <h2 className="row">
            {job?.state === "done" && job.left_out_count === 0 ? (
              <Check className="ic run-done" aria-hidden="true" />
            ) : (
              <CircleAlert className="ic run-part" aria-hidden="true" />
            )}
            {resultWords(job)}
          </h2>
          {job && latest ? (
            <>
              {undo.busy ? (
                <JobBar
                  label={t(job.state === "undone" ? "files.redo.title" : "files.undo.title")}
                  turn={job.state === "undone" ? "redo" : "undo"}
                  done={undo.live?.done ?? 0}
                  steps={undo.live?.steps ?? latest.done}
                />
              ) : (
                <p className="muted">
                  {t(`files.steps.${latest.turn}`, { n: number(latest.done), of: number(latest.steps) })}
                </p>
              )}
              {job.stopped && <StoppedAt note={job.stopped} />}
              {job.left_out_count > 0 && (
                <details open>
                  <summary className="small">{tn("files.skipped", job.left_out_count)}</summary>
                  <PathNotes notes={job.left_out} />
                </details>
              )}
            </>
          ) : (
            <p className="muted">
              <HostText text={stopped.summary} />
            </p>
          )}
          <div className="row wrap">
            <button type="button" className="btn primary" onClick={onAgain}>
              {t("files.again")}
            </button>
            {summary && open.can && (
              <button
                type="button"
                className="btn"
                disabled={open.busy}
                onClick={() => void open.run(summary.workspace, "folder")}
              >
                <FolderOpen className="ic" aria-hidden="true" />
                {t("file.folder_open")}
              </button>
            )}
            {turnings.map((turning) => (
              <button
                key={turning.job}
                type="button"
                className="btn"
                disabled={undo.busy}
                onClick={() => {
                  // The button is replaced by the opposite one, so the focus moves to the card.
                  card.current?.focus();
                  void undo.run(turning);
                }}
              >
                {t(turning.isRedo ? "files.redo" : "files.undo")}
              </button>
            ))}
            {link}
          </div>
        </div>
      )}
      {open.error && <ErrorNote error={open.error} onDismiss={open.clear} />}
      {undo.error && <ErrorNote error={undo.error} onDismiss={undo.clear} />}
      {undo.asked && <UndoJob {...undo.asked} onClose={undo.close} />}
    </div>
  );
}

function resultWords(job: JobInfo | undefined): string {
  switch (job?.state) {
    case undefined:
      return t("files.result.none");
    case "done":
      return t("files.result.done");
    case "undone":
      return t("files.result.undone");
    case "partly_undone":
      return t("files.job.partly_undone");
    default:
      return t("files.result.part");
  }
}

/**
 * Answers the request for the plan that was approved in the review, which is identified by its digest. A
 * request for anything else is shown for a decision, as is a high-risk request whose word was not typed.
 */
function useApproval(
  request: PermissionRequest | undefined,
  { approved, confirmed }: Organising,
  onUsed: () => void,
): boolean {
  const { client } = useHost();
  const isSame =
    request !== undefined && request.digest === approved && (confirmed || request.risk !== "high");
  const used = useRef(onUsed);
  used.current = onUsed;
  useEffect(() => {
    if (!request || !isSame) return;
    const by = { by: "local", screen: client.screen } as const;
    const choice = { choice: "allow", lifetime: { for: "once" }, wider: false, dropped: [] } as const;
    const answer = { request: request.id, digest: request.digest, choice: { ...choice, dropped: [] }, by };
    client
      .command({ command: "answer_permission", answer })
      .catch(() => {})
      // If the automatic answer fails, the request's card is shown.
      .finally(() => used.current());
  }, [client, request, isSame]);
  return isSame;
}
