/** Opens the form to import a conversation, from any screen. */
import { putDraft, useDraft } from "./drafts";

const IMPORTING = "import.open";

export function importConversation() {
  putDraft(IMPORTING, "yes");
}

/** The import form's state and how to close it. */
export function useImporting(): [boolean, () => void] {
  const [open, put] = useDraft(IMPORTING);
  return [open !== "", () => put("")];
}
