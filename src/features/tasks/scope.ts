/** The scope of a task: what it may touch. */
import type { Scope } from "../../protocol";

/** The workspace only. */
export const WORKSPACE_ALONE: Scope = {
  read: [],
  write: [],
  read_only: false,
  only_files: [],
  only_tags: [],
  names: null,
};
