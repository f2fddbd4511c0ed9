/** The memories that were found so far, and how what comes in joins them. Newest first, and each once. */
import type { Memory } from "../../protocol";

export interface Found {
  memories: readonly Memory[];
  /** What the next page has as its `before`; absent at the end. */
  next: number | null;
}

/** The number of the newest; 0 where there is none. */
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
  return [...memories, kept].sort((one, other) => other.memory - one.memory);
}
