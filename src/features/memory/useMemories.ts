/** The memories in view: a page after another, newest first, asked for again when any of them is changed anywhere. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { ErrorBody, Memory } from "../../protocol";
import { useHost, useStore } from "../../store/hooks";
import { bodyOf } from "../../ui/ErrorNote";

const PAGE = 50;
/** The host gives no more at once. */
const LARGEST_PAGE = 100;
/** A search begins when nothing has been typed for so long. */
const TYPING_MS = 150;

export interface Filter {
  search: string;
  task: string;
  workspace: string;
}

export interface Memories {
  /** Absent until the first page is there. */
  memories: readonly Memory[] | undefined;
  /** Whether there are older ones. */
  hasMore: boolean;
  busy: boolean;
  error: ErrorBody | undefined;
  more(): void;
  /** Asks again for what is in view. */
  reload(): Promise<void>;
}

interface Found {
  memories: readonly Memory[];
  next: number | null;
}

export function useMemories({ search, task, workspace }: Filter): Memories {
  const { client } = useHost();
  const online = useStore((state) => state.link.is === "online");
  const changed = useStore((state) => state.memoriesChanged);
  const [found, setFound] = useState<Found>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ErrorBody>();
  /** Counts what was asked; an answer to anything but the last is not wanted any more. */
  const asked = useRef(0);
  const shown = useRef(0);
  shown.current = found?.memories.length ?? 0;

  /** Asks for `wanted` memories after those that are there, however many pages that takes. */
  const ask = useCallback(
    async (wanted: number, there: Found | undefined) => {
      asked.current += 1;
      const turn = asked.current;
      setBusy(true);
      try {
        let memories = there?.memories ?? [];
        let next = there?.next ?? null;
        const enough = memories.length + wanted;
        do {
          const limit = Math.min(enough - memories.length, LARGEST_PAGE);
          const query = { search: search || null, task: task || null, workspace: workspace || null };
          const page = await client.query({ query: "memories", ...query, before: next, limit }, "memories");
          if (turn !== asked.current) return;
          memories = [...memories, ...page.memories];
          next = page.next;
        } while (next !== null && memories.length < enough);
        setFound({ memories, next });
        setError(undefined);
      } catch (failure) {
        if (turn === asked.current) setError(bodyOf(failure));
      }
      if (turn === asked.current) setBusy(false);
    },
    [client, search, task, workspace],
  );
  const reload = useCallback(() => ask(Math.max(PAGE, shown.current), undefined), [ask]);
  // What is in view stays there until the new answer takes its place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change anywhere may be one of these
  useEffect(() => {
    if (!online) return;
    const timer = setTimeout(() => void reload(), asked.current === 0 ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [online, reload, changed]);

  const hasMore = found !== undefined && found.next !== null;
  const more = useCallback(() => {
    if (hasMore && !busy) void ask(PAGE, found);
  }, [ask, found, hasMore, busy]);
  return { memories: found?.memories, hasMore, busy, error, more, reload };
}
