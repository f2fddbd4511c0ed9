/** The jobs of the home: asked for when one begins or ends, told live while one is at work. */
import { useCallback, useEffect, useMemo, useState } from "react";
import type { ErrorBody, JobInfo, JobProgress } from "../../protocol";
import { useHost, useStore } from "../../store/hooks";
import { bodyOf } from "../../ui/ErrorNote";

/** What is told live may be lost, so a job at work is asked about now and then as well. */
const BUSY_MS = 2_000;

export interface JobList {
  jobs: readonly JobInfo[] | undefined;
  error: ErrorBody | undefined;
  look(): void;
}

/** `call` narrows it to the job that this call started; `watch` keeps asking although none is at work yet. */
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

/** How far the job got that takes this one back, since `busy`. */
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

/** What differs when a job begins or reaches its last step, and only then. */
export function turnsOf(working: ReadonlyMap<string, JobProgress>): string {
  return [...working.values()].map(({ job, done, steps }) => `${job} ${done === steps}`).join();
}

/** A job as the list has it, but no less far than was told live. */
export function ahead(job: JobInfo, working: ReadonlyMap<string, JobProgress>): JobInfo {
  const live = working.get(job.job);
  return job.state === "running" && live && live.done > job.done ? { ...job, done: live.done } : job;
}
