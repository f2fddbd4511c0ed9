/**
 * The memories in view: paged, newest first. They are reloaded after any change to memories, and newer ones are
 * added.
 */
import { useCallback, useEffect, useRef, useState } from "react";
import type { ErrorBody, Memory } from "../../protocol";
import { useHost, useStore } from "../../store/hooks";
import { bodyOf } from "../../ui/ErrorNote";
import { type Found, newestOf, withNewer, withOlder } from "./found";

const PAGE = 50;
/** The host's maximum page size. */
const LARGEST_PAGE = 100;
/** The page size for newer memories, of which usually only one or two arrive at a time. */
const NEWER = 20;
/** A search begins after a pause in typing of this length. */
const TYPING_MS = 150;
/** How often the page asks for newer memories while tasks run. */
const NEWER_EVERY_MS = 500;
const NOTHING: Found = { memories: [], next: null };

export interface Filter {
  search: string;
  task: string;
  workspace: string;
  /** Only stored facts and preferences. */
  onlyKept: boolean;
  /** For a search, whether the best matches come first, by words and by meaning. */
  best: boolean;
}

export interface Memories {
  /** Absent until the first page has arrived. */
  memories: readonly Memory[] | undefined;
  /** Whether there are older ones. */
  hasMore: boolean;
  busy: boolean;
  error: ErrorBody | undefined;
  more(): void;
  /** Reloads the memories in view. */
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
  /** The number of full reloads. Answers to queries from before the last one are dropped. */
  const asked = useRef(0);
  /** The known memories, even before they are drawn. */
  const known = useRef<Found>(undefined);
  /** Resolves when the last full reload is complete. */
  const whole = useRef<Promise<unknown>>(undefined);

  /** Loads the pages before `next` until `isEnough` is true. */
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
  /** Merges an answer, unless a full reload has started since the query. */
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
    // If another reload has started meanwhile, waits for that one.
    const done = take(all, (_, answer) => answer).then((isLast) => (isLast ? setBusy(false) : whole.current));
    whole.current = done;
    await done;
  }, [pages, take]);
  // The memories in view stay until the new answer arrives.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change anywhere may be one of these
  useEffect(() => {
    if (!online) return;
    const timer = setTimeout(() => void reload(), asked.current === 0 ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [online, reload, changed]);

  // Any event of a task may be remembered. Only the host knows whether it was, and whether it matches.
  useEffect(() => {
    let { seq: heard } = store.get();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      // A pending answer may be older than the event.
      await whole.current;
      const newest = newestOf(known.current ?? NOTHING);
      // The best matches have their own order, so all of them are reloaded.
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
