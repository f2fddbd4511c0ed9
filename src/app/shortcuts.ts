/** Everything that a person can do with a key or from the palette: one table that feeds handlers, help, hints and palette. */
import { useEffect, useRef } from "react";
import type { Key } from "../text";
import { type Keys, useKeys } from "./keys";

export type Group = "anywhere" | "task" | "request" | "memories";

interface Shortcut {
  in: Group;
  words: Key;
  /** As `Keys` names it; absent where only the palette has it. */
  key?: string;
  /** How the help shows it, where that is not the key. */
  shown?: string;
  /** Whether it is left out of the palette: what is about the row with the focus, and what is answered with Enter. */
  isKeyOnly?: true;
}

/** In the order in which help and palette show them. */
export const SHORTCUTS = {
  palette: { in: "anywhere", words: "help.palette", key: "mod+k", isKeyOnly: true },
  new: { in: "anywhere", words: "help.new", key: "n" },
  search: { in: "anywhere", words: "help.search", key: "/" },
  inbox: { in: "anywhere", words: "help.inbox", key: "i" },
  tasks: { in: "anywhere", words: "help.tasks", key: "t" },
  files: { in: "anywhere", words: "help.files", key: "f" },
  memory: { in: "anywhere", words: "help.memory", key: "m" },
  rules: { in: "anywhere", words: "help.rules", key: "r" },
  devices: { in: "anywhere", words: "help.devices", key: "v" },
  usage: { in: "anywhere", words: "help.usage", key: "u" },
  settings: { in: "anywhere", words: "help.settings", key: "," },
  remember: { in: "anywhere", words: "memory.remember" },
  importConversation: { in: "anywhere", words: "import.open" },
  help: { in: "anywhere", words: "help.help", key: "?" },
  light: { in: "anywhere", words: "help.light" },
  dark: { in: "anywhere", words: "help.dark" },
  next: { in: "task", words: "help.next", key: "j" },
  previous: { in: "task", words: "help.previous", key: "k" },
  earlier: { in: "task", words: "queue.earlier", key: "+" },
  later: { in: "task", words: "queue.later", key: "-", shown: "−" },
  steer: { in: "task", words: "help.steer", key: "s" },
  pause: { in: "task", words: "task.pause", key: "p" },
  resume: { in: "task", words: "task.resume", key: "p" },
  stop: { in: "task", words: "help.stop", key: "x" },
  undo: { in: "task", words: "help.undo", key: "z" },
  redo: { in: "task", words: "task.redo", key: "y" },
  follow: { in: "task", words: "help.follow", key: "l" },
  aside: { in: "task", words: "help.aside", key: "a" },
  changes: { in: "task", words: "changes.show", key: "c" },
  again: { in: "task", words: "task.again" },
  fork: { in: "task", words: "task.fork" },
  rename: { in: "task", words: "task.rename" },
  archive: { in: "task", words: "task.archive" },
  unarchive: { in: "task", words: "task.unarchive" },
  copyText: { in: "task", words: "task.export.copy" },
  saveText: { in: "task", words: "task.export.save" },
  approve: { in: "request", words: "help.approve", key: "enter", isKeyOnly: true },
  deny: { in: "request", words: "help.deny", key: "d" },
  lifetime: { in: "request", words: "help.lifetime", shown: "1 … 5", isKeyOnly: true },
  nextRequest: { in: "request", words: "help.next_request", key: "j" },
  previousRequest: { in: "request", words: "help.previous_request", key: "k" },
  openTask: { in: "request", words: "request.goto", key: "o" },
  view: { in: "request", words: "help.view", key: "w" },
  findMemory: { in: "memories", words: "memory.search", key: "/" },
  addMemory: { in: "memories", words: "memory.remember", key: "n", isKeyOnly: true },
  nextMemory: { in: "memories", words: "help.next_memory", key: "j", isKeyOnly: true },
  previousMemory: { in: "memories", words: "help.previous_memory", key: "k", isKeyOnly: true },
  memoryTask: { in: "memories", words: "help.memory_task", key: "o", isKeyOnly: true },
  editMemory: { in: "memories", words: "memory.edit", key: "e", isKeyOnly: true },
  forgetMemory: { in: "memories", words: "memory.forget", key: "x", isKeyOnly: true },
  undoForget: { in: "memories", words: "help.memory_undo", key: "z" },
} as const satisfies Record<string, Shortcut>;

export type Name = keyof typeof SHORTCUTS;

/** All of them, with what not every one has. */
export const ALL = Object.entries(SHORTCUTS) as [Name, Shortcut][];

/** What each does on a screen, now; what cannot be done now is missing. One that says `false` passes its key on. */
export type Handlers = { [name in Name]?: ((event?: KeyboardEvent) => unknown) | false | undefined };

const shown: { current: Handlers }[] = [];

/** Names what the shortcuts do while a screen is shown; the newest screen wins. */
export function useShortcuts(handlers: Handlers) {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    shown.push(latest);
    return () => {
      shown.splice(shown.indexOf(latest), 1);
    };
  }, []);
  const keys: Keys = {};
  for (const [name, handler] of Object.entries(handlers) as [Name, Handlers[Name]][]) {
    const { key } = SHORTCUTS[name] as Shortcut;
    if (key && handler) keys[key] = handler;
  }
  useKeys(keys);
}

/** What can be done right now from the palette. */
export interface Action {
  name: Name;
  /** As it is shown; absent where it has none, or where the key does something else on this screen. */
  key: string | undefined;
  run(): void;
}

/** Of all screens that are shown, the newest first. */
export function actionsNow(): Action[] {
  const taken = new Set<string>();
  const found = new Map<Name, Action>();
  for (const { current } of shown.toReversed()) {
    const here = (Object.entries(current) as [Name, Handlers[Name]][]).filter(([, handler]) => handler);
    for (const [name, handler] of here) {
      const { key, isKeyOnly } = SHORTCUTS[name] as Shortcut;
      if (!handler || isKeyOnly || found.has(name)) continue;
      const own = key === undefined || taken.has(key) ? undefined : keyOf(name);
      found.set(name, { name, key: own, run: () => void handler() });
    }
    for (const [name] of here) {
      const { key } = SHORTCUTS[name] as Shortcut;
      if (key) taken.add(key);
    }
  }
  return ALL.flatMap(([name]) => found.get(name) ?? []);
}

const SIGNS: Record<string, string> = { enter: "⏎", escape: "Esc" };
const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");

/** A shortcut's key as it is shown. */
export function keyOf(name: Name): string | undefined {
  const { key, shown } = SHORTCUTS[name] as Shortcut;
  return shown ?? (key && signOf(key));
}

export function signOf(key: string): string {
  if (key.startsWith("mod+")) return `${isMac ? "⌘" : "Ctrl"} ${signOf(key.slice(4))}`;
  return SIGNS[key] ?? key.toUpperCase();
}
