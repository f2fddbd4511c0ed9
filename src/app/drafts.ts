/**
 * Drafts: text that was typed but not sent, stored by name. A draft survives a reload and a row that scrolls out of
 * view.
 */
import { useCallback, useMemo, useSyncExternalStore } from "react";

const PREFIX = "deputy.draft.";

function load(name: string): string {
  const typed = kept.get(name);
  if (typed !== undefined) return typed;
  try {
    return sessionStorage.getItem(PREFIX + name) ?? "";
  } catch {
    return "";
  }
}

/** Callbacks that redraw the fields that show a draft. */
const shown = new Set<() => void>();
/** The drafts, for browsers without storage. */
const kept = new Map<string, string>();

/** Stores a draft and redraws its fields. */
export function putDraft(name: string, text: string) {
  kept.set(name, text);
  try {
    if (text === "") sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, text);
  } catch {
    // Without storage, the draft lasts as long as the page.
  }
  for (const redraw of shown) redraw();
}

function subscribe(redraw: () => void) {
  shown.add(redraw);
  return () => shown.delete(redraw);
}

export function useDraft(name: string): [string, (text: string) => void] {
  const draft = useSyncExternalStore(subscribe, () => load(name));
  return [draft, useCallback((text: string) => putDraft(name, text), [name])];
}

/** Returns the drafts among these that are not empty. */
export function useFilledDrafts(names: readonly string[]): ReadonlySet<string> {
  const filled = useSyncExternalStore(subscribe, () =>
    JSON.stringify(names.filter((name) => load(name).trim() !== "")),
  );
  return useMemo(() => new Set(JSON.parse(filled) as string[]), [filled]);
}
