/** Opens the form that adds a memory for later tasks, from any screen. */
import { putDraft } from "./drafts";
import { go } from "./route";

/** The name of a draft that is set while the form is open, so that a reload keeps the form open. */
export const REMEMBERING = "memory.remembering";

export function remember() {
  putDraft(REMEMBERING, "yes");
  go({ screen: "memory" });
}
