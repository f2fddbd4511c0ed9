/** The filters of the memories: words, the folder of the task, or a single task. */
import { Search, X } from "lucide-react";
import { type RefObject, useMemo } from "react";
import { useStore } from "../../store/hooks";
import { t } from "../../text";
import { shortPath, visible } from "../../text/visible";
import { Kbd } from "../../ui/Kbd";
import type { Filter } from "./useMemories";

interface Props {
  field: RefObject<HTMLInputElement | null>;
  filter: Filter;
  /** The goal of the chosen task, if known. */
  goal: string | undefined;
  onSearch(words: string): void;
  onFolder(folder: string): void;
  onAnyTask(): void;
  onOnlyKept(only: boolean): void;
  onBest(best: boolean): void;
  /** Whether the list includes tool output. */
  hasOutput: boolean;
  onOutput(shown: boolean): void;
  /** Enter was pressed: moves to the results. */
  onEnter(): void;
}

export function FilterBar({
  field,
  filter,
  goal,
  onSearch,
  onFolder,
  onAnyTask,
  onOnlyKept,
  onBest,
  hasOutput,
  onOutput,
  onEnter,
}: Props) {
  const tasks = useStore((state) => state.tasks);
  const chosen = tasks.get(filter.task);
  const folders = useMemo(() => {
    const all = new Set([...tasks.values()].map((task) => task.workspace));
    if (filter.workspace) all.add(filter.workspace);
    return [...all].sort();
  }, [tasks, filter.workspace]);
  return (
    <div className="memory-filter">
      <label className="search grow">
        <Search className="ic" aria-hidden="true" />
        <input
          ref={field}
          type="search"
          value={filter.search}
          onChange={(event) => onSearch(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") onEnter();
            if (event.key !== "Escape") return;
            if (filter.search) onSearch("");
            else event.currentTarget.blur();
          }}
          placeholder={t("memory.search")}
          aria-label={t("memory.search")}
          aria-keyshortcuts="/"
        />
        <Kbd of="findMemory" />
      </label>
      <select
        className="field"
        aria-label={t("memory.folder")}
        value={filter.workspace}
        onChange={(event) => onFolder(event.target.value)}
      >
        <option value="">{t("memory.folder.any")}</option>
        {folders.map((folder) => (
          <option key={folder} value={folder}>
            {shortPath(folder)}
          </option>
        ))}
      </select>
      <label className="row small">
        <input
          type="checkbox"
          checked={filter.onlyKept}
          onChange={(event) => onOnlyKept(event.target.checked)}
        />
        {t("memory.only_kept")}
      </label>
      {filter.search.trim() === "" && !filter.onlyKept && (
        <label className="row small">
          <input type="checkbox" checked={hasOutput} onChange={(event) => onOutput(event.target.checked)} />
          {t("memory.said.tool")}
        </label>
      )}
      {filter.search.trim() !== "" && (
        <label className="row small">
          <input type="checkbox" checked={filter.best} onChange={(event) => onBest(event.target.checked)} />
          {t("memory.best")}
        </label>
      )}
      {filter.task && (
        <button
          type="button"
          className="btn memory-task"
          onClick={onAnyTask}
          aria-label={t("memory.task.any")}
        >
          <span className="clip">{visible(chosen?.goal ?? goal ?? filter.task)}</span>
          <X className="ic" aria-hidden="true" />
        </button>
      )}
    </div>
  );
}
