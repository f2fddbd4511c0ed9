/**
 * The steps that the answer to a request leaves out. Stored as a draft, so that leaving the card does not reset them.
 */
import { useDraft } from "../../app/drafts";
import type { PermissionRequest } from "../../protocol";
import { requestedSteps } from "../../store/journal";

interface Dropped {
  /** The calls that are left out, in the order of the request. */
  dropped: readonly string[];
  drop(call: string, isDropped: boolean): void;
}

export function useDropped(request: PermissionRequest): Dropped {
  const [draft, setDraft] = useDraft(`drop.${request.id}`);
  const kept = draft.split(" ");
  const calls = requestedSteps(request).map((step) => step.call);
  return {
    dropped: calls.filter((call) => kept.includes(call)),
    drop: (changed, isDropped) =>
      setDraft(calls.filter((call) => (call === changed ? isDropped : kept.includes(call))).join(" ")),
  };
}
