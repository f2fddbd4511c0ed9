/** What was typed and not sent: kept by name, so that neither a reload nor a scrolled-away row loses it. */
import { useCallback, useSyncExternalStore } from "react";

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

/** Fields that show a draft. */
const shown = new Set<() => void>();
/** What was typed where the browser keeps nothing. */
const kept = new Map<string, string>();

/** Writes a draft; whatever shows it is drawn anew. */
export function putDraft(name: string, text: string) {
  kept.set(name, text);
  try {
    if (text === "") sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, text);
  } catch {
    // Without storage it lives as long as the page.
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
