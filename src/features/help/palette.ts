/** The entries of the command palette, and how they are matched. */
import type { Route } from "../../app/route";
import { type Action, SHORTCUTS } from "../../app/shortcuts";
import type { TaskSummary } from "../../protocol";
import { t } from "../../text";
import { baseName } from "../../text/visible";
import { rowsOf } from "../tasks/taskGroups";

export type Entry = { id: string; words: string } & (
  | { kind: "do"; key: string | undefined; run(): void }
  | { kind: "task"; where: string; route: Route }
  | { kind: "new"; goal: string }
);

/** The maximum number of tasks that are offered. */
const TASKS = 8;

/**
 * Returns the entries that contain every word: available actions, the newest conversations, and a new task with this
 * text.
 */
export function entriesFor(
  words: string,
  actions: readonly Action[],
  tasks: Iterable<TaskSummary>,
  mayStart: boolean,
): Entry[] {
  const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const fits = (text: string) => wanted.every((word) => text.toLocaleLowerCase().includes(word));
  const doable = actions.map(({ name, key, run }): Entry => {
    return { id: name, words: t(SHORTCUTS[name].words), kind: "do", key, run };
  });
  const found = rowsOf(tasks, words, "all", Date.now()).flatMap((row) =>
    row.is === "task" && (row.depth === 0 || wanted.length > 0) ? [row] : [],
  );
  found.sort((a, b) => b.task.updated_at_ms - a.task.updated_at_ms);
  const goal = words.trim();
  return [
    ...doable.filter((entry) => fits(entry.words)),
    ...found.slice(0, TASKS).map(({ task, title }): Entry => {
      const route = { screen: "task", task: task.id } as const;
      return { id: task.id, words: title, kind: "task", where: baseName(task.workspace), route };
    }),
    ...(mayStart && goal !== ""
      ? [{ id: "new-task", words: t("palette.new", { goal }), kind: "new", goal } as const]
      : []),
  ];
}
