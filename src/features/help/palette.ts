/** What the command palette offers, and how words find it. */
import type { Route } from "../../app/route";
import type { TaskSummary } from "../../protocol";
import { type Key, t } from "../../text";
import { goalWords } from "../../text/visible";

export interface Entry {
  id: string;
  words: string;
  kind: "go" | "task";
  key?: string;
  route: Route;
}

const PLACES: readonly { words: Key; key: string; route: Route }[] = [
  { words: "help.new", key: "N", route: { screen: "new" } },
  { words: "nav.inbox", key: "I", route: { screen: "inbox" } },
  { words: "nav.tasks", key: "T", route: { screen: "tasks" } },
  { words: "nav.files", key: "F", route: { screen: "files" } },
  { words: "nav.memory", key: "M", route: { screen: "memory" } },
  { words: "nav.rules", key: "R", route: { screen: "rules" } },
  { words: "nav.devices", key: "V", route: { screen: "devices" } },
  { words: "nav.usage", key: "U", route: { screen: "usage" } },
  { words: "nav.settings", key: ",", route: { screen: "settings" } },
];

/** Tasks that are offered at once. */
const TASKS = 8;

/** Entries that have every word; places first, then the newest tasks. */
export function entriesFor(words: string, tasks: Iterable<TaskSummary>): Entry[] {
  const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const fits = (text: string) => wanted.every((word) => text.toLocaleLowerCase().includes(word));
  const places = PLACES.map(({ words: key, key: stroke, route }): Entry => {
    return { id: key, words: t(key), kind: "go", key: stroke, route };
  });
  const newest = [...tasks].sort((a, b) => b.updated_at_ms - a.updated_at_ms);
  return [
    ...places.filter((place) => fits(place.words)),
    ...newest
      .filter((task) => fits(task.goal))
      .slice(0, TASKS)
      .map((task): Entry => {
        return {
          id: task.id,
          words: goalWords(task.goal),
          kind: "task",
          route: { screen: "task", task: task.id },
        };
      }),
  ];
}
