/**
 * Drafts: text that was typed but not sent, stored by name. A draft survives a reload and a row that scrolls out of
 * view. Instructions and answers also survive the end of the browser, and every tab shows them.
 */
import { useCallback, useMemo, useSyncExternalStore } from "react";

const PREFIX = "deputy.draft.";
/** The drafts of instructions and answers. The others belong to one tab. */
const LASTING = /^(?:steer|answer|deny)\.|^new\.goal$/;
/** A lasting draft that was not changed for this long is removed. */
const LONGEST_MS = 30 * 24 * 3_600_000;

function storageOf(name: string): Storage {
  return LASTING.test(name) ? localStorage : sessionStorage;
}

function load(name: string): string {
  const typed = kept.get(name);
  if (typed !== undefined) return typed;
  try {
    return textOf(name, storageOf(name).getItem(PREFIX + name));
  } catch {
    return "";
  }
}

/** Returns the text of a stored draft. A lasting one is stored after the time of its last change. */
function textOf(name: string, stored: string | null): string {
  if (stored === null) return "";
  return LASTING.test(name) ? stored.slice(stored.indexOf(" ") + 1) : stored;
}

/** Callbacks that redraw the fields that show a draft. */
const shown = new Set<() => void>();
/** The drafts, for browsers without storage. */
const kept = new Map<string, string>();

/** Stores a draft and redraws its fields. */
export function putDraft(name: string, text: string) {
  kept.set(name, text);
  try {
    if (text === "") storageOf(name).removeItem(PREFIX + name);
    else storageOf(name).setItem(PREFIX + name, LASTING.test(name) ? `${Date.now()} ${text}` : text);
  } catch {
    // Without storage, the draft lasts as long as the page.
  }
  for (const redraw of shown) redraw();
}

/** Follows the drafts of other tabs, and removes what nobody came back to. Called once. */
export function followDrafts() {
  window.addEventListener("storage", ({ key, newValue, storageArea }) => {
    if (storageArea !== localStorage || !key?.startsWith(PREFIX)) return;
    const name = key.slice(PREFIX.length);
    kept.set(name, textOf(name, newValue));
    for (const redraw of shown) redraw();
  });
  try {
    const before = Date.now() - LONGEST_MS;
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(PREFIX)) continue;
      if (!(Number.parseInt(localStorage.getItem(key) ?? "", 10) > before)) localStorage.removeItem(key);
    }
  } catch {
    // Without storage there are none.
  }
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
