/** A scan at the host. The page polls its state until it is done. */
import { useEffect, useState } from "react";
import type { ErrorBody, ScanStage } from "../../protocol";
import { useHost, useStore } from "../../store/hooks";
import { bodyOf } from "../../ui/ErrorNote";

const LOOK_MS = 300;

export function useScan(scan: string | null): { stage: ScanStage | undefined; error: ErrorBody | undefined } {
  const { client } = useHost();
  const online = useStore((state) => state.link.is === "online");
  const [found, setFound] = useState<{ scan: string; stage?: ScanStage; error?: ErrorBody }>();
  const mine = found?.scan === scan ? found : undefined;
  const done =
    mine?.error !== undefined || mine?.stage?.stage === "drafted" || mine?.stage?.stage === "failed";
  useEffect(() => {
    if (!scan || done || !online) return;
    let gone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      client
        .query({ query: "scan", scan }, "scan")
        .then(({ stage }) => {
          if (gone) return;
          setFound({ scan, stage });
          timer = setTimeout(look, LOOK_MS);
        })
        .catch((failure: unknown) => !gone && setFound({ scan, error: bodyOf(failure) }));
    };
    look();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [client, scan, done, online]);
  return { stage: mine?.stage, error: mine?.error };
}
