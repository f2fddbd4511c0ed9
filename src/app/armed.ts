/**
 * Whether keys may answer a request. If the card that had the keys was answered on another screen, or the field that
 * the user was typing into disappeared, the next keys were meant for that and not for the card that took its place.
 * Keys then answer nothing until the user focuses a card.
 */
import { useSyncExternalStore } from "react";

let armed = true;
const listeners = new Set<() => void>();

function set(now: boolean) {
  if (armed === now) return;
  armed = now;
  for (const listener of listeners) listener();
}

/** No key answers a request until `armKeys`. */
export function disarmKeys() {
  set(false);
}

/** The user focused a card, or chose what to look at. */
export function armKeys() {
  set(true);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns whether keys may answer a request. */
export function useArmed(): boolean {
  return useSyncExternalStore(subscribe, () => armed);
}

window.addEventListener("hashchange", armKeys);
