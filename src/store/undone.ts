/** How many changes an undo or a redo was about. */
import type { UndoneFile } from "../protocol";

/**
 * What counts as a change: files and links. A folder that came or went with its files is none of its own; where there
 * are only folders, they are what was changed.
 */
export function changesOf(files: readonly UndoneFile[]): readonly UndoneFile[] {
  const own = files.filter(({ change }) => change.before.kind !== "folder" && change.after.kind !== "folder");
  return own.length > 0 ? own : files;
}
