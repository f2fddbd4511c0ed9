/** One task in the list. */
import { memo } from "react";
import { hrefOf } from "../../app/route";
import type { TaskSummary } from "../../protocol";
import { relative, t, tn } from "../../text";
import { baseName, visible } from "../../text/visible";
import { useNow } from "../../ui/clock";
import { StatePill, stateWords } from "../../ui/StatePill";

interface Props {
  task: TaskSummary;
  /** How many are before it in the queue, where it is in it. */
  before: number | undefined;
  chosen: boolean;
}

export const TaskRow = memo(function TaskRow({ task, before, chosen }: Props) {
  const now = useNow();
  const ended = task.state.state === "stopped";
  return (
    <a
      className="task-row"
      href={hrefOf({ screen: "task", task: task.id })}
      aria-current={chosen || undefined}
    >
      <span className="row">
        <span className="task-goal grow">{visible(task.goal)}</span>
        <time className="faint" dateTime={new Date(task.updated_at_ms).toISOString()}>
          {relative(task.updated_at_ms, now)}
        </time>
      </span>
      <span className="row task-under">
        {!ended && <StatePill state={task.state} />}
        <span className="faint small clip" title={visible(task.workspace)}>
          {ended && `${stateWords(task.state)} · `}
          {before !== undefined && `${before === 0 ? t("tasks.next") : tn("tasks.before", before)} · `}
          {baseName(task.workspace)}
        </span>
      </span>
    </a>
  );
});
