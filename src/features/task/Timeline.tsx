/**
 * The timeline of a task. Only the rows in view are rendered. The view follows the newest row while the user is at
 * the end.
 */
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

/** A distance to the end below this counts as being at the end. */
const AT_END_PX = 80;

/** The space above a card that fills the view. */
const CARD_MARGIN_PX = 12;

interface Props {
  journal: Journal;
  /** Whether the beginning is loaded too. */
  isWhole: boolean;
  summary: TaskSummary;
  onUndo(call: string): void;
  /** The conversation that contains the task. Without it, the timeline shows a single task. */
  of?: Conversation;
}

interface Conversation {
  /** The number of earlier tasks that are not shown yet. */
  hidden: number;
  onShowAll(): void;
  /** Earlier tasks whose changes can still be undone. */
  undoable: ReadonlySet<string>;
  /** Earlier tasks whose last undo can be redone. */
  redoable: ReadonlySet<string>;
  /** The task whose beginning is shown first, if it is not the newest. */
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

/** Returns whether an entry submitted a plan or changed files. */
function hasPlanned(entry: Entry): boolean {
  return entry.is === "call" && (Boolean(entry.request?.details.plan) || entry.keptFiles > 0);
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a screen's state and its markup
export function Timeline({ journal, isWhole, summary, onUndo, of = ALONE }: Props) {
  const { hidden, onShowAll, undoable, redoable, begin, onUndoTask, onRedoTask } = of;
  const scroller = useRef<HTMLElement>(null);
  const [following, setFollowing] = useState(begin === undefined);
  /** The position to which this page last scrolled. */
  const placed = useRef(0);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const { entries, stream } = journal;
  // While calls of a plan are pending, the planner is not thinking.
  const working = summary.state.state === "running" && (stream !== "" || !hasCallsToDo(journal));
  const inLine = useStore((all) => isInLine(summary, all));
  const waits = useStore((all) => waitsFor(summary.id, all));
  const noPlan = summary.profile === ORGANIZER && !entries.some(hasPlanned);
  // The last row shows the current thought, or why there is none.
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

  // Rows that are added above do not move what a user who has scrolled is reading.
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
      // Only scrolling by the user stops the following.
      if (Math.abs(element.scrollTop - placed.current) < 2) return;
      const { scrollHeight, scrollTop, clientHeight } = element;
      setFollowing(scrollHeight - scrollTop - clientHeight < AT_END_PX);
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, []);
  // A link to an earlier task scrolls to that task.
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
    // A row that the user opens stays in view.
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

/** Returns whether a request or a question of the task waits for an answer. */
export function waitsFor(task: string, open: Pick<AppState, "requests" | "questions">): boolean {
  return [...open.requests.values(), ...open.questions.values()].some((each) => each.task === task);
}

/** Returns the position of a row. A card has no transform, because its sticky buttons do not work inside one. */
function placeOfRow(entry: Entry | undefined, start: number) {
  const isCard = entry?.is === "call" && openRequest(entry) !== undefined;
  return isCard ? { insetBlockStart: `${start}px` } : { transform: `translateY(${start}px)` };
}

/** Returns whether the task waits to ask something that is not in the inbox yet. */
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

/** Returns whether a call of the newest plan is running or pending. */
export function hasCallsToDo({ entries, iteration }: Journal): boolean {
  for (const entry of entries.toReversed()) {
    if (entry.is === "call" && entry.iteration === iteration && entry.phase !== "done") return true;
    if (entry.is === "thought" || entry.is === "goal") return false;
  }
  return false;
}

/** Scrolls to the end. A request taller than the view is shown from its beginning, which has the risk. */
function toNewest(view: HTMLElement) {
  view.scrollTop = view.scrollHeight;
  const cards = view.querySelectorAll(".entry-request");
  const card = cards.item(cards.length - 1);
  const hidden = card ? view.getBoundingClientRect().top - card.getBoundingClientRect().top : 0;
  if (hidden > 0) view.scrollTop -= hidden + CARD_MARGIN_PX;
}

/** Returns the planner's reason for a call, unless it is directly above the call. */
function reasonAbove(journal: Journal, place: number): string | undefined {
  return journal.entries[place - 1]?.is === "thought" ? undefined : reasonBefore(journal, place);
}
