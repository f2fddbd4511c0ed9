/** The journal of a task, folded from its events: the contents of the timeline, in order. */
import type {
  CallStatus,
  EventRecord,
  PermissionRequest,
  Redone,
  RequestedStep,
  TaskEvent,
  TaskSpec,
  TodoStep,
  Undone,
} from "../protocol";
import type { CallEntry, CallPhase, Entry } from "./entries";
import { changesOf, repositoriesOf } from "./undone";

export type { CallEntry, CallPhase, Entry } from "./entries";

/** A background command. Its live output is in `outputs`, under its call. */
export interface Background {
  name: string;
  call: string;
  command: string;
  startedAt: number;
}

export interface Journal {
  task: string;
  /** `loading` until all past events have been folded. */
  status: "loading" | "ready";
  /** The number of the last folded event. */
  last: number;
  /** Live events that arrived while the past was loading. They are folded after it. */
  held: readonly Told[];
  /** What to show while the past is loading: the newest events, or the state before the connection broke. */
  shown?: Journal;
  spec?: TaskSpec;
  /** The model that planned last. */
  model?: string;
  entries: readonly Entry[];
  iteration: number;
  inputTokens: number;
  outputTokens: number;
  /** The cost in millionths of the currency, as far as prices are known. */
  costMicros: number | undefined;
  /** The current to-do list. */
  todo: readonly TodoStep[];
  /** The number of denied requests. */
  denied: number;
  /** The milliseconds spent planning and in calls. */
  planMs: number;
  callMs: number;
  /** The planner's text while it streams. Empty once the plan has arrived. */
  stream: string;
  /** The streamed output of calls, by call. Removed once the result has arrived. */
  outputs: ReadonlyMap<string, string>;
  /** The background commands, oldest first. */
  backgrounds: readonly Background[];
}

/** An event, and whether its long texts were truncated. */
interface Told {
  record: EventRecord;
  shortened: boolean;
}

/** Returns an empty journal. */
export function emptyJournal(task: string): Journal {
  return {
    task,
    status: "loading",
    last: 0,
    held: [],
    entries: [],
    iteration: 0,
    inputTokens: 0,
    outputTokens: 0,
    costMicros: undefined,
    todo: [],
    denied: 0,
    planMs: 0,
    callMs: 0,
    stream: "",
    outputs: new Map(),
    backgrounds: [],
  };
}

/** A journal whose lists belong to the current batch, which may modify them. `shown` is not included. */
export type Draft = Omit<Journal, "entries" | "outputs"> & {
  entries: Entry[];
  outputs: Map<string, string>;
};

export function draftOf(journal: Journal): Draft {
  return { ...journal, entries: [...journal.entries], outputs: new Map(journal.outputs) };
}

/** Modifies `shown`. The object stays the same while the past loads, so that nothing is redrawn. */
function changeShown(journal: Draft, write: (shown: Draft) => void) {
  if (!journal.shown) return;
  const shown = draftOf(journal.shown);
  write(shown);
  journal.shown = shown;
}

/** Returns the journal to show: the whole one, or what is available while it loads. */
export function shownOf(journal: Journal): Journal | undefined {
  return journal.status === "ready" ? journal : journal.shown;
}

/** The maximum length of streamed text per call or plan, in characters. The event contains all of it. */
const STREAM_CHARS = 32_000;

/** Folds a piece of streamed text. */
export function foldProgress(journal: Draft, call: string | null, text: string) {
  changeShown(journal, (shown) => foldProgress(shown, call, text));
  if (call === null) journal.stream = (journal.stream + text).slice(-STREAM_CHARS);
  else journal.outputs.set(call, ((journal.outputs.get(call) ?? "") + text).slice(-STREAM_CHARS));
}

/** Folds a live event. */
export function foldLive(journal: Draft, record: EventRecord, shortened: boolean) {
  if (journal.status === "ready") foldEvent(journal, record, shortened);
  else journal.held = [...journal.held, { record, shortened }];
  changeShown(journal, (shown) => foldEvent(shown, record, shortened));
}

/** Folds the newest events of a task. They are shown until its past is loaded. */
export function foldTail(journal: Draft, records: readonly EventRecord[], shortened: readonly number[]) {
  if (journal.shown || journal.status === "ready") return;
  const shown = draftOf({ ...emptyJournal(journal.task), status: "ready" });
  for (const record of records) foldEvent(shown, record, shortened.includes(record.seq));
  for (const told of journal.held) foldEvent(shown, told.record, told.shortened);
  journal.shown = shown;
}

