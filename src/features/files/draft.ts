/** The user's choices on the way from folders to a job. They survive a reload. */
import { useCallback, useMemo } from "react";
import { useDraft } from "../../app/drafts";
import type { OrganizeBy, OrganizeOperation } from "../../protocol";

export interface Organising {
  folders: string[];
  by: OrganizeBy;
  /** The user's own description, for a model. */
  words: string;
  /** The naming convention. Names stay unchanged if it is `null`. */
  convention: string | null;
  /** The scan that was started. */
  scan: string | null;
  /** Operations that are left out. */
  dropped: string[];
  /** Operations that the user edited. */
  edited: OrganizeOperation[];
  /** The task that runs the plan. */
  task: string | null;
  /** The task's call, once it has asked for permission. */
  call: string | null;
  /** The digest of the plan that was reviewed and approved. `null` if its request still needs a decision. */
  approved: string | null;
  /** Whether it was approved as high risk, by typing the word for it. */
  confirmed: boolean;
}

export const NOTHING: Organising = {
  folders: [],
  by: "everything",
  words: "",
  convention: null,
  scan: null,
  dropped: [],
  edited: [],
  task: null,
  call: null,
  approved: null,
  confirmed: false,
};

export function parse(text: string): Organising {
  try {
    return { ...NOTHING, ...(JSON.parse(text || "{}") as Partial<Organising>) };
  } catch {
    return NOTHING;
  }
}

export function useOrganising(): [Organising, (change: Partial<Organising>) => void, () => void] {
  const [text, setText] = useDraft("files");
  const state = useMemo(() => parse(text), [text]);
  const change = useCallback(
    (part: Partial<Organising>) => setText(JSON.stringify({ ...state, ...part })),
    [state, setText],
  );
  const reset = useCallback(() => setText(""), [setText]);
  return [state, change, reset];
}

/** Returns an operation's target as the user edits it: a path below the only folder, or a name. */
export function target({ action }: OrganizeOperation): string | undefined {
  switch (action.kind) {
    case "move":
    case "copy":
      return action.destination;
    case "rename":
      return action.name;
    case "create_folder":
      return action.path;
    case "trash":
      return undefined;
  }
}

/** Returns the operation with another target. */
export function withTarget(operation: OrganizeOperation, to: string): OrganizeOperation {
  const { action } = operation;
  switch (action.kind) {
    case "move":
    case "copy":
      return { ...operation, action: { ...action, destination: to } };
    case "rename":
      return { ...operation, action: { ...action, name: to } };
    case "create_folder":
      return { ...operation, action: { ...action, path: to } };
    case "trash":
      return operation;
  }
}

/** Counts the operations of each kind. */
export function countKinds(
  operations: readonly OrganizeOperation[],
): [OrganizeOperation["action"]["kind"], number][] {
  const counts = new Map<OrganizeOperation["action"]["kind"], number>();
  for (const { action } of operations) counts.set(action.kind, (counts.get(action.kind) ?? 0) + 1);
  const order = ["move", "rename", "copy", "trash", "create_folder"] as const;
  return order.flatMap((kind) => {
    const count = counts.get(kind);
    return count ? [[kind, count] as [typeof kind, number]] : [];
  });
}
