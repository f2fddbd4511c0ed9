/** Undo in one step where nothing stands against it, and redo. What would leave something as it is asks first. */
import { useCallback, useRef, useState } from "react";
import type { UndoneOutcome } from "../../protocol";
import { useHost } from "../../store/hooks";
import { changesOf } from "../../store/undone";
import { tn } from "../../text";
import { useAction } from "../../ui/useAction";

/** An undo that a person has to look at first. */
export interface Asked {
  task: string;
  call: string | null;
  /** What it would do, where the host has said so already. */
  preview?: UndoneOutcome;
}

export function useUndo() {
  const { client } = useHost();
  const [asked, setAsked] = useState<Asked>();
  /** What the last one came to, for those who do not see it. */
  const [said, setSaid] = useState("");
  const undo = useAction(async (task: string) => {
    const command = { command: "undo", task, call: null, dry_run: false, if_whole: true } as const;
    const outcome = await client.command(command);
    if (outcome.outcome !== "undone") return;
    const { applied, files, jobs = [] } = outcome;
    if (!applied || files.length + jobs.length === 0) setAsked({ task, call: null, preview: outcome });
    else setSaid(tn("undo.done", changesIn(outcome)));
  });
  const redo = useAction(async (task: string) => {
    const outcome = await client.command({ command: "redo", task });
    if (outcome.outcome === "undone") setSaid(tn("undo.redone", changesIn(outcome)));
  });
  // The same functions each time: rows of a story are drawn anew only where they changed.
  const latest = useRef({ undo, redo });
  latest.current = { undo, redo };
  const undoTask = useCallback((task: string) => void latest.current.undo.run(task), []);
  const redoTask = useCallback((task: string) => void latest.current.redo.run(task), []);
  const ask = useCallback((task: string, call: string | null) => setAsked({ task, call }), []);
  const close = useCallback(() => setAsked(undefined), []);
  return { undo, redo, undoTask, redoTask, ask, asked, close, said };
}

/** Changes that were undone, or made again. */
function changesIn({ files, jobs = [] }: UndoneOutcome): number {
  const ofJobs = jobs.reduce((sum, job) => sum + job.done, 0);
  return ofJobs + changesOf(files).filter((file) => file.restored).length;
}
