/** The user's changes to memories on this screen, and the state to undo them while the screen is open. */
import { useState } from "react";
import type { ErrorBody, Memory } from "../../protocol";
import { useHost } from "../../store/hooks";
import { useAction } from "../../ui/useAction";
import type { Gone } from "./gone";

export interface Changes {
  /** The memories forgotten here, the latest at the end. */
  gone: readonly Gone[];
  /** The previous text of edited memories, by number. */
  before: ReadonlyMap<number, string>;
  busy: boolean;
  error: ErrorBody | undefined;
  clearError(): void;
  forget(memory: Memory): Promise<boolean>;
  restore(gone: Gone): Promise<boolean>;
  edit(memory: Memory, text: string): Promise<boolean>;
  undoEdit(memory: Memory): Promise<boolean>;
  promote(memory: Memory): Promise<boolean>;
}

/** `reload` updates the memories in view. */
export function useChanges(reload: () => Promise<void>): Changes {
  const { client } = useHost();
  const [gone, setGone] = useState<readonly Gone[]>([]);
  const [before, setBefore] = useState<ReadonlyMap<number, string>>(new Map());
  const forget = useAction(async (memory: Memory) => {
    const outcome = await client.command({ command: "forget_memory", memory: memory.memory });
    const count = outcome.outcome === "memories" ? Math.max(outcome.memories, 1) : 1;
    setGone((all) => [...all.filter((each) => each.memory.text !== memory.text), { memory, count }]);
  });
  const restore = useAction(async ({ memory }: Gone) => {
    await client.command({ command: "restore_memory", memory: memory.memory });
    // Reloads the memory first, then removes its placeholder.
    await reload();
    setGone((all) => all.filter((each) => each.memory.memory !== memory.memory));
  });
  const edit = useAction(async (memory: Memory, text: string, old: string | undefined) => {
    await client.command({ command: "edit_memory", memory: memory.memory, text });
    await reload();
    setBefore((all) => {
      const left = new Map(all);
      if (old === undefined || old === text) left.delete(memory.memory);
      else left.set(memory.memory, old);
      return left;
    });
  });
  const promote = useAction(async (memory: Memory) => {
    await client.command({ command: "promote_memory", memory: memory.memory });
    await reload();
  });
  const all = [forget, restore, edit, promote];
  const said = (memory: Memory) => before.get(memory.memory) ?? memory.text;
  return {
    gone,
    before,
    busy: all.some((each) => each.busy),
    error: all.find((each) => each.error)?.error,
    clearError: () => {
      for (const each of all) each.clear();
    },
    forget: forget.run,
    restore: restore.run,
    edit: (memory, text) => edit.run(memory, text, said(memory)),
    promote: promote.run,
    undoEdit: (memory) => edit.run(memory, said(memory), undefined),
  };
}
