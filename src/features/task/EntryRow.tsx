/** A row of the timeline. */
import {
  Brain,
  Check,
  CirclePause,
  CirclePlay,
  CircleStop,
  FoldVertical,
  Globe,
  ListChecks,
  ListOrdered,
  OctagonX,
  Plug,
  Redo2,
  RotateCcw,
  ScrollText,
  Sparkles,
  SquareTerminal,
  TriangleAlert,
  Undo2,
} from "lucide-react";
import { memo, type ReactNode, useEffect } from "react";
import type { RefusedAttempt } from "../../protocol";
import { useHost } from "../../store/hooks";
import type { Entry } from "../../store/journal";
import { clock, clockOrDate, englishOf, hostText, t, tn } from "../../text";
import { goalWords, shortPath, visible } from "../../text/visible";
import { HostText } from "../../ui/HostText";
import { Markdown } from "../../ui/Markdown";
import { endWords, isDone } from "../../ui/StatePill";
import { QuestionCard } from "../request/QuestionCard";
import { CallRow } from "./CallRow";
import { EndReport } from "./EndReport";
import { NeedsModel } from "./NeedsModel";

/** The number of sandbox refusals that are listed. */
const REFUSED = 5;
/** A wait for a provider from which it is said that it is long. */
const LONG_WAIT_MS = 3_600_000;

