/** Moves queued tasks: the command to the host, the announcement for screen readers, and the focus. */
import { useCallback, useLayoutEffect, useRef, useState } from "react";
import type { TaskSummary } from "../../protocol";
import { useHost } from "../../store/hooks";
import { t, tn } from "../../text";
import { visible } from "../../text/visible";
import { useAction } from "../../ui/useAction";
import { placeOf, queueOf, type Way } from "./queue";

export function useQueue(tasks: ReadonlyMap<string, TaskSummary>) {
  const { client } = useHost();
  const [moved, setMoved] = useState<string>();
  const held = useRef<Element | null>(null);
  const action = useAction(async (task: string, way: Way) => {
    const to = placeOf(queueOf(tasks.values()), task, way);
    if (!to) return;
    held.current = document.activeElement;
    await client.command({ command: "move_in_queue", task, to });
    setMoved(task);
  });
  // A row that moves within the list keeps the focus.
  useLayoutEffect(() => {
    const { current } = held;
    if (tasks.size > 0 && current instanceof HTMLElement && document.activeElement === document.body) {
      if (current.isConnected) current.focus();
    }
  }, [tasks]);

  const queue = queueOf(moved === undefined ? [] : tasks.values());
  const place = queue.findIndex((task) => task.id === moved);
  const goal = visible(queue[place]?.goal ?? "");
  // Announced at every change, including moves on another screen and when an earlier task starts.
  const said = place === -1 ? "" : `${goal}: ${place === 0 ? t("tasks.next") : tn("tasks.before", place)}`;
  const run = useRef(action.run);
  run.current = action.run;
  const move = useCallback((task: string, way: Way) => void run.current(task, way), []);
  return { move, said, error: action.error, clear: action.clear };
}
