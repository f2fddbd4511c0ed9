/** The memories in view: a page after another, newest first; asked for again when any is changed anywhere, and newer ones join. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { ErrorBody, Memory } from "../../protocol";
import { useHost, useStore } from "../../store/hooks";
import { bodyOf } from "../../ui/ErrorNote";
import { type Found, newestOf, withNewer, withOlder } from "./found";

const PAGE = 50;
/** The host gives no more at once. */
const LARGEST_PAGE = 100;
/** What joins at once is mostly a line or two. */
const NEWER = 20;
/** A search begins when nothing has been typed for so long. */
const TYPING_MS = 150;
/** While tasks work, newer ones are asked for so often. */
const NEWER_EVERY_MS = 500;
const NOTHING: Found = { memories: [], next: null };

export interface Filter {
  search: string;
  task: string;
  workspace: string;
  /** Only facts and preferences that were put down. */
  onlyKept: boolean;
  /** The best first, by words and by meaning, where something is searched for. */
  best: boolean;
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

export function useMemories({ search, task, workspace, onlyKept, best: wantsBest }: Filter): Memories {
  const { client, store } = useHost();
  const best = wantsBest && search.trim() !== "";
  const online = useStore((state) => state.link.is === "online");
  const changed = useStore((state) => state.memoriesChanged);
  const [found, setFound] = useState<Found>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ErrorBody>();
  /** Counts how often all was asked for; an answer to what was asked before that is not wanted any more. */
  const asked = useRef(0);
  /** What is known, also before it is drawn. */
  const known = useRef<Found>(undefined);
  /** Ends when all that was asked for last is there. */
  const whole = useRef<Promise<unknown>>(undefined);

  /** Those before `next`, as many as `isEnough` wants, however many pages that takes. */
  const pages = useCallback(
    async (limit: number, next: number | null, isEnough: (there: Found) => boolean): Promise<Found> => {
      let there: Found = { memories: [], next };
      do {
        const of = { search: search || null, task: task || null, workspace: workspace || null };
        const query = { ...of, only_kept: onlyKept, best };
        const before = there.next;
        const page = await client.query({ query: "memories", ...query, before, limit }, "memories");
        there = { memories: [...there.memories, ...page.memories], next: page.next };
      } while (there.next !== null && !isEnough(there));
      return there;
    },
    [client, search, task, workspace, onlyKept, best],
  );
  /** Takes up an answer, unless all was asked for again meanwhile. */
  const take = useCallback(async (answer: Promise<Found>, join: (there: Found, answer: Found) => Found) => {
    const turn = asked.current;
    try {
      const got = await answer;
      if (turn !== asked.current) return false;
      known.current = join(known.current ?? NOTHING, got);
      setFound(known.current);
      setError(undefined);
    } catch (failure) {
      if (turn === asked.current) setError(bodyOf(failure));
    }
    return turn === asked.current;
  }, []);
  const reload = useCallback(async (): Promise<void> => {
    asked.current += 1;
    setBusy(true);
    const wanted = Math.max(PAGE, known.current?.memories.length ?? 0);
    const all = pages(Math.min(wanted, LARGEST_PAGE), null, (there) => there.memories.length >= wanted);
    // Where it was asked for once more meanwhile, it is there when that answer is.
    const done = take(all, (_, answer) => answer).then((isLast) => (isLast ? setBusy(false) : whole.current));
    whole.current = done;
    await done;
  }, [pages, take]);
  // What is in view stays there until the new answer takes its place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change anywhere may be one of these
  useEffect(() => {
    if (!online) return;
    const timer = setTimeout(() => void reload(), asked.current === 0 ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [online, reload, changed]);

  // Whatever happens in a task may be remembered, and only the host knows whether it was, and whether it fits.
  useEffect(() => {
    let { seq: heard } = store.get();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      // An answer that is under way may be older than what has just been heard.
      await whole.current;
      const newest = newestOf(known.current ?? NOTHING);
      // The best are in an order of their own, so that all of them are asked for again.
      if (newest === 0 || best) return reload();
      const newer = pages(NEWER, null, (there) => (there.next ?? 0) <= newest);
      await take(newer, (there, answer) => withNewer(there, answer.memories));
    };
    const stop = store.subscribe(() => {
      if (store.get().seq === heard || timer !== undefined) return;
      timer = setTimeout(() => {
        heard = store.get().seq;
        void ask().finally(() => {
          timer = undefined;
        });
      }, NEWER_EVERY_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [store, pages, take, reload, best]);
  const next = found?.next ?? null;
  const hasMore = next !== null;
  const more = useCallback(() => {
    if (next === null || busy) return;
    setBusy(true);
    const older = pages(PAGE, next, (there) => there.memories.length >= PAGE);
    void take(older, withOlder).then((done) => done && setBusy(false));
  }, [pages, take, next, busy]);
  return { memories: found?.memories, hasMore, busy, error, more, reload };
}
