/** Keys: a screen names what each does while it is shown; the newest screen wins. */
import { useEffect, useRef } from "react";

/** Key to action. `mod+k` is Ctrl or Command; all names are small. An action that says `false` passes the key on. */
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

/** The name of a key press, as `Keys` has it. */
export function nameOf(event: KeyboardEvent): string {
  const key = event.key.toLowerCase();
  return event.ctrlKey || event.metaKey ? `mod+${key}` : key;
}

const FIELDS = "input:not([type=checkbox]), textarea, select, [contenteditable=true], .cm-editor";
/** Anyone who pauses as long as this has seen that the field is gone. */
const STILL_TYPING_MS = 10_000;
/** The field that the last key went to, and when. */
let typing: { field: Element; at: number } | undefined;

/**
 * Whether somebody still types into a field that has just gone, say because its request was answered elsewhere. The rest
 * of a sentence is not a command: without this its letters would pause, stop and undo, and its Enter approve what came next.
 */
function isMidWord(target: Element, name: string, now: number): boolean {
  const field = target.closest(FIELDS);
  const ends = name === "enter" || name === "escape" || name === "tab";
  const gone = typing && !typing.field.isConnected && now - typing.at <= STILL_TYPING_MS;
  typing =
    (field || gone) && !ends ? { field: field ?? (typing as { field: Element }).field, at: now } : undefined;
  return field !== null || (gone === true && name !== "escape");
}

/** Whether keys belong to what is being typed into, or to a dialog or menu that lies above the page. */
function isTaken(event: KeyboardEvent, name: string): boolean {
  const target = event.target instanceof HTMLElement ? event.target : null;
  const midWord = target !== null && isMidWord(target, name, event.timeStamp);
  if (name.startsWith("mod+") || !target) return false;
  if (midWord || target.closest("dialog, [role=menu], [role=listbox]")) return true;
  // Enter and the space bar press what has the focus; Enter does nothing to a box to tick.
  const pressed = name === " " ? "button, a, summary, input" : "button, a, summary";
  return (name === "enter" || name === " ") && target.closest(pressed) !== null;
}

/** Begins to listen; called once. */
export function listenToKeys() {
  window.addEventListener("pointerdown", () => {
    typing = undefined;
  });
  window.addEventListener("keydown", (event) => {
    // What a field did with a key of its own, say sending what was typed, ends the typing.
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
