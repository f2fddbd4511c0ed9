/** The executed plans: queried when a job begins or ends, and updated live while one runs. */
import { useCallback, useEffect, useMemo, useState } from "react";
import type { ErrorBody, JobInfo, JobProgress, JobTurn } from "../../protocol";
import { useHost, useStore } from "../../store/hooks";
import { bodyOf } from "../../ui/ErrorNote";

/** Live updates may be lost, so the page also queries a running job at this interval. */
const BUSY_MS = 2_000;

export interface JobList {
  jobs: readonly JobInfo[] | undefined;
  error: ErrorBody | undefined;
  look(): void;
}

/** `call` limits the list to the plan that this call started. With `watch`, the page polls even if no job runs yet. */
export function useJobs(call: string | null, watch: boolean): JobList {
  const { client } = useHost();
  const online = useStore((state) => state.link.is === "online");
  const working = useStore((state) => state.working);
  const [jobs, setJobs] = useState<readonly JobInfo[]>();
  const [error, setError] = useState<ErrorBody>();
  const look = useCallback(() => {
    client
      .query({ query: "jobs", call }, "jobs")
      .then((answer) => {
        setJobs(answer.jobs);
        setError(undefined);
      })
      .catch((failure: unknown) => setError(bodyOf(failure)));
  }, [client, call]);
  const busy = watch || jobs?.some((job) => job.state === "running");
  const turns = useMemo(() => turnsOf(working), [working]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a job that begins or reaches its end changes the list
  useEffect(() => {
    if (online) look();
  }, [online, look, turns]);
  useEffect(() => {
    if (!online || !busy) return;
    const timer = setInterval(look, BUSY_MS);
    return () => clearInterval(timer);
  }, [online, busy, look]);
  return { jobs: useMemo(() => jobs?.map((job) => ahead(job, working)), [jobs, working]), error, look };
}

/** Returns the progress of the job that undoes this one, since `busy` was set. */
export function useUndoing(job: string, busy: boolean): JobProgress | undefined {
  const working = useStore((state) => state.working);
  const [before, setBefore] = useState<ReadonlySet<string>>(new Set());
  const { store } = useHost();
  useEffect(() => {
    if (!busy) setBefore(new Set(store.get().working.keys()));
  }, [busy, store]);
  if (!busy) return undefined;
  return [...working.values()].find((each) => each.undoes === job && !before.has(each.job));
}

/** Returns a text that changes only when a job begins or reaches its last step. */
export function turnsOf(working: ReadonlyMap<string, JobProgress>): string {
  return [...working.values()].map(({ job, done, steps }) => `${job} ${done === steps}`).join();
}

/** Returns the turn of a plan that came last: its execution, or a later undo or redo. */
export function latestOf({ turns, job }: JobInfo): JobTurn {
  return turns.at(-1) ?? { job, turn: "execute", done: 0, steps: 0, began_at_ms: 0 };
}

/** Returns a plan from the list, with the live progress of its last turn if that is further. */
export function ahead(job: JobInfo, working: ReadonlyMap<string, JobProgress>): JobInfo {
  const latest = latestOf(job);
  const live = working.get(latest.job);
  if (job.state !== "running" || !live || live.done <= latest.done) return job;
  return { ...job, turns: [...job.turns.slice(0, -1), { ...latest, done: live.done }] };
}
