/** The jobs of the home: asked again while one is at work. */
import { useCallback, useEffect, useState } from "react";
import type { ErrorBody, JobInfo } from "../../protocol";
import { useHost, useStore } from "../../store/hooks";
import { bodyOf } from "../../ui/ErrorNote";

export const BUSY_MS = 500;

export interface JobList {
  jobs: readonly JobInfo[] | undefined;
  error: ErrorBody | undefined;
  look(): void;
}

/** `call` narrows it to the job that this call started; `watch` keeps asking although none is at work yet. */
export function useJobs(call: string | null, watch: boolean): JobList {
  const { client } = useHost();
  const online = useStore((state) => state.link.is === "online");
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
  useEffect(() => {
    if (!online) return;
    look();
    if (!busy) return;
    const timer = setInterval(look, BUSY_MS);
    return () => clearInterval(timer);
  }, [online, busy, look]);
  return { jobs, error, look };
}
