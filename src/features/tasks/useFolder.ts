/** A folder field: shows the home as `~`, completes paths with the host, and resolves the real path on demand. */
import { useEffect, useState } from "react";
import type { FoldersAnswer } from "../../protocol";
import { useHost, useStore } from "../../store/hooks";

export interface TypedFolder {
  /** The text to show, with the home as `~`. */
  folder: string;
  /** Folders that complete the text, in the same form. */
  offered: readonly string[];
  short(path: string): string;
  /** Returns the absolute path of the typed text, as far as it can be resolved. */
  real(typed: string): Promise<string>;
}

export function useFolder(typed: string): TypedFolder {
  const { client } = useHost();
  const online = useStore((state) => state.link.is === "online");
  const [answer, setAnswer] = useState<FoldersAnswer>();
  useEffect(() => {
    if (!online) return;
    let gone = false;
    client
      .query({ query: "folders", path: typed || "~/" }, "folders")
      .then((found) => !gone && setAnswer(found))
      // Without completion, a path can still be typed.
      .catch(() => {});
    return () => {
      gone = true;
    };
  }, [client, online, typed]);
  const short = (path: string) => {
    const home = answer?.home;
    if (!home || (path !== home && !path.startsWith(`${home}/`))) return path;
    return `~${path.slice(home.length)}`;
  };
  return {
    folder: short(typed),
    offered: answer?.folders.map(short) ?? [],
    short,
    real: async (typed) => {
      const path = typed.trim();
      if (!/^~(?:\/|$)/.test(path)) return path;
      const found = await client.query({ query: "folders", path }, "folders");
      return found.home + path.slice(1);
    },
  };
}