/** Handles a broken connection: the known state stays visible while missed events are loaded. */
export function foldBreak(journal: Draft) {
  if (journal.status === "loading") return;
  journal.shown = draftOf(journal);
  journal.status = "loading";
}

/** Replaces the truncated texts of an event with the full ones. */
export function foldWhole(journal: Draft, record: EventRecord) {
  changeShown(journal, (shown) => foldWhole(shown, record));
  const { seq, event } = record;
  for (const [place, entry] of journal.entries.entries()) {
    if (!("cut" in entry) || !entry.cut?.includes(seq)) continue;
    const { cut, ...rest } = { ...entry, ...wholeTexts(entry, event) } as Extract<Entry, { cut?: unknown }>;
    const left = cut?.filter((each) => each !== seq) ?? [];
    journal.entries[place] = { ...rest, ...(left.length > 0 && { cut: left }) } as Entry;
  }
}

/** Returns the full texts of an entry from its event. */
function wholeTexts(entry: Entry, event: TaskEvent): Partial<Entry> {
  if (entry.is === "call" && event.type === "tool_finished") return { result: event.result };
  if (entry.is === "call" && event.type === "planned") {
    const planned = event.plan.tool_calls.find((call) => call.id === entry.id);
    return planned ? { parameters: planned.parameters } : {};
  }
  if (entry.is === "thought" && event.type === "planned") return { text: event.plan.reasoning.trim() };
  if (entry.is === "end" && event.type === "stopped") return { summary: event.summary };
  return {};
}

/** Completes the past, then folds the held events. */
export function foldHeld(journal: Draft) {
  journal.status = "ready";
  for (const { record, shortened } of journal.held) foldEvent(journal, record, shortened);
  journal.held = [];
  delete journal.shown;
}

