/** A conversation as a single timeline: the earlier tasks, then the open task. */
import { useEffect, useMemo, useRef, useState } from "react";
import type { TaskSummary } from "../../protocol";
import { useHost, useStore } from "../../store/hooks";
import { type Journal, shownOf } from "../../store/journal";
import { canRedo, changesLeft } from "./outcome";

/** The number of earlier tasks that are shown at first. */
const SHOWN = 4;

export interface Thread {
  /** The timeline of the whole conversation. Its figures are those of the open task. */
  journal: Journal | undefined;
  /** Whether everything that is shown is loaded. */
  isWhole: boolean;
  /** Earlier tasks whose changes can still be undone. */
  undoable: ReadonlySet<string>;
  /** Earlier tasks whose last undo can be redone. */
  redoable: ReadonlySet<string>;
  /** The number of earlier tasks that are not shown yet. */
  hidden: number;
  showAll(): void;
}

/** Puts the timelines of the earlier tasks above that of the open task. */
export function useThread(
  before: readonly TaskSummary[],
  own: Journal | undefined,
  isOwnWhole: boolean,
): Thread {
  const { client } = useHost();
  const online = useStore((state) => state.link.is === "online");
  const journals = useStore((state) => state.journals);
  const [all, setAll] = useState(false);
  const shown = all ? before : before.slice(-SHOWN);
  const ids = shown.map(({ id }) => id).join(" ");
  useEffect(() => {
    if (!online || ids === "") return;
    // A task that fails to load is left out. The next connection retries.
    for (const id of ids.split(" ")) client.open(id).catch(() => {});
  }, [client, online, ids]);
  const earlier = useSame(
    shown.flatMap(({ id }) => {
      const known = journals.get(id);
      const story = known && shownOf(known);
      return story ? [story] : [];
    }),
  );
  const isWhole = isOwnWhole && shown.every(({ id }) => journals.get(id)?.status === "ready");
  const journal = useMemo(() => joined(earlier, own), [earlier, own]);
  const undoable = useMemo(
    () => new Set(earlier.filter((story) => changesLeft(story) > 0).map(({ task }) => task)),
    [earlier],
  );
  const redoable = useMemo(() => new Set(earlier.filter(canRedo).map(({ task }) => task)), [earlier]);
  const hidden = before.length - shown.length;
  return { journal, isWhole, undoable, redoable, hidden, showAll: () => setAll(true) };
}

function joined(earlier: readonly Journal[], own: Journal | undefined): Journal | undefined {
  if (!own || earlier.length === 0) return own;
  return { ...own, entries: [...earlier.flatMap(({ entries }) => entries), ...own.entries] };
}

/** Returns the same list object as long as its items are the same. */
function useSame<T>(list: readonly T[]): readonly T[] {
  const last = useRef(list);
  const is = last.current;
  if (is.length !== list.length || is.some((each, at) => each !== list[at])) last.current = list;
  return last.current;
}
