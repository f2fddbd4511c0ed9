/** Keyboard handling: a screen declares the action of each key while it is shown. The newest screen wins. */
import { useEffect, useRef } from "react";
import { disarmKeys } from "./armed";

/**
 * Maps keys to actions. `mod+k` is Ctrl or Command; all names are lowercase. An action that returns `false` passes
 * the key on.
 */
export type Keys = Record<string, (event: KeyboardEvent) => unknown>;

const stack: { current: Keys }[] = [];

export function useKeys(keys: Keys) {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const entry = latest;
    stack.push(entry);
    return () => {
      stack.splice(stack.indexOf(entry), 1);
    };
  }, []);
}

/** Returns the name of a key press, as in `Keys`. */
export function nameOf(event: KeyboardEvent): string {
  const key = event.key.toLowerCase();
  return event.ctrlKey || event.metaKey ? `mod+${key}` : key;
}

const FIELDS = "input:not([type=checkbox]), textarea, select, [contenteditable=true], .cm-editor";
/** After a pause of this length, the user has noticed that the field is gone. */
const STILL_TYPING_MS = 10_000;
/** The field that received the last key, and when. */
let typing: { field: Element; at: number } | undefined;

/**
 * Returns whether the user is still typing into a field that has just disappeared, for example because its
 * request was answered on another screen. Without this check, the remaining letters of a sentence would act
 * as shortcuts that pause, stop and undo, and its Enter would approve the next request.
 */
function isMidWord(target: Element, name: string, now: number): boolean {
  const field = target.closest(FIELDS);
  const ends = name === "enter" || name === "escape" || name === "tab";
  const gone = typing && !typing.field.isConnected && now - typing.at <= STILL_TYPING_MS;
  if (gone) disarmKeys();
  typing =
    (field || gone) && !ends ? { field: field ?? (typing as { field: Element }).field, at: now } : undefined;
  return field !== null || (gone === true && name !== "escape");
}

/** Returns whether the user was typing into a field until just now. */
export function wasTyping(): boolean {
  return typing !== undefined && performance.now() - typing.at <= STILL_TYPING_MS;
}

/** Returns whether a key belongs to the field that has the focus, or to a dialog or menu above the page. */
function isTaken(event: KeyboardEvent, name: string): boolean {
  const target = event.target instanceof HTMLElement ? event.target : null;
  const midWord = target !== null && isMidWord(target, name, event.timeStamp);
  if (name.startsWith("mod+") || !target) return false;
  if (midWord || target.closest("dialog, [role=menu], [role=listbox]")) return true;
  // Enter and the space bar press the focused element. Enter does nothing on a checkbox.
  const pressed = name === " " ? "button, a, summary, input" : "button, a, summary";
  return (name === "enter" || name === " ") && target.closest(pressed) !== null;
}

/** Starts listening. Called once. */
export function listenToKeys() {
  window.addEventListener("pointerdown", () => {
    typing = undefined;
  });
  window.addEventListener("keydown", (event) => {
    // A field that handles a key, for example to send its text, ends the typing.
    if (event.defaultPrevented) typing = undefined;
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    const name = nameOf(event);
    if (isTaken(event, name)) return;
    for (const { current } of stack.toReversed()) {
      const action = current[name];
      if (action && action(event) !== false) {
        event.preventDefault();
        return;
      }
    }
  });
}
