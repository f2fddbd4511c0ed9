/** A memory: its text, its source and its actions. */
import { Bot, FileText, Globe, type LucideIcon, Pencil, Terminal, Trash2, User, Wrench } from "lucide-react";
import { useState } from "react";
import { hrefOf } from "../../app/route";
import type { Memory, MemoryFound, MemoryOrigin } from "../../protocol";
import { date, percent, relative, t } from "../../text";
import { output, shortPath, visible } from "../../text/visible";
import { useNow } from "../../ui/clock";
import { Markdown } from "../../ui/Markdown";

const ICONS = {
  person: User,
  planner: Bot,
  tool: Wrench,
  command: Terminal,
  file: FileText,
  page: Globe,
} satisfies Record<MemoryOrigin, unknown>;
/** The journal of memories that were added without a task. */
export const NOTEBOOK = "notebook";
/** Longer texts are collapsed. */
const FOLDED_LINES = 4;
const FOLDED_CHARS = 320;

interface Props {
  memory: Memory;
  /** The text before it was edited here. */
  before: string | undefined;
  busy: boolean;
  mayChange: boolean;
  /** Whether a heading above names its task. */
  isGrouped: boolean;
  onEdit(): void;
  onForget(): void;
  onPromote(): void;
  onUndoEdit(): void;
  onOnlyTask: (() => void) | undefined;
}

export function MemoryRow({
  memory,
  before,
  busy,
  mayChange,
  isGrouped,
  onEdit,
  onForget,
  onPromote,
  onUndoEdit,
  onOnlyTask,
}: Props) {
  const now = useNow();
  const [open, setOpen] = useState(false);
  const text = output(memory.text);
  const { passage, found } = memory;
  // A model writes Markdown; what anyone else says stays as it was typed.
  const isMarked = memory.origin === "planner" && memory.role !== "tool";
  // Markdown shows neither an empty line nor the rule below a table's head as a line.
  const lines = text.split("\n").filter((line) => !isMarked || !/^[\s|:-]*$/.test(line));
  const isLong = text.length > FOLDED_CHARS || lines.length > FOLDED_LINES;
  const isByHand = memory.task === NOTEBOOK;
  const Icon = ICONS[memory.origin];
  const goal = visible(memory.goal.split("\n")[0] ?? "");
  return (
    <>
      <span className="memory-icon" data-role={memory.role}>
        <Icon className="ic" aria-hidden="true" />
      </span>
      <div className="grow memory-body">
        <p className="lbl">
          {t(saidBy(memory))}
          {memory.about !== null && `: ${visible(memory.about)}`} ·{" "}
          <time dateTime={new Date(memory.at_ms).toISOString()} title={date(memory.at_ms)}>
            {relative(Math.min(memory.at_ms, now), now)}
          </time>
          {memory.edited_at_ms !== null && ` · ${t("memory.edited")}`}
          {memory.promoted_at_ms !== null && ` · ${t("memory.promoted")}`}
          {memory.is_replaced && ` · ${t("memory.replaced")}`}
        </p>
        <div
          className="memory-text"
          data-mono={memory.role === "tool"}
          data-marked={isMarked}
          data-folded={isLong && !open}
        >
          {isMarked ? <Markdown text={memory.text} /> : text}
        </div>
        {isLong && (
          <button
            type="button"
            className="memory-more small"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {t(open ? "memory.less" : "memory.whole")}
          </button>
        )}
        {(passage || !isGrouped) && (
          <p className="muted small memory-from">
            {passage ? (
              <span className="mono">
                {t("memory.passage", { path: shortPath(passage.path), line: passage.line })}
              </span>
            ) : isByHand ? (
              t("memory.by_hand")
            ) : (
              <>
                <a href={hrefOf({ screen: "task", task: memory.task })} data-task>
                  {goal || t("memory.task")}
                </a>{" "}
                · <span className="mono">{shortPath(memory.workspace)}</span>
              </>
            )}
            {onOnlyTask && !isByHand && (
              <>
                {" · "}
                <button type="button" className="memory-more" onClick={onOnlyTask}>
                  {t("memory.only")}
                </button>
              </>
            )}
          </p>
        )}
        {found && <p className="muted small">{why(found)}</p>}
        {mayChange && !passage && memory.origin !== "person" && memory.promoted_at_ms === null && (
          <button type="button" className="memory-more small" disabled={busy} onClick={onPromote}>
            {t("memory.promote")}
          </button>
        )}
        {before !== undefined && (
          <p className="row wrap small memory-note" role="status">
            {t("memory.edited.done")}
            <button type="button" className="btn" disabled={busy} onClick={onUndoEdit}>
              {t("memory.undo")}
            </button>
          </p>
        )}
      </div>
      {mayChange && !passage && (
        <div className="row memory-buttons">
          <Act icon={Pencil} words={t("memory.edit")} on={text} busy={busy} onPress={onEdit} />
          <Act icon={Trash2} words={t("memory.forget")} on={text} busy={busy} onPress={onForget} />
        </div>
      )}
    </>
  );
}

/** Describes how well a memory matches and why it was found. */
function why({ score, by_words, similarity }: MemoryFound): string {
  const fits = t("memory.score", { score: percent(score) });
  const words = by_words ? [t("memory.why.words")] : [];
  const meaning = similarity === null ? [] : [t("memory.why.meaning", { near: percent(similarity) })];
  return [fits, ...words, ...meaning].join(" · ");
}

/** Returns the message key for the author of a memory. */
function saidBy({ origin, kind }: Memory) {
  if (kind === "said") return `memory.said.${origin}` as const;
  if (origin !== "person") return "memory.kept.planner";
  return kind === "preference" ? "memory.prefers" : "memory.kept.person";
}

interface ActProps {
  icon: LucideIcon;
  words: string;
  /** The text of the memory. Its beginning tells screen reader users which memory the button belongs to. */
  on: string;
  busy: boolean;
  onPress(): void;
}

function Act({ icon: Icon, words, on, busy, onPress }: ActProps) {
  return (
    <button
      type="button"
      className="btn ghost icon"
      disabled={busy}
      onClick={onPress}
      title={words}
      aria-label={`${words}: ${on.slice(0, 60)}`}
    >
      <Icon className="ic" aria-hidden="true" />
    </button>
  );
}
