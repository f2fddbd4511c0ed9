/** Opens the form that puts something down for later tasks, from whatever screen is shown. */
import { putDraft } from "./drafts";
import { go } from "./route";

/** Set while the form is open; it outlives a reload. */
export const REMEMBERING = "memory.remembering";

export function remember() {
  putDraft(REMEMBERING, "yes");
  go({ screen: "memory" });
}