interface Props {
  entry: Entry;
  /** The streamed output of a call. */
  live: string | undefined;
  /** The planner's reason for a call that waits. */
  why: string | undefined;
  unfolded: boolean;
  /** Whether it begins another task of the same conversation. */
  follows: boolean;
  /** Whether it is the last entry. */
  isLast: boolean;
  /** Whether a task of the organizer profile ended without a plan. */
  noPlan: boolean;
  /** Whether the task that ends here is an earlier one with changes to undo. */
  canUndo: boolean;
  /** Whether the task that ends here is an earlier one whose undo can be redone. */
  canRedo: boolean;
  onToggle(key: string): void;
  onUndo(call: string): void;
  onUndoTask(task: string): void;
  onRedoTask(task: string): void;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: an arm for each kind of entry
export const EntryRow = memo(function EntryRow(props: Props) {
  const {
    entry,
    live,
    why,
    unfolded,
    follows,
    isLast,
    noPlan,
    canUndo,
    canRedo,
    onToggle,
    onUndo,
    onUndoTask,
    onRedoTask,
  } = props;
  useWhole(entry, unfolded);
  switch (entry.is) {
    case "call":
      return (
        <CallRow
          entry={entry}
          live={live}
          why={why}
          unfolded={unfolded}
          onToggle={() => onToggle(entry.key)}
          onUndo={() => onUndo(entry.id)}
        />
      );
    case "thought":
      return (
        <div className="entry entry-text">
          <Markdown text={entry.text} />
        </div>
      );
    case "goal":
    case "steer":
      return (
        <div className="entry entry-said" data-follows={follows}>
          <p className="lbl">
            {t(entry.is === "goal" ? "entry.goal" : "entry.steer")} · {clock(entry.at)}
          </p>
          <p className="said">{goalWords(entry.text)}</p>
        </div>
      );
    case "question":
      return <QuestionCard question={entry.question} answer={entry.answer} failure={entry.failure} />;
    case "paused":
      return (
        <Note icon={<CirclePause className="ic" />} at={entry.at}>
          {entry.reason !== "by_user" && `${t(`state.${entry.reason}`)}. `}
          {entry.message ? <HostText text={entry.message} /> : t(`state.${entry.reason}`)}
        </Note>
      );
    case "notice":
      return (
        <Note icon={<TriangleAlert className="ic warn" />} at={entry.at}>
          <HostText text={entry.message} />
        </Note>
      );
    case "resumed":
      return (
        <Note icon={<CirclePlay className="ic" />} at={entry.at}>
          {t("entry.resumed")}
        </Note>
      );
    case "interrupted":
      return (
        <Note icon={<Plug className="ic" />} at={entry.at}>
          {t("entry.interrupted")}
        </Note>
      );
    case "queue_moved":
      return (
        <Note icon={<ListOrdered className="ic" />} at={entry.at}>
          {t("entry.queue_moved")}
        </Note>
      );
    case "stop_requested":
      return (
        <Note icon={<CircleStop className="ic" />} at={entry.at}>
          {t("entry.stop_requested")}
        </Note>
      );
    case "remembered":
      return (
        <Note icon={<Brain className="ic" />} at={entry.at}>
          {t("entry.remembered", { text: visible(entry.text) })}
        </Note>
      );
    case "todo":
      return (
        <div className="entry entry-todo">
          <span className="entry-icon" aria-hidden="true">
            <ListChecks className="ic" />
          </span>
          <h3 className="grow">
            {entry.title === undefined
              ? t("entry.todo.done", { done: entry.number, total: entry.total })
              : t("entry.todo", { number: entry.number, total: entry.total, title: visible(entry.title) })}
          </h3>
          <time className="faint small">{clock(entry.at)}</time>
        </div>
      );
    case "model_switched":
      return (
        <Note icon={<Sparkles className="ic" />} at={entry.at}>
          {t("entry.model_switched", { model: visible(entry.model ?? entry.backend) })}
        </Note>
      );
    case "browser_taken":
    case "browser_returned":
      return (
        <Note icon={<Globe className="ic" />} at={entry.at}>
          {t(`entry.${entry.is}`)}
          {entry.url && <span className="mono"> {visible(entry.url)}</span>}
        </Note>
      );
    case "guided":
      return (
        <Note icon={<ScrollText className="ic" />} at={entry.at}>
          {t("entry.guided")} <span className="mono">{entry.paths.map(shortPath).join(", ")}</span>
        </Note>
      );
    case "compacted":
      return (
        <Note icon={<FoldVertical className="ic" />} at={entry.at}>
          <details>
            <summary>{t("entry.compacted", { step: entry.step })}</summary>
            <span className="pre-wrap">{visible(entry.text)}</span>
          </details>
        </Note>
      );
    case "memory_edited":
    case "memory_forgotten":
    case "memory_restored":
    case "memory_promoted":
      return (
        <Note icon={<Brain className="ic" />} at={entry.at}>
          {t(`entry.${entry.is}`)}
        </Note>
      );
    case "plan_failed":
      return (
        <Note icon={<TriangleAlert className="ic warn" />} at={entry.at}>
          <details>
            <summary>
              {t("entry.plan_failed", { attempt: entry.attempt })}. {onwardWords(entry)}
            </summary>
            <HostText text={entry.message} />
          </details>
        </Note>
      );
    case "background":
      return (
        <Note icon={<SquareTerminal className="ic" />} at={entry.at}>
          {entry.why === undefined ? (
            <>
              {t("entry.background_started", { name: entry.name })}{" "}
              <span className="mono">{visible(entry.command)}</span>
            </>
          ) : (
            <>
              {t("entry.background_ended", { name: entry.name })} {t(`background.${entry.why}`)}{" "}
              {(entry.why === "exited" || entry.why === "time_limit") && <HostText text={entry.message} />}
              <Refused attempts={entry.refused ?? []} />
            </>
          )}
        </Note>
      );
    case "undone":
    case "redone": {
      const [words, not] =
        entry.is === "undone"
          ? (["entry.undone", "entry.not_undone"] as const)
          : (["entry.redone", "entry.not_redone"] as const);
      return (
        <Note icon={<RotateCcw className="ic" />} at={entry.at}>
          {tn(words, entry.count)}
          {entry.kept > 0 && `, ${tn(not, entry.kept)}`}
        </Note>
      );
    }
    case "end":
      return (
        <div className="entry entry-end" data-reason={entry.reason}>
          <p className="row end-head">
            {isDone(entry.reason) ? (
              <Check className="ic" aria-hidden="true" />
            ) : (
              <OctagonX className="ic" aria-hidden="true" />
            )}
            <span className="grow">{endWords(entry)}</span>
            <time className="faint small">{clock(entry.at)}</time>
          </p>
          {/* If the task did not complete, the text may be the host's or the planner's. */}
          <Markdown
            text={entry.reason === "completed" ? englishOf(entry.summary) : hostText(entry.summary)}
          />
          {noPlan && isDone(entry.reason) && <p className="muted">{t("task.no_plan")}</p>}
          {entry.report && <EndReport report={entry.report} task={entry.task} />}
          {isLast && entry.reason === "needs_model" && <NeedsModel task={entry.task} />}
          {(canUndo || canRedo) && (
            <button
              type="button"
              className="btn end-undo"
              onClick={() => (canUndo ? onUndoTask : onRedoTask)(entry.task)}
            >
              {canUndo ? (
                <Undo2 className="ic" aria-hidden="true" />
              ) : (
                <Redo2 className="ic" aria-hidden="true" />
              )}
              {t(canUndo ? "thread.undo" : "thread.redo")}
            </button>
          )}
        </div>
      );
  }
});

/** Loads the full text of an entry. Live events contain long texts only in part. */
function useWhole(entry: Entry, unfolded: boolean) {
  const { client } = useHost();
  const cut = "cut" in entry && (entry.is !== "call" || unfolded) ? entry.cut : undefined;
  useEffect(() => {
    // If that fails, the truncated text stays, and says that it is truncated.
    for (const seq of cut ?? []) client.whole(seq).catch(() => {});
  }, [client, cut]);
}

/** Returns what happens after the model did not answer. */
function onwardWords({ at, next, retries, wait }: Extract<Entry, { is: "plan_failed" }>): string | false {
  if (next) return t("entry.next_backend", { backend: visible(next) });
  if (!wait) return retries && t("entry.retries");
  const isLong = wait.until_ms - at > LONG_WAIT_MS;
  return t(isLong ? "entry.waits_long" : "entry.waits", {
    time: clockOrDate(wait.until_ms),
    backend: visible(wait.backend),
  });
}

function Note({ icon, at, children }: { icon: ReactNode; at: number; children: ReactNode }) {
  return (
    <div className="entry entry-note">
      <span className="entry-icon" aria-hidden="true">
        {icon}
      </span>
      <p className="muted grow">{children}</p>
      <time className="faint small">{clock(at)}</time>
    </div>
  );
}

/** What the sandbox refused while a background command ran. */
function Refused({ attempts }: { attempts: readonly RefusedAttempt[] }) {
  if (attempts.length === 0) return null;
  return (
    <ul className="refused small">
      {attempts.slice(0, REFUSED).map((attempt) => (
        <li key={`${attempt.operation} ${attempt.path}`}>
          {t(`refused.${attempt.operation}`, { path: visible(attempt.path) })} (
          <HostText text={attempt.why} />)
        </li>
      ))}
      {attempts.length > REFUSED && <li>{tn("refused.more", attempts.length - REFUSED)}</li>}
    </ul>
  );
}
