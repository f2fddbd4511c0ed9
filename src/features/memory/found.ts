/** The memories found so far, and how new answers are merged. Newest first, without duplicates. */
import type { Memory } from "../../protocol";

export interface Found {
  memories: readonly Memory[];
  /** The `before` parameter of the next page. `null` at the end. */
  next: number | null;
}

/** Compares two memories: the better match first if the search ranks by score, otherwise the newer one. */
export function inOrder(one: Memory, other: Memory): number {
  return (other.found?.score ?? 0) - (one.found?.score ?? 0) || other.memory - one.memory;
}

/** Returns the number of the newest memory, or 0 if there are none. */
export function newestOf({ memories }: Found): number {
  return memories[0]?.memory ?? 0;
}

/** Adds newer memories at the front. Returns the same object if none of `answer` is newer. */
export function withNewer(found: Found, answer: readonly Memory[]): Found {
  const newest = newestOf(found);
  const newer = answer.filter((each) => each.memory > newest);
  return newer.length > 0 ? { ...found, memories: [...newer, ...found.memories] } : found;
}

/** Adds older memories at the end. */
export function withOlder(found: Found, older: Found): Found {
  return { memories: [...found.memories, ...older.memories], next: older.next };
}

/** Adds a memory in its place if the host's answer lacks it, so that it stays on the screen. */
export function withKept(memories: readonly Memory[], kept: Memory | undefined): readonly Memory[] {
  if (!kept || memories.some((each) => each.memory === kept.memory)) return memories;
  return [...memories, kept].sort(inOrder);
}
