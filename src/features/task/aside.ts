/** The contents of the side column, derived from the journal. */
import type { FileChange, OrganizeOperation } from "../../protocol";
import { type CallEntry, type Journal, openRequest } from "../../store/journal";
import { hostText } from "../../text";

export interface Step {
  iteration: number;
  /** The planner's text. May be empty. */
  title: string;
  stands: "done" | "failed" | "now" | "waits";
}

export interface Touched {
  read: ReadonlySet<string>;
  changed: ReadonlySet<string>;
  /** What the running calls may read or change. */
  now: readonly string[];
}

/** Returns one step per iteration, titled with the first sentence of its thought. */
export function stepsOf(journal: Journal, running: boolean): Step[] {
  const steps = new Map<number, { iteration: number; title: string; calls: Step["stands"][] }>();
  for (const entry of journal.entries) {
    if (entry.is !== "thought" && entry.is !== "call") continue;
    const step = steps.get(entry.iteration) ?? { iteration: entry.iteration, title: "", calls: [] };
    if (entry.is === "thought") step.title = firstSentence(entry.text);
    else if (step.title === "" && entry.summary) step.title = hostText(entry.summary);
    if (entry.is === "call") step.calls.push(standing(entry));
    steps.set(entry.iteration, step);
  }
  const list: Step[] = [...steps.values()].map(({ iteration, title, calls }) => {
    return { iteration, title, stands: together(calls) };
  });
  const last = list.at(-1);
  if (running && last?.iteration !== journal.iteration && journal.iteration > 0) {
    list.push({ iteration: journal.iteration, title: "", stands: "now" });
  }
  return list;
}

function standing(call: CallEntry): Step["stands"] {
  if (openRequest(call)) return "waits";
  if (call.phase !== "done") return "now";
  return call.result && call.result.status !== "ok" ? "failed" : "done";
}

/** Combines the states of a step's calls. A step failed only if none of its calls succeeded. */
function together(calls: readonly Step["stands"][]): Step["stands"] {
  if (calls.includes("waits")) return "waits";
  if (calls.includes("now")) return "now";
  return calls.length > 0 && calls.every((call) => call === "failed") ? "failed" : "done";
}

function firstSentence(text: string): string {
  const plain = text.replace(/[*_`#]/g, "").trim();
  return /^[^\n]*?[.!?:](?=\s|$)/.exec(plain)?.[0].replace(/[.:]$/, "") ?? plain.split("\n")[0] ?? "";
}

/** Returns the paths that finished calls read or changed, and those of the running calls. */
export function touchedBy(journal: Journal): Touched {
  const read = new Set<string>();
  const changed = new Set<string>();
  for (const entry of journal.entries) {
    if (entry.is !== "call" || entry.phase !== "done" || entry.result?.status === "denied") continue;
    for (const part of entry.verdict?.parts ?? []) if (part.kind === "read") read.add(part.text);
    for (const { path } of filesChanged(entry)) changed.add(path);
    // The changes of a plan are in the journal of its job, so they are taken from the approved plan.
    for (const { action } of movedBy(entry)) changed.add(action.path);
  }
  return { read, changed, now: touchedNow(journal) };
}

/** Returns the operations of a plan that a call ran, without those that create folders. */
export function movedBy({ result, request }: CallEntry): readonly OrganizeOperation[] {
  if (result?.status !== "ok") return [];
  return request?.details.plan?.plan.operations.filter(({ action }) => action.kind !== "create_folder") ?? [];
}

/** Returns the files that a call changed, without the folders that it created or removed and without git's own data. */
export function filesChanged({ result }: CallEntry): readonly FileChange[] {
  return (result?.changes ?? []).filter(
    ({ path, before, after }) =>
      before.kind !== "folder" && after.kind !== "folder" && !path.split("/").includes(".git"),
  );
}

/** Returns the last page of the task's browser, and the hosts that the task contacted. */
export function webOf({ entries }: Journal): { page: string | undefined; hosts: readonly string[] } {
  const parts = entries.flatMap((entry) => (entry.is === "call" ? (entry.result?.parts ?? []) : []));
  const web = parts.filter((part) => part.part === "web");
  const hosts = new Set(web.flatMap((part) => part.hosts));
  return { page: web.findLast((part) => part.page !== null)?.page ?? undefined, hosts: [...hosts].sort() };
}

/** Returns whether any call changed a file. */
export function hasFileChanges({ entries }: Journal): boolean {
  return entries.some((entry) => entry.is === "call" && filesChanged(entry).length > 0);
}

/** Running calls are among the newest entries, up to this many. */
const NEWEST = 24;

/** Returns the paths that running calls may read or change. */
export function touchedNow({ entries }: Journal): string[] {
  const parts = entries
    .slice(-NEWEST)
    .flatMap((entry) =>
      entry.is === "call" && entry.phase === "running" ? (entry.verdict?.parts ?? []) : [],
    );
  return [
    ...new Set(parts.filter(({ kind }) => kind === "read" || kind === "write").map(({ text }) => text)),
  ];
}

/** Returns the paths of the newest call that touched any. */
export function touchedLast({ entries }: Journal): string[] {
  for (const entry of entries.slice(-NEWEST).toReversed()) {
    if (entry.is !== "call" || entry.phase !== "done" || entry.result?.status === "denied") continue;
    const changed = entry.result?.changes.map(({ path }) => path) ?? [];
    const read = (entry.verdict?.parts ?? []).filter(({ kind }) => kind === "read").map(({ text }) => text);
    if (changed.length > 0 || read.length > 0) return [...new Set([...changed, ...read])];
  }
  return [];
}
