/**
 * Whether a request is known to be the same as the host has it now. After a break it is read again, and until that is
 * done no answer can be given: a yes is for what the host asks, not for what was on the screen before.
 */
import { useEffect, useState } from "react";
import type { PermissionRequest } from "../../../src/protocol";
import { useHost, useStore } from "../../../src/store/hooks";

export type Reading = "current" | "reading" | "away" | "changed";

export function useReadAgain({ id, digest }: PermissionRequest): Reading {
  const { client } = useHost();
  const link = useStore((state) => state.link.is);
  // A host that was connected when the card appeared had just sent it.
  const [reading, setReading] = useState<Reading>(link === "online" ? "current" : "away");
  const isOnline = link === "online";
  useEffect(() => {
    if (!isOnline) {
      setReading("away");
      return;
    }
    let isOver = false;
    setReading((before) => (before === "away" ? "reading" : before));
    client.query({ query: "state" }, "state").then(
      ({ snapshot: { state } }) => {
        if (isOver) return;
        const known = state.agent === "active" ? state.requests.find((each) => each.id === id) : undefined;
        // One that is no longer open is shown as answered by its event.
        setReading(known && known.digest !== digest ? "changed" : "current");
      },
      // The line broke again; the next one reads it.
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [client, isOnline, id, digest]);
  return isOnline ? reading : "away";
}
