/** Counts the changes of an undo or redo. */
import type { UndoneFile, UndoneRepository } from "../protocol";
import { englishOf } from "../text";

/**
 * Returns what counts as changes: files and links. A folder that was created or removed along with its
 * files does not count, unless there are only folders.
 */
export function changesOf(files: readonly UndoneFile[]): readonly UndoneFile[] {
  const own = files.filter(({ change }) => change.before.kind !== "folder" && change.after.kind !== "folder");
  return own.length > 0 ? own : files;
}

/** Returns the repositories that there is something to say about. */
export function repositoriesOf(all: readonly UndoneRepository[] | undefined): readonly UndoneRepository[] {
  return (all ?? []).filter((repository) => englishOf(repository.message) !== "");
}

/** Returns whether nothing was undone or redone because of a repository. */
export function isRefused(all: readonly UndoneRepository[] | undefined): boolean {
  return (all ?? []).some((repository) => repository.outcome === "refused");
}
