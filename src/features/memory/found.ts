/** The memories that were found so far, and how what comes in joins them. Newest first, and each once. */
import type { Memory } from "../../protocol";

export interface Found {
  memories: readonly Memory[];
  /** What the next page has as its `before`; absent at the end. */
  next: number | null;
}

/** Which of two comes first: the one that fits better where the best were asked for, else the newer. */
export function inOrder(one: Memory, other: Memory): number {
  return (other.found?.score ?? 0) - (one.found?.score ?? 0) || other.memory - one.memory;
}

/** The number of the newest; 0 if there is none. */
export function newestOf({ memories }: Found): number {
  return memories[0]?.memory ?? 0;
}

/** With newer ones before them. Where none of `answer` is newer it stays the same object. */
export function withNewer(found: Found, answer: readonly Memory[]): Found {
  const newest = newestOf(found);
  const newer = answer.filter((each) => each.memory > newest);
  return newer.length > 0 ? { ...found, memories: [...newer, ...found.memories] } : found;
}

/** With older ones after them. */
export function withOlder(found: Found, older: Found): Found {
  return { memories: [...found.memories, ...older.memories], next: older.next };
}

/** With one in its place that must not go from the screen, whatever the host's answer has. */
export function withKept(memories: readonly Memory[], kept: Memory | undefined): readonly Memory[] {
  if (!kept || memories.some((each) => each.memory === kept.memory)) return memories;
  return [...memories, kept].sort(inOrder);
}
