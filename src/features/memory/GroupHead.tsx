/** The heading of memories from the same task, or from no task. */
import { hrefOf } from "../../app/route";
import type { Memory } from "../../protocol";
import { t } from "../../text";
import { shortPath, visible } from "../../text/visible";
import { NOTEBOOK } from "./MemoryRow";

interface Props {
  memory: Memory;
  onOnlyTask: (() => void) | undefined;
}

export function GroupHead({ memory, onOnlyTask }: Props) {
  if (memory.task === NOTEBOOK) return <h2 className="memory-goal">{t("memory.by_hand")}</h2>;
  return (
    <>
      <h2 className="memory-goal clip">
        <a href={hrefOf({ screen: "task", task: memory.task })}>
          {visible(memory.goal.split("\n")[0] ?? "") || t("memory.task")}
        </a>
      </h2>
      <span className="mono muted small clip">{shortPath(memory.workspace)}</span>
      {onOnlyTask && (
        <button type="button" className="memory-more small" onClick={onOnlyTask}>
          {t("memory.only")}
        </button>
      )}
    </>
  );
}
