/** What was forgotten while the screen is open: it stays in its place, without its words, so that it can be undone. */
import type { Memory } from "../../protocol";
import { inOrder } from "./found";

/** A memory that was forgotten here. */
export interface Gone {
  memory: Memory;
  /** How many were: itself and those that say the very same. */
  count: number;
}

export type Line = { is: "memory"; memory: Memory } | { is: "gone"; gone: Gone };

/** The lines of the screen, in their order: what there is, and in its place what was forgotten. */
export function linesOf(memories: readonly Memory[], gone: readonly Gone[]): Line[] {
  // Whatever says the same went along, also where the host's answer is older than that.
  const forgotten = new Set(gone.map((each) => each.memory.text));
  const lines: Line[] = [
    ...memories
      .filter((memory) => !forgotten.has(memory.text))
      .map((memory): Line => ({ is: "memory", memory })),
    ...gone.map((each): Line => ({ is: "gone", gone: each })),
  ];
  return lines.sort((one, other) => inOrder(memoryOf(one), memoryOf(other)));
}

/** Whether a memory is tool output rather than something that was said or noted. */
export function isOutput({ kind, origin }: Memory): boolean {
  return kind === "said" && origin !== "person" && origin !== "planner";
}

/** The memory that a line is about. */
export function idOf(line: Line): number {
  return memoryOf(line).memory;
}

/** Whether a line is the first of those of its task, which come together. */
export function beginsGroup(lines: readonly Line[], at: number): boolean {
  const [before, line] = [lines[at - 1], lines[at]];
  return line !== undefined && (before === undefined || memoryOf(before).task !== memoryOf(line).task);
}

export function memoryOf(line: Line): Memory {
  return line.is === "memory" ? line.memory : line.gone.memory;
}
