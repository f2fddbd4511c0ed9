/**
 * Memories that were forgotten while the screen is open. A placeholder without the text keeps their place, with an
 * undo button.
 */
import type { Memory } from "../../protocol";
import { inOrder } from "./found";

/** A memory that was forgotten here. */
export interface Gone {
  memory: Memory;
  /** How many were forgotten: this memory and its exact duplicates. */
  count: number;
}

export type Line = { is: "memory"; memory: Memory } | { is: "gone"; gone: Gone };

/** Returns the lines of the screen in order: memories, and placeholders for those that were forgotten. */
export function linesOf(memories: readonly Memory[], gone: readonly Gone[]): Line[] {
  // Exact duplicates were forgotten too, even if the host's answer is older and still has them.
  const forgotten = new Set(gone.map((each) => each.memory.text));
  const lines: Line[] = [
    ...memories
      .filter((memory) => !forgotten.has(memory.text))
      .map((memory): Line => ({ is: "memory", memory })),
    ...gone.map((each): Line => ({ is: "gone", gone: each })),
  ];
  return lines.sort((one, other) => inOrder(memoryOf(one), memoryOf(other)));
}

/** Returns whether a memory is tool output rather than something that was said or noted. */
export function isOutput({ kind, origin }: Memory): boolean {
  return kind === "said" && origin !== "person" && origin !== "planner";
}

/** Returns the number of a line's memory. */
export function idOf(line: Line): number {
  return memoryOf(line).memory;
}

/** Returns whether a line is the first of its task's lines, which are adjacent. */
export function beginsGroup(lines: readonly Line[], at: number): boolean {
  const [before, line] = [lines[at - 1], lines[at]];
  return line !== undefined && (before === undefined || memoryOf(before).task !== memoryOf(line).task);
}

export function memoryOf(line: Line): Memory {
  return line.is === "memory" ? line.memory : line.gone.memory;
}
