/** A task in the list. */
import { memo } from "react";
import { hrefOf } from "../../app/route";
import type { TaskSummary } from "../../protocol";
import { relative, t, tn } from "../../text";
import { baseName, visible } from "../../text/visible";
import { useNow } from "../../ui/clock";
import { StatePill, stateWords } from "../../ui/StatePill";
import { QueueButtons } from "./QueueButtons";
import type { Way } from "./queue";

interface Props {
  task: TaskSummary;
  title: string;
  /** The number of earlier tasks in its conversation. */
  earlier: number;
  /** The number of tasks before it in the queue, if it is queued. */
  before: number | undefined;
  chosen: boolean;
  /** Whether it is the last in the queue. */
  last: boolean;
  /** The number of levels below the task that the user started. */
  depth: number;
  /** The text in it that matches the search. */
  said: string | undefined;
  /** Moves it in the queue, if this client may do that. */
  onMove: ((task: string, way: Way) => void) | undefined;
}

export const TaskRow = memo(function TaskRow(props: Props) {
  const { task, title, earlier, before, chosen, last, depth, said, onMove } = props;
  const now = useNow();
  const ended = task.state.state === "stopped";
  const row = (
    <a
      className="task-row"
      data-depth={depth || undefined}
      href={hrefOf({ screen: "task", task: task.id })}
      aria-current={chosen || undefined}
    >
      <span className="row">
        <span className="task-goal grow">{title}</span>
        <time className="faint" dateTime={new Date(task.updated_at_ms).toISOString()}>
          {relative(task.updated_at_ms, now)}
        </time>
      </span>
      <span className="row task-under">
        {!ended && <StatePill state={task.state} />}
        <span className="faint small clip" title={visible(task.workspace)}>
          {ended && `${stateWords(task.state)} · `}
          {before !== undefined && `${before === 0 ? t("tasks.next") : tn("tasks.before", before)} · `}
          {!ended && task.todo
            ? t("todo.progress", { done: task.todo.done, total: task.todo.total })
            : baseName(task.workspace)}
          {earlier > 0 && ` · ${tn("thread.follow_ups", earlier)}`}
        </span>
      </span>
      {said !== undefined && (
        <span className="faint small clip task-said" title={said}>
          {said}
        </span>
      )}
    </a>
  );
  if (before === undefined || !onMove) return row;
  return (
    <div className="task-queued">
      {row}
      <QueueButtons
        goal={title}
        can={(way) => (way === "later" ? !last : before > 0)}
        onMove={(way) => onMove(task.id, way)}
      />
    </div>
  );
});
