/** Undo in one step if there are no conflicts, and redo. An undo that would leave changes in place asks first. */
import { useCallback, useRef, useState } from "react";
import type { UndoneOutcome } from "../../protocol";
import { useHost } from "../../store/hooks";
import { changesOf, isRefused, repositoriesOf } from "../../store/undone";
import { tn } from "../../text";
import { useAction } from "../../ui/useAction";

/** An undo that the user has to confirm. */
export interface Asked {
  task: string;
  call: string | null;
  /** A preview of the undo, if the host has already sent one. */
  preview?: UndoneOutcome;
  /** Whether it is a redo that a git repository prevents. */
  isRedo?: boolean;
}

export function useUndo() {
  const { client } = useHost();
  const [asked, setAsked] = useState<Asked>();
  /** The result of the last undo, for screen readers. */
  const [said, setSaid] = useState("");
  const undo = useAction(async (task: string) => {
    const command = {
      command: "undo",
      task,
      call: null,
      dry_run: false,
      if_whole: true,
      files_only: false,
    } as const;
    const outcome = await client.command(command);
    if (outcome.outcome !== "undone") return;
    if (!outcome.applied || changesIn(outcome) === 0) setAsked({ task, call: null, preview: outcome });
    else setSaid(tn("undo.done", changesIn(outcome)));
  });
  const redo = useAction(async (task: string) => {
    const outcome = await client.command({ command: "redo", task, files_only: false });
    if (outcome.outcome !== "undone") return;
    if (isRefused(outcome.repositories)) setAsked({ task, call: null, preview: outcome, isRedo: true });
    else setSaid(tn("undo.redone", changesIn(outcome)));
  });
  // Stable functions, so that unchanged rows are not redrawn.
  const latest = useRef({ undo, redo });
  latest.current = { undo, redo };
  const undoTask = useCallback((task: string) => void latest.current.undo.run(task), []);
  const redoTask = useCallback((task: string) => void latest.current.redo.run(task), []);
  const ask = useCallback((task: string, call: string | null) => setAsked({ task, call }), []);
  const close = useCallback(() => setAsked(undefined), []);
  return { undo, redo, undoTask, redoTask, ask, asked, close, said };
}

/** Counts the changes that were undone or redone. */
function changesIn({ files, jobs = [], repositories }: UndoneOutcome): number {
  const ofJobs = jobs.reduce((sum, job) => sum + job.done, 0);
  const inGit = repositoriesOf(repositories).length;
  return ofJobs + inGit + changesOf(files).filter((file) => file.restored).length;
}
