/** The task's story. Only the rows in view exist; it stays at the newest one as long as the reader does. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { hrefOf } from "../../app/route";
import { useShortcuts } from "../../app/shortcuts";
import type { TaskSummary } from "../../protocol";
import { useStore } from "../../store/hooks";
import { type Entry, type Journal, openRequest } from "../../store/journal";
import type { AppState } from "../../store/state";
import { t, tn } from "../../text";
import { isAtWork } from "../../ui/StatePill";
import { EntryRow } from "./EntryRow";
import { FollowBar } from "./FollowBar";
import { reasonBefore } from "./reason";
import { Streaming } from "./Streaming";

/** Nearer than this to the end counts as being there. */
const AT_END_PX = 80;

/** Air above a card that fills the view. */
const CARD_MARGIN_PX = 12;

interface Props {
  journal: Journal;
  /** Whether its beginning is here too. */
  isWhole: boolean;
  summary: TaskSummary;
  onUndo(call: string): void;
  /** What it is part of; without it the story is that of one task. */
  of?: Conversation;
}

interface Conversation {
  /** Earlier tasks that are not shown yet. */
  hidden: number;
  onShowAll(): void;
  /** Earlier tasks whose changes can still be undone. */
  undoable: ReadonlySet<string>;
  /** Earlier tasks whose last undo can be made again. */
  redoable: ReadonlySet<string>;
  /** The task whose beginning is shown first, where that is not the newest one. */
  begin: string | undefined;
  onUndoTask(task: string): void;
  onRedoTask(task: string): void;
}

const ALONE: Conversation = {
  hidden: 0,
  onShowAll: () => {},
  undoable: new Set(),
  redoable: new Set(),
  begin: undefined,
  onUndoTask: () => {},
  onRedoTask: () => {},
};

/** The profile for tidying folders. */
const ORGANIZER = "organizer";

/** Whether an entry submitted a plan or changed files. */
function hasPlanned(entry: Entry): boolean {
  return entry.is === "call" && (Boolean(entry.request?.details.plan) || entry.keptFiles > 0);
}

