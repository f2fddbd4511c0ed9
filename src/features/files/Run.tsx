/** A plan that runs: the request that approves it, its progress and its result. */
import { Check, CircleAlert, FolderOpen } from "lucide-react";
import { useEffect, useRef } from "react";
import { hrefOf } from "../../app/route";
import type { PermissionRequest } from "../../protocol";
import { useHost, useStore } from "../../store/hooks";
import { number, t, tn } from "../../text";
import { ErrorNote } from "../../ui/ErrorNote";
import { HostText } from "../../ui/HostText";
import { Skeleton } from "../../ui/Skeleton";
import { RequestCard } from "../request/RequestCard";
import { useOpen } from "../task/FileMenu";
import type { Organising } from "./draft";
import { JobBar } from "./JobBar";
import { PathNotes, StoppedAt } from "./PathNotes";
import { UndoJob } from "./UndoJob";
import { useJobs } from "./useJobs";
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
  const by = undo.by;
  const onTurn =
    job?.state === "undone"
      ? by && (() => void undo.run(by))
      : job && job.state !== "damaged" && (() => void undo.run(job.job));
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
      {!request && job && !ended && (
        <div className="card run-card">
          <h2>{t("files.working")}</h2>
          <JobBar label={t("files.working")} done={job.done} steps={job.steps} />
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
            {t(
              !job
                ? "files.result.none"
                : job.state === "undone"
                  ? "files.result.undone"
                  : job.state === "done"
                    ? "files.result.done"
                    : "files.result.part",
            )}
          </h2>
          {job ? (
            <>
              {undo.busy ? (
                <JobBar
                  label={t("files.undo.title")}
                  done={undo.live?.done ?? 0}
                  steps={undo.live?.steps ?? job.done}
                />
              ) : (
                <p className="muted">{t("files.steps", { n: number(job.done), of: number(job.steps) })}</p>
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
            {job && onTurn && (
              <button
                type="button"
                className="btn"
                disabled={undo.busy}
                onClick={() => {
                  // The button disappears if its action cannot be reversed, so the focus moves to the card.
                  card.current?.focus();
                  onTurn();
                }}
              >
                {t(job.state === "undone" ? "files.redo" : "files.undo")}
              </button>
            )}
            {link}
          </div>
        </div>
      )}
      {open.error && <ErrorNote error={open.error} onDismiss={open.clear} />}
      {undo.error && <ErrorNote error={undo.error} onDismiss={undo.clear} />}
      {undo.asked && <UndoJob job={undo.asked} onClose={undo.close} />}
    </div>
  );
}

/**
 * Answers the request for the plan that was approved in the review, which is identified by its digest. A
 * request for anything else is shown for a decision, as is a high-risk request whose button was not held.
 */
function useApproval(
  request: PermissionRequest | undefined,
  { approved, held }: Organising,
  onUsed: () => void,
): boolean {
  const { client } = useHost();
  const isSame = request !== undefined && request.digest === approved && (held || request.risk !== "high");
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
