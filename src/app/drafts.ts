/** What was typed and not sent: kept by name, so that neither a reload nor a scrolled-away row loses it. */
import { useCallback, useState } from "react";

const PREFIX = "deputy.draft.";

function load(name: string): string {
  try {
    return sessionStorage.getItem(PREFIX + name) ?? "";
  } catch {
    return "";
  }
}

function save(name: string, text: string) {
  try {
    if (text === "") sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, text);
  } catch {
    // Without storage it lives as long as the field.
  }
}

export function useDraft(name: string): [string, (text: string) => void] {
  const [draft, setDraft] = useState({ name, text: load(name) });
  const shown = draft.name === name ? draft.text : load(name);
  const set = useCallback(
    (text: string) => {
      save(name, text);
      setDraft({ name, text });
    },
    [name],
  );
  return [shown, set];
}
