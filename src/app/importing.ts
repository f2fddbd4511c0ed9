/** Opens the form that takes in a conversation from a file, from whatever screen is shown. */
import { putDraft, useDraft } from "./drafts";

const IMPORTING = "import.open";

export function importConversation() {
  putDraft(IMPORTING, "yes");
}

/** Whether the form is open, and what closes it. */
export function useImporting(): [boolean, () => void] {
  const [open, put] = useDraft(IMPORTING);
  return [open !== "", () => put("")];
}
