/** What a task may touch. */
import type { Scope } from "../../protocol";

/** The workspace, and nothing else is special. */
export const WORKSPACE_ALONE: Scope = { read: [], write: [], only_files: [], only_tags: [], names: null };
