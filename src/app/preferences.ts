/** The user's preferences for this browser. They are stored in the browser and never sent anywhere. */
import { useSyncExternalStore } from "react";
import { currentLanguage, LANGUAGES, type Language, setLanguage } from "../text";

export interface Preferences {
  theme: "system" | "light" | "dark";
  contrast: "system" | "more";
  /** In percent. */
  size: 100 | 112 | 125 | 150;
  motion: "system" | "none";
  language: "system" | Language;
  notify: boolean;
}

const KEY = "deputy.preferences";
const DEFAULTS: Preferences = {
  theme: "system",
  contrast: "system",
  size: 100,
  motion: "system",
  language: "system",
  notify: false,
};

let current: Preferences = read();
/** Incremented when the language changes, so that everything is redrawn. */
let version = 0;
const listeners = new Set<() => void>();
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const contrast = window.matchMedia("(prefers-contrast: more)");

function read(): Preferences {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Preferences>) };
  } catch {
    return DEFAULTS;
  }
}

/** Returns whether the page is dark now, by the user's choice or the system's. */
export function isDark(): boolean {
  return current.theme === "system" ? dark.matches : current.theme === "dark";
}

function wantedLanguage(): Language {
  if (current.language !== "system") return current.language;
  const known = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in LANGUAGES);
  return (known as Language | undefined) ?? "en";
}

/** Applies the preferences to the page. */
export async function applyPreferences(): Promise<void> {
  const { dataset, style } = document.documentElement;
  dataset.theme = isDark() ? "dark" : "light";
  dataset.contrast = current.contrast === "more" || contrast.matches ? "more" : "normal";
  dataset.motion = current.motion;
  style.fontSize = `${(16 * current.size) / 100}px`;
  if (wantedLanguage() !== currentLanguage()) await setLanguage(wantedLanguage());
  version += 1;
  for (const listener of listeners) listener();
}

export function setPreferences(change: Partial<Preferences>) {
  current = { ...current, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // Without storage, the preferences last until the page is closed.
  }
  void applyPreferences();
}

export function preferences(): Preferences {
  return current;
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the preferences. Components that use this hook are redrawn when a preference changes. */
export function usePreferences(): Preferences {
  useSyncExternalStore(subscribe, () => version);
  return current;
}

dark.addEventListener("change", () => void applyPreferences());
contrast.addEventListener("change", () => void applyPreferences());