/** Folds an event. An event that was already folded changes nothing. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: an arm for each event
export function foldEvent(journal: Draft, record: EventRecord, shortened = false) {
  if (record.seq <= journal.last) return;
  journal.last = record.seq;
  const { event, at_ms: at } = record;
  const key = `e${record.seq}`;
  const cut = shortened ? { cut: [record.seq] } : {};
  const push = (entry: Entry) => journal.entries.push(entry);
  /** Inserts an entry between two calls, before the plan's pending calls. */
  const pushBetween = (entry: Entry) => journal.entries.splice(firstToCome(journal), 0, entry);
  switch (event.type) {
    case "created":
      journal.spec = event.spec;
      push({ is: "goal", key, at, text: event.spec.goal });
      if (event.notice) push({ is: "notice", key: `${key}n`, at, message: event.notice });
      return;
    case "iteration_started":
      journal.iteration = event.iteration;
      journal.stream = "";
      return;
    case "planned": {
      const { plan } = event;
      journal.stream = "";
      if (event.model) journal.model = event.model;
      journal.inputTokens += event.usage.input_tokens;
      journal.outputTokens += event.usage.output_tokens;
      journal.planMs += event.duration_ms;
      if (event.cost_micros !== null) journal.costMicros = (journal.costMicros ?? 0) + event.cost_micros;
      // The last plan's text equals its summary, which the end shows. A question has its own entry.
      const said = plan.reasoning.trim();
      if (said !== "" && said !== plan.summary?.trim() && said !== plan.question?.trim()) {
        push({ is: "thought", key, at, iteration: journal.iteration, text: said, ...cut });
      }
      for (const { id, tool, parameters } of plan.tool_calls) {
        const iteration = journal.iteration;
        const call = { key: id, at, iteration, id, tool, parameters, keptFiles: 0, ...cut };
        push({ is: "call", phase: "planned", ...call });
      }
      return;
    }
    case "plan_failed":
      journal.stream = "";
      push({
        is: "plan_failed",
        key,
        at,
        message: event.message,
        attempt: event.attempt,
        retries: event.retry_in_ms !== null || event.wait != null,
        ...(event.next_backend && { next: event.next_backend }),
        ...(event.wait && { wait: event.wait }),
      });
      return;
    case "call_decided": {
      const phase = event.verdict.decision === "allow" ? "cleared" : "planned";
      change(journal, event.call, { verdict: event.verdict, summary: event.summary, phase });
      return;
    }
    case "permission_requested":
      if (event.request.details.wanted) {
        change(journal, event.request.call, { midway: event.request, phase: "waiting" });
        return;
      }
      for (const call of callsOf(event.request)) {
        // An earlier request for the same call may have expired.
        change(journal, call, { request: event.request, answer: undefined, phase: "waiting" });
      }
      return;
    case "permission_answered": {
      const { choice, by } = event;
      const isNo = choice.choice === "deny" && !choice.change;
      if (isNo && by.by !== "expiry" && by.by !== "instruction") journal.denied += 1;
      const entry = journal.entries[placeOf(journal, event.call)];
      if (entry?.is === "call" && entry.midway?.id === event.request) {
        const midwayAnswers = [...(entry.midwayAnswers ?? []), { request: entry.midway, choice, by }];
        change(journal, event.call, { midway: undefined, midwayAnswers, phase: "running" });
        return;
      }
      const asked = entry?.is === "call" && entry.request?.id === event.request ? entry.request : undefined;
      for (const call of asked ? callsOf(asked) : [event.call]) {
        change(journal, call, { answer: { choice, by }, phase: "cleared" });
      }
      return;
    }
    case "refusal_shared": {
      const { reason, by } = event;
      change(journal, event.call, {
        answer: { choice: { choice: "deny", reason, change: false }, by },
        phase: "cleared",
      });
      return;
    }
    case "tool_started":
      change(journal, event.call, { startedAt: at, phase: "running" });
      return;
    case "file_kept":
      kept(journal, event.call, 1);
      return;
    case "tree_kept":
      kept(journal, event.call, event.files);
      return;
    case "tool_finished":
      // The call's background commands keep writing.
      if (!journal.backgrounds.some((one) => one.call === event.call)) journal.outputs.delete(event.call);
      journal.callMs += event.duration_ms;
      change(journal, event.call, {
        result: event.result,
        durationMs: event.duration_ms,
        midway: undefined,
        phase: "done",
        ...cut,
      });
      return;
    case "background_started": {
      const { background: name, call, command } = event;
      journal.backgrounds = [...journal.backgrounds, { name, call, command, startedAt: at }];
      push({ is: "background", key, at, name, command, message: "" });
      return;
    }
    case "background_ended": {
      const { background: name, call, why, message, refused } = event;
      const command = journal.backgrounds.find((one) => one.name === name)?.command ?? "";
      journal.backgrounds = journal.backgrounds.filter((one) => one.name !== name);
      journal.outputs.delete(call);
      push({ is: "background", key, at, name, command, why, message, refused });
      return;
    }
    case "question_asked": {
      const { question } = event;
      // Only the host's own questions have choices. After a model's final failure, the question is about the failure.
      const last = journal.entries.findLast((entry) => entry.is !== "paused");
      const isFailure = question.choices.length > 0 && last?.is === "plan_failed" && !last.retries;
      if (isFailure) journal.entries.splice(journal.entries.lastIndexOf(last), 1);
      push({ is: "question", key: question.id, at, question, ...(isFailure && { failure: last.message }) });
      return;
    }
    case "question_answered": {
      const place = placeOf(journal, event.request);
      const entry = journal.entries[place];
      if (entry?.is === "question") {
        journal.entries[place] = { ...entry, answer: { text: event.text, by: event.by ?? undefined } };
      }
      return;
    }
    case "paused":
      // A call that waits for an answer has a card that says so.
      if (event.reason === "permission" || event.reason === "question") return;
      pushBetween({ is: "paused", key, at, reason: event.reason, message: event.message });
      return;
    case "resumed":
    case "interrupted":
    case "stop_requested":
      pushBetween({ is: event.type, key, at });
      return;
    case "queue_moved":
      push({ is: event.type, key, at });
      return;
    case "memory_restored": {
      // A memory that was forgotten and restored right away needs no entry.
      const last = journal.entries.at(-1);
      if (last?.is === "memory_forgotten" && last.memory === event.memory) journal.entries.pop();
      else push({ is: event.type, key, at, memory: event.memory });
      return;
    }
    case "memory_edited":
    case "memory_forgotten":
    case "memory_promoted":
      push({ is: event.type, key, at, memory: event.memory });
      return;
    case "todo_changed": {
      const before = journal.todo.find(({ state }) => state === "active")?.title;
      const title = event.steps.find(({ state }) => state === "active")?.title;
      const steps = event.steps.filter(({ state }) => state !== "dropped");
      const done = steps.filter(({ state }) => state === "done").length;
      journal.todo = event.steps;
      if (title !== before || before === undefined) {
        const number = title === undefined ? done : Math.min(done + 1, steps.length);
        pushBetween({ is: "todo", key, at, title, number, total: steps.length });
      }
      return;
    }
    case "model_switched":
      pushBetween({ is: "model_switched", key, at, backend: event.backend, model: event.model ?? undefined });
      return;
    case "browser_taken":
    case "browser_returned":
      pushBetween({ is: event.type, key, at, url: event.url ?? undefined });
      return;
    case "guided":
      push({ is: "guided", key, at, paths: [...event.texts, ...event.skills].map(({ path }) => path) });
      return;
    // The call's card shows its reason.
    case "reviewed":
    // The call's result shows it.
    case "inferred":
    // The sub-tasks have their own rows under the call.
    case "subtasks_started":
    case "subtasks_ended":
    case "guidance_found":
    case "briefed":
    case "oriented":
    case "noted":
    // Questions about guidance have a card, and `deputy show --prompt` shows what the planner receives.
    // The others concern the conversation, not the task.
    case "renamed":
    case "archived":
      return;
    case "compacted":
      push({ is: "compacted", key, at, step: event.through_iteration, text: event.summary, ...cut });
      return;
    case "memories_pruned":
    case "memory_imported":
      // Only in the notebook, which no screen shows.
      return;
    case "remembered":
      push({ is: "remembered", key, at, text: event.text });
      return;
    case "steered":
      push({ is: "steer", key, at, text: event.text });
      return;
    case "undone":
    case "redone":
      push({ is: event.type, key, at, ...undoneOf(event) });
      return;
    case "stopped":
      journal.stream = "";
      journal.outputs.clear();
      journal.backgrounds = [];
      push({
        is: "end",
        key,
        at,
        task: journal.task,
        reason: event.reason,
        denied: journal.denied,
        summary: event.summary,
        ...(event.report && { report: event.report }),
        ...cut,
      });
      return;
  }
}

