/** Whether the list covers the page, if the window is too narrow for both. */
import { useSyncExternalStore } from "react";

let open = false;
const listeners = new Set<() => void>();

export function setDrawer(value: boolean) {
  open = value;
  for (const listener of listeners) listener();
}

window.addEventListener("hashchange", () => setDrawer(false));

export function useDrawer(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
}
