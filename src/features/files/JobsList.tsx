/**
 * The list of executed plans, one line each with its history. A plan can be undone, and redone afterwards; an interrupted
 * one can be continued or taken back.
 */
import { useRef, useState } from "react";
import type { JobInfo, JobTurn } from "../../protocol";
import { useHost } from "../../store/hooks";
import { number, relative, t } from "../../text";
import { shortPath } from "../../text/visible";
import { useNow } from "../../ui/clock";
import { ErrorNote } from "../../ui/ErrorNote";
import { Skeleton } from "../../ui/Skeleton";
import { useAction } from "../../ui/useAction";
import { StoppedAt } from "./PathNotes";
import { type Turning, UndoJob } from "./UndoJob";
import { type JobList, latestOf } from "./useJobs";

const PILLS = {
  running: "run",
  interrupted: "wait",
  done: "quiet",
  partly_undone: "quiet",
  undone: "quiet",
  damaged: "high",
} as const;

interface Props {
  list: JobList;
  /** Interrupted plans come first, and keep their position while the screen is open. */
  which: "interrupted" | "others";
}

export function JobsList({ list, which }: Props) {
  const { client } = useHost();
  const { jobs, error, look } = list;
  const [turning, setTurning] = useState<Turning>();
  const resume = useAction(async (job: string, skip: boolean) => {
    await client.command({ command: "resume_job", job, skip });
    look();
  });
  const first = useRef(new Set<string>());
  for (const { job, state } of jobs ?? []) if (state === "interrupted") first.current.add(job);
  const isFirst = which === "interrupted";
  const shown = jobs?.filter(({ job }) => first.current.has(job) === isFirst);
  const failed = (isFirst ? undefined : error) ?? resume.error;
  if (isFirst && !shown?.length) return null;
  return (
    <section className={isFirst ? "jobs card jobs-interrupted" : "jobs"}>
      <h2 className="lbl">{t(isFirst ? "files.jobs.interrupted" : "files.jobs")}</h2>
      {failed && <ErrorNote error={failed} />}
      {!shown && !failed && <Skeleton lines={3} label={t("link.connecting")} />}
      {jobs?.length === 0 && <p className="muted small">{t("files.jobs.none")}</p>}
      <ul>
        {shown?.map((job) => (
          <JobLine
            key={job.job}
            job={job}
            busy={resume.busy}
            onResume={(skip) => void resume.run(latestOf(job).job, skip)}
            onTurn={setTurning}
          />
        ))}
      </ul>
      {turning && (
        <UndoJob
          {...turning}
          onClose={() => {
            setTurning(undefined);
            look();
          }}
        />
      )}
    </section>
  );
}

/** Returns what can be done with a plan that no process works on: undo it, redo it, or for a part of it either. */
export function turningsOf(job: JobInfo): Turning[] {
  const latest = latestOf(job);
  const undo = { job: job.job, isRedo: false };
  // Undoing an undo is a redo.
  const redo = job.undone_by ? [{ job: job.undone_by, isRedo: true }] : [];
  switch (job.state) {
    case "interrupted":
      return [{ job: latest.job, isRedo: latest.turn === "undo" }];
    case "done":
      return [undo];
    case "partly_undone":
      return [undo, ...redo];
    case "undone":
      return redo;
    case "running":
    case "damaged":
      return [];
  }
}

function stateWords(job: JobInfo): string {
  const { state } = job;
  const { turn } = latestOf(job);
  if ((state === "running" || state === "interrupted") && turn !== "execute")
    return t(`files.job.${state}.${turn}`);
  return t(`files.job.${state}`);
}

interface LineProps {
  job: JobInfo;
  busy: boolean;
  onResume(skip: boolean): void;
  onTurn(turning: Turning): void;
}

function JobLine({ job, busy, onResume, onTurn }: LineProps) {
  const now = useNow();
  const where = job.scope.map(shortPath).join(", ");
  const interrupted = job.state === "interrupted";
  const isUnfinished = interrupted || job.state === "running";
  const latest = latestOf(job);
  const words = (turn: JobTurn) => {
    const when = relative(Math.min(turn.began_at_ms, now), now);
    return t(turn === latest && isUnfinished ? "files.turn.begun" : `files.turn.${turn.turn}`, { when });
  };
  const named = (words: string) => `${words}: ${where}`;
  // The pressed button disappears after its action, so the focus moves to the line, which stays.
  const line = useRef<HTMLLIElement>(null);
  const staying = (act: () => void) => () => {
    line.current?.focus();
    act();
  };
  return (
    <li className="job" ref={line} tabIndex={-1}>
      <div className="job-state">
        <span className={`pill ${PILLS[job.state]}`}>{stateWords(job)}</span>
      </div>
      <div className="grow">
        <p className="mono">{where}</p>
        <p className="muted small">
          {job.turns.map(words).join(" · ")}
          {" · "}
          {t(`files.steps.${latest.turn}`, { n: number(latest.done), of: number(latest.steps) })}
          {job.left_out_count > 0 && ` · ${t("files.job.skipped", { n: number(job.left_out_count) })}`}
        </p>
        {job.state === "running" && (
          <progress value={latest.done} max={Math.max(latest.steps, 1)} aria-label={named(stateWords(job))} />
        )}
        {job.stopped && <StoppedAt note={job.stopped} />}
      </div>
      <div className="row wrap job-buttons">
        {interrupted && (
          <button
            type="button"
            className="btn"
            disabled={busy}
            onClick={staying(() => onResume(false))}
            aria-label={named(t("files.resume"))}
          >
            {t("files.resume")}
          </button>
        )}
        {interrupted && job.stopped && (
          <button
            type="button"
            className="btn"
            disabled={busy}
            onClick={staying(() => onResume(true))}
            aria-label={named(t("files.skip"))}
          >
            {t("files.skip")}
          </button>
        )}
        {turningsOf(job).map((turning) => {
          const words = t(turning.isRedo ? "files.redo" : "files.undo");
          return (
            <button
              key={words}
              type="button"
              className="btn"
              onClick={staying(() => onTurn(turning))}
              aria-label={named(words)}
            >
              {words}
            </button>
          );
        })}
      </div>
    </li>
  );
}
