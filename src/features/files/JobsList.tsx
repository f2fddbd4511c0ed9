/** The list of jobs. Interrupted jobs can be continued or undone, finished ones can be undone. */
import { Undo2 } from "lucide-react";
import { useRef, useState } from "react";
import type { JobInfo } from "../../protocol";
import { useHost } from "../../store/hooks";
import { number, relative, t } from "../../text";
import { shortPath } from "../../text/visible";
import { useNow } from "../../ui/clock";
import { ErrorNote } from "../../ui/ErrorNote";
import { Skeleton } from "../../ui/Skeleton";
import { useAction } from "../../ui/useAction";
import { StoppedAt } from "./PathNotes";
import { UndoJob } from "./UndoJob";
import type { JobList } from "./useJobs";

const PILLS = {
  running: "run",
  interrupted: "wait",
  done: "quiet",
  undone: "quiet",
  damaged: "high",
} as const;

interface Props {
  list: JobList;
  /** Interrupted jobs come first, and keep their position while the screen is open. */
  which: "interrupted" | "others";
}

export function JobsList({ list, which }: Props) {
  const { client } = useHost();
  const { jobs, error, look } = list;
  const [undoing, setUndoing] = useState<string>();
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
            onResume={(skip) => void resume.run(job.job, skip)}
            onUndo={() => setUndoing(job.job)}
          />
        ))}
      </ul>
      {undoing && (
        <UndoJob
          job={undoing}
          onClose={() => {
            setUndoing(undefined);
            look();
          }}
        />
      )}
    </section>
  );
}

interface LineProps {
  job: JobInfo;
  busy: boolean;
  onResume(skip: boolean): void;
  onUndo(): void;
}

function JobLine({ job, busy, onResume, onUndo }: LineProps) {
  const now = useNow();
  const where = job.scope.map(shortPath).join(", ");
  const interrupted = job.state === "interrupted";
  // Undoing an undo is a redo.
  const undo = job.undoes && !interrupted ? "files.redo" : "files.undo";
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
        <span className={`pill ${PILLS[job.state]}`}>{t(`files.job.${job.state}`)}</span>
      </div>
      <div className="grow">
        <p>
          {job.undoes && (
            <span className="muted">
              <Undo2 className="ic job-undoes" aria-hidden="true" /> {t("files.job.undoes")}{" "}
            </span>
          )}
          <span className="mono">{where}</span>
        </p>
        <p className="muted small">
          {relative(Math.min(job.began_at_ms, now), now)} ·{" "}
          {t("files.steps", { n: number(job.done), of: number(job.steps) })}
          {job.left_out_count > 0 && ` · ${t("files.job.skipped", { n: number(job.left_out_count) })}`}
        </p>
        {job.state === "running" && (
          <progress
            value={job.done}
            max={Math.max(job.steps, 1)}
            aria-label={named(t("files.job.running"))}
          />
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
        {(interrupted || job.state === "done") && (
          <button type="button" className="btn" onClick={staying(onUndo)} aria-label={named(t(undo))}>
            {t(undo)}
          </button>
        )}
      </div>
    </li>
  );
}
