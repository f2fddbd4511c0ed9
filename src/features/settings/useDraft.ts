/** A field that is saved when it is left: what is being typed is kept apart from what the host has. */
import { useRef, useState } from "react";

interface Draft {
  /** What the field shows. */
  text: string;
  edit(text: string): void;
  /** Saves what is typed, or `text` where it is given, unless the host has it already. */
  keep(text?: string): Promise<void>;
}

/** `kept` is what the host has; `save` says whether the host took a text, and `kept` is current by then. */
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
    // What was typed meanwhile stays, and so does what was refused.
    if (taken) setDraft((now) => (now === text ? undefined : now));
  };
  return { text: draft ?? kept, edit: setDraft, keep };
}