function undoneOf({ files, repositories, operations, left, can_redo }: Undone | Redone) {
  const changes = changesOf(files);
  const restored = changes.filter((file) => file.restored).length;
  const kept = changes.length - restored;
  const inGit = repositoriesOf(repositories).length;
  return {
    count: restored + inGit + operations,
    kept,
    left: left ?? undefined,
    canRedo: can_redo ?? undefined,
  };
}

const TO_COME: readonly CallPhase[] = ["planned", "cleared"];

/** Returns the index of the first of the calls at the end that have not begun, or the end if there are none. */
function firstToCome({ entries }: Draft): number {
  const begun = entries.findLastIndex((entry) => {
    if (entry.is !== "call") return true;
    // A call that waits for approval has not begun. A call that asks while it runs has.
    return entry.phase === "waiting" ? entry.startedAt !== undefined : !TO_COME.includes(entry.phase);
  });
  return begun + 1;
}

/** Returns the calls that a request asks about together. Older hosts send none. */
export function requestedSteps({ details }: PermissionRequest): readonly RequestedStep[] {
  return details.steps ?? [];
}

/** Returns the calls that wait for the answer to a request, in the order of the plan. */
export function callsOf(request: PermissionRequest): string[] {
  const steps = requestedSteps(request);
  return steps.length > 0 ? steps.map((step) => step.call) : [request.call];
}

function change(journal: Draft, call: string, { cut = [], ...with_ }: Partial<CallEntry>) {
  const place = placeOf(journal, call);
  const entry = journal.entries[place];
  if (entry?.is !== "call") return;
  const cuts = [...(entry.cut ?? []), ...cut];
  journal.entries[place] = { ...entry, ...with_, ...(cuts.length > 0 && { cut: cuts }) };
}

function kept(journal: Draft, call: string, files: number) {
  const entry = journal.entries[placeOf(journal, call)];
  if (entry?.is === "call") change(journal, call, { keptFiles: entry.keptFiles + files });
}

/**
 * Returns the index of a call or question by id, or -1. Searches from the end, because recent ids are the most
 * likely.
 */
export function placeOf(journal: Pick<Journal, "entries">, id: string): number {
  return journal.entries.findLastIndex((entry) => entry.key === id);
}

/** Returns a call's open request, if any: from before it started, or from while it runs. */
export function openRequest(entry: CallEntry): PermissionRequest | undefined {
  if (entry.phase !== "waiting") return undefined;
  return entry.midway ?? (entry.answer === undefined ? entry.request : undefined);
}

/** Returns how a call ended, if it did. */
export function statusOf(entry: CallEntry): CallStatus | undefined {
  return entry.result?.status;
}
