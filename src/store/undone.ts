/** Counts the changes of an undo or redo. */
import type { UndoneFile } from "../protocol";

/**
 * Returns what counts as changes: files and links. A folder that was created or removed along with its
 * files does not count, unless there are only folders.
 */
export function changesOf(files: readonly UndoneFile[]): readonly UndoneFile[] {
  const own = files.filter(({ change }) => change.before.kind !== "folder" && change.after.kind !== "folder");
  return own.length > 0 ? own : files;
}
