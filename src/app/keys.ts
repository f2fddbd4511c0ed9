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

/** Whether keys belong to what is being typed into, or to a dialog or menu that lies above the page. */
function isTaken(event: KeyboardEvent, name: string): boolean {
  if (name.startsWith("mod+")) return false;
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (!target) return false;
  if (target.closest("dialog, [role=menu], [role=listbox]")) return true;
  if (target.closest("input, textarea, select, [contenteditable=true], .cm-editor")) return true;
  // Enter and the space bar press what has the focus.
  return (name === "enter" || name === " ") && target.closest("button, a, summary") !== null;
}

/** Begins to listen; called once. */
export function listenToKeys() {
  window.addEventListener("keydown", (event) => {
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