export function Timeline({ journal, isWhole, summary, onUndo, of = ALONE }: Props) {
  const { hidden, onShowAll, undoable, redoable, begin, onUndoTask, onRedoTask } = of;
  const scroller = useRef<HTMLElement>(null);
  const [following, setFollowing] = useState(begin === undefined);
  /** Where this page has scrolled to by itself. */
  const placed = useRef(0);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const { entries, stream } = journal;
  // A plan whose calls are still to be worked off is not being thought about.
  const working = summary.state.state === "running" && (stream !== "" || !hasCallsToDo(journal));
  const inLine = useStore((all) => isInLine(summary, all));
  const waits = useStore((all) => waitsFor(summary.id, all));
  const noPlan = summary.profile === ORGANIZER && !entries.some(hasPlanned);
  // The last row is what is being thought right now, or why nothing is.
  const count = entries.length + (working || inLine ? 1 : 0);
  const list = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => 58,
    getItemKey: (index) => entries[index]?.key ?? "stream",
    overscan: 12,
    paddingStart: 20,
    paddingEnd: 20,
  });
  const height = list.getTotalSize();

  // What comes in above a reader who has scrolled does not push away what is being read.
  const earlier = useRef({ isWhole, height });
  useLayoutEffect(() => {
    const { current: before } = earlier;
    if (!before.isWhole && isWhole && !following && scroller.current) {
      scroller.current.scrollTop += height - before.height;
    }
    earlier.current = { isWhole, height };
  }, [isWhole, height, following]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever makes it longer moves it on
  useLayoutEffect(() => {
    if (!following || !scroller.current) return;
    toNewest(scroller.current);
    placed.current = scroller.current.scrollTop;
  }, [following, height, count, stream]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = () => {
      // Only what a person does ends the following.
      if (Math.abs(element.scrollTop - placed.current) < 2) return;
      const { scrollHeight, scrollTop, clientHeight } = element;
      setFollowing(scrollHeight - scrollTop - clientHeight < AT_END_PX);
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, []);
  // Who came by an earlier task's link finds that task.
  const begun = useRef(false);
  useEffect(() => {
    if (begin === undefined || begun.current || !isWhole) return;
    begun.current = true;
    const end = entries.findIndex((entry) => entry.is === "end" && entry.task === begin);
    const start = entries.slice(0, Math.max(end, 0)).findLastIndex((entry) => entry.is === "goal");
    list.scrollToIndex(Math.max(start, 0), { align: "start" });
  }, [begin, isWhole, entries, list]);
  useShortcuts({ follow: () => setFollowing(!following) });
  const toggle = useCallback((key: string) => {
    // What a person opens is what they read: it stays in view.
    setFollowing(false);
    setUnfolded((old) => {
      const next = new Set(old);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }, []);

  return (
    <>
      <div className="timeline-box">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <section className="timeline scroll" ref={scroller} aria-label={t("task.timeline")} tabIndex={0}>
          {!isWhole && (
            <p className="timeline-earlier faint small" role="status">
              {t("task.earlier")}
            </p>
          )}
          {hidden > 0 && (
            <p className="timeline-hidden">
              <button type="button" className="btn ghost" onClick={onShowAll}>
                {tn("thread.earlier", hidden)}
              </button>
            </p>
          )}
          <ol style={{ blockSize: height, position: "relative" }}>
            {list.getVirtualItems().map((item) => {
              const entry = entries[item.index];
              return (
                <li
                  key={item.key}
                  ref={list.measureElement}
                  data-index={item.index}
                  aria-setsize={count}
                  aria-posinset={item.index + 1}
                  style={placeOfRow(entry, item.start)}
                >
                  {entry ? (
                    <EntryRow
                      entry={entry}
                      live={entry.is === "call" ? journal.outputs.get(entry.id) : undefined}
                      why={
                        entry.is === "call" && entry.phase === "waiting"
                          ? reasonAbove(journal, item.index)
                          : undefined
                      }
                      unfolded={unfolded.has(entry.key)}
                      isLast={item.index === entries.length - 1}
                      noPlan={entry.is === "end" && noPlan}
                      follows={entry.is === "goal" && item.index > 0}
                      canUndo={entry.is === "end" && undoable.has(entry.task)}
                      canRedo={entry.is === "end" && redoable.has(entry.task)}
                      onToggle={toggle}
                      onUndo={onUndo}
                      onUndoTask={onUndoTask}
                      onRedoTask={onRedoTask}
                    />
                  ) : inLine ? (
                    <InLine />
                  ) : (
                    <Streaming text={stream} />
                  )}
                </li>
              );
            })}
          </ol>
        </section>
        {!following && (
          <button
            type="button"
            className="btn to-newest"
            data-waits={waits}
            onClick={() => setFollowing(true)}
          >
            <ArrowDown className="ic" aria-hidden="true" />
            {t(waits ? "task.waiting_below" : "task.latest")}
          </button>
        )}
      </div>
      {isAtWork(summary.state) && (
        <FollowBar
          journal={journal}
          workspace={summary.workspace}
          following={following}
          onFollow={setFollowing}
        />
      )}
    </>
  );
}

/** Whether a request or a question of the task waits for a person. */
export function waitsFor(task: string, open: Pick<AppState, "requests" | "questions">): boolean {
  return [...open.requests.values(), ...open.questions.values()].some((each) => each.task === task);
}

/** Where a row stands. A card's buttons stick to the window's end, and what sticks does not heed a transform above it. */
function placeOfRow(entry: Entry | undefined, start: number) {
  const isCard = entry?.is === "call" && openRequest(entry) !== undefined;
  return isCard ? { insetBlockStart: `${start}px` } : { transform: `translateY(${start}px)` };
}

/** Whether the task has something to ask and no place in the inbox yet. */
function isInLine({ id, state }: TaskSummary, open: Pick<AppState, "requests" | "questions">): boolean {
  if (state.state !== "paused") return false;
  return (state.reason === "permission" || state.reason === "question") && !waitsFor(id, open);
}

function InLine() {
  return (
    <div className="entry entry-text">
      <p className="muted">
        {t("task.in_line")} <a href={hrefOf({ screen: "inbox" })}>{t("nav.inbox")}</a>
      </p>
    </div>
  );
}

/** Whether a call of the newest plan is under way or still to come. */
export function hasCallsToDo({ entries, iteration }: Journal): boolean {
  for (const entry of entries.toReversed()) {
    if (entry.is === "call" && entry.iteration === iteration && entry.phase !== "done") return true;
    if (entry.is === "thought" || entry.is === "goal") return false;
  }
  return false;
}

/** To the end; a request that is taller than the view is shown from its beginning, where its risk stands. */
function toNewest(view: HTMLElement) {
  view.scrollTop = view.scrollHeight;
  const cards = view.querySelectorAll(".entry-request");
  const card = cards.item(cards.length - 1);
  const hidden = card ? view.getBoundingClientRect().top - card.getBoundingClientRect().top : 0;
  if (hidden > 0) view.scrollTop -= hidden + CARD_MARGIN_PX;
}

/** The same, unless it stands right above the call. */
function reasonAbove(journal: Journal, place: number): string | undefined {
  return journal.entries[place - 1]?.is === "thought" ? undefined : reasonBefore(journal, place);
}
