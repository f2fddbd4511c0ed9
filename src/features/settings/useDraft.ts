/** A field that is saved when it loses the focus. The typed text is kept apart from the host's value. */
import { useRef, useState } from "react";

interface Draft {
  /** The text to show. */
  text: string;
  edit(text: string): void;
  /** Saves the typed text, or `text` if given, unless it equals the host's value. */
  keep(text?: string): Promise<void>;
}

/** `kept` is the host's value. `save` returns whether the host accepted a text; `kept` is up to date by then. */
export function useDraft(kept: string, save: (text: string) => Promise<boolean>): Draft {
  const [draft, setDraft] = useState<string>();
  const saving = useRef<string>(undefined);
  const keep = async (text = draft) => {
    if (text === undefined || text === saving.current) return;
    if (text === kept && saving.current === undefined) {
      setDraft(undefined);
      return;
    }
    setDraft(text);
    saving.current = text;
    const taken = await save(text);
    if (saving.current === text) saving.current = undefined;
    // Text that was typed meanwhile stays, and so does text that was refused.
    if (taken) setDraft((now) => (now === text ? undefined : now));
  };
  return { text: draft ?? kept, edit: setDraft, keep };
}
