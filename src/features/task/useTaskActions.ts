/** Actions on a whole task. */
import type { ErrorBody } from "../../protocol";
import { useHost } from "../../store/hooks";
import { type Action, useAction } from "../../ui/useAction";

export interface TaskActions {
  pause: Action<[]>;
  resume: Action<[]>;
  stop: Action<[]>;
  error: ErrorBody | undefined;
  clear(): void;
}

export function useTaskActions(task: string): TaskActions {
  const { client } = useHost();
  const pause = useAction(() => client.command({ command: "pause", task }));
  const resume = useAction(() => client.command({ command: "resume", task }));
  const stop = useAction(() => client.command({ command: "stop", task }));
  const all = [pause, resume, stop];
  return {
    pause,
    resume,
    stop,
    error: all.find((action) => action.error)?.error,
    clear: () => {
      for (const action of all) action.clear();
    },
  };
}
