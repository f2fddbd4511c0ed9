/**
 * The table of all actions that have a key or an entry in the palette. It feeds the handlers, the help, the hints and
 * the palette.
 */
import { useEffect, useRef } from "react";
import type { Key } from "../text";
import { type Keys, useKeys } from "./keys";

export type Group = "anywhere" | "task" | "request" | "memories";

interface Shortcut {
  in: Group;
  words: Key;
  /** The key, as in `Keys`. Absent if the action is only in the palette. */
  key?: string;
  /** The key as the help shows it, if that differs from `key`. */
  shown?: string;
  /** Whether the palette leaves it out: actions on the focused row, and answers given with Enter. */
  isKeyOnly?: true;
}

/** In the order of the help and the palette. */
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
  firstAnswer: { in: "request", words: "help.first_answer", key: "g" },
  change: { in: "request", words: "help.change", key: "e" },
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

/** All shortcuts, with the optional fields. */
export const ALL = Object.entries(SHORTCUTS) as [Name, Shortcut][];

/**
 * What each shortcut does on a screen now. Unavailable actions are missing. A handler that returns `false` passes its
 * key on.
 */
export type Handlers = { [name in Name]?: ((event?: KeyboardEvent) => unknown) | false | undefined };

const shown: { current: Handlers }[] = [];

/** Registers the handlers of a screen while it is shown. The newest screen wins. */
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

/** An action that is available from the palette. */
export interface Action {
  name: Name;
  /** The key to show. Absent if there is none, or if the key does something else on this screen. */
  key: string | undefined;
  run(): void;
}

/** Returns the available actions of all screens that are shown, the newest screen first. */
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

/** Returns the key of a shortcut in the form to show. */
export function keyOf(name: Name): string | undefined {
  const { key, shown } = SHORTCUTS[name] as Shortcut;
  return shown ?? (key && signOf(key));
}

export function signOf(key: string): string {
  if (key.startsWith("mod+")) return `${isMac ? "⌘" : "Ctrl"} ${signOf(key.slice(4))}`;
  return SIGNS[key] ?? key.toUpperCase();
}
