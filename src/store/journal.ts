/** One task's story, folded from its events: what the timeline shows, in order. */
import type {
  CallStatus,
  EventRecord,
  PermissionRequest,
  Redone,
  RequestedEdit,
  TaskEvent,
  TaskSpec,
  TodoStep,
  Undone,
} from "../protocol";
import type { CallEntry, CallPhase, Entry } from "./entries";
import { changesOf } from "./undone";

export type { CallEntry, CallPhase, Entry } from "./entries";

/** A command that runs in the background. Its live output is among the outputs, by its call. */
export interface Background {
  name: string;
  call: string;
  command: string;
  startedAt: number;
}

export interface Journal {
  task: string;
  /** `loading` until every past event is in. */
  status: "loading" | "ready";
  /** The last event of this task that is in. */
  last: number;
  /** Live events that came while the past was loading; taken up after it. */
  held: readonly Told[];
  /** What is shown while the past is loading: the newest events, or what was known before the line broke. */
  shown?: Journal;
  spec?: TaskSpec;
  /** The model that planned last. */
  model?: string;
  entries: readonly Entry[];
  iteration: number;
  inputTokens: number;
  outputTokens: number;
  /** What they cost, in millionths of the currency, as far as prices are known. */
  costMicros: number | undefined;
  /** The to-do list as it is now. */
  todo: readonly TodoStep[];
  /** Requests that were denied. */
  denied: number;
  /** Milliseconds spent planning and in calls. */
  planMs: number;
  callMs: number;
  /** Text of the planner as it streams; gone once the plan is in. */
  stream: string;
  /** Output of calls as it streams, by call; gone once the result is in. */
  outputs: ReadonlyMap<string, string>;
  /** What runs in the background, oldest first. */
  backgrounds: readonly Background[];
}

/** An event, and whether its long texts were cut. */
interface Told {
  record: EventRecord;
  shortened: boolean;
}

/** A journal with nothing in it. */
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

/** A journal whose lists this batch owns and may write to; what is shown meanwhile is not among them. */
export type Draft = Omit<Journal, "entries" | "outputs"> & {
  entries: Entry[];
  outputs: Map<string, string>;
};

export function draftOf(journal: Journal): Draft {
  return { ...journal, entries: [...journal.entries], outputs: new Map(journal.outputs) };
}

/** Writes to what is shown meanwhile. It stays the same object while the past comes in, so that nothing is drawn anew. */
function changeShown(journal: Draft, write: (shown: Draft) => void) {
  if (!journal.shown) return;
  const shown = draftOf(journal.shown);
  write(shown);
  journal.shown = shown;
}

/** The journal as a screen shows it: all of it, else what there is to see meanwhile. */
export function shownOf(journal: Journal): Journal | undefined {
  return journal.status === "ready" ? journal : journal.shown;
}

/** Streamed text that is kept for a call or a plan; the whole of it comes with the event. */
const STREAM_CHARS = 32_000;

/** Takes up a piece of streamed text. */
export function foldProgress(journal: Draft, call: string | null, text: string) {
  changeShown(journal, (shown) => foldProgress(shown, call, text));
  if (call === null) journal.stream = (journal.stream + text).slice(-STREAM_CHARS);
  else journal.outputs.set(call, ((journal.outputs.get(call) ?? "") + text).slice(-STREAM_CHARS));
}

/** Takes up an event as it happens. */
export function foldLive(journal: Draft, record: EventRecord, shortened: boolean) {
  if (journal.status === "ready") foldEvent(journal, record, shortened);
  else journal.held = [...journal.held, { record, shortened }];
  changeShown(journal, (shown) => foldEvent(shown, record, shortened));
}

/** The newest events of a task whose past is still to come are all that is shown of it until then. */
export function foldTail(journal: Draft, records: readonly EventRecord[], shortened: readonly number[]) {
  if (journal.shown || journal.status === "ready") return;
  const shown = draftOf({ ...emptyJournal(journal.task), status: "ready" });
  for (const record of records) foldEvent(shown, record, shortened.includes(record.seq));
  for (const told of journal.held) foldEvent(shown, told.record, told.shortened);
  journal.shown = shown;
}

/** The line broke: what is known stays in view while what was missed is asked for. */
export function foldBreak(journal: Draft) {
  if (journal.status === "loading") return;
  journal.shown = draftOf(journal);
  journal.status = "loading";
}

/** Puts the whole texts of an event in place of the cut ones. */
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

/** What an event says in full of an entry that came from it. */
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

/** The past is in: what was held follows. */
export function foldHeld(journal: Draft) {
  journal.status = "ready";
  for (const { record, shortened } of journal.held) foldEvent(journal, record, shortened);
  journal.held = [];
  delete journal.shown;
}

/** Takes up an event; one that is in already changes nothing. */
export function foldEvent(journal: Draft, record: EventRecord, shortened = false) {
  if (record.seq <= journal.last) return;
  journal.last = record.seq;
  const { event, at_ms: at } = record;
  const key = `e${record.seq}`;
  const cut = shortened ? { cut: [record.seq] } : {};
  const push = (entry: Entry) => journal.entries.push(entry);
  /** What happens between two calls is between them, and not after those of the plan that are still to come. */
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
      // The last plan's words are its summary, which the end shows; a question is on its own.
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
        retries: event.retry_in_ms !== null,
        ...(event.next_backend && { next: event.next_backend }),
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
        change(journal, call, { request: event.request, phase: "waiting" });
      }
      return;
    case "permission_answered": {
      const { choice, by } = event;
      if (choice.choice === "deny") journal.denied += 1;
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
      change(journal, event.call, { answer: { choice: { choice: "deny", reason }, by }, phase: "cleared" });
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
      // What it started in the background keeps writing.
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
      // Only the host's own questions have choices; after a model's last failure it is about that.
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
        journal.entries[place] = { ...entry, answer: event.text };
      }
      return;
    }
    case "paused":
      // What waits for an answer has a card that says so.
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
      // What was forgotten a moment before and brought back is not news.
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
    // The card of the call has its reason.
    case "reviewed":
    // The result of its call says it.
    case "inferred":
    // They have rows of their own under the call.
    case "subtasks_started":
    case "subtasks_ended":
    case "guidance_found":
    case "briefed":
    case "noted":
    // What it is asked about has a card; what the planner is given `deputy show --prompt` shows.
    // Of the conversation, not of what the task did.
    case "renamed":
    case "archived":
      return;
    case "compacted":
      push({ is: "compacted", key, at, step: event.through_iteration, text: event.summary, ...cut });
      return;
    case "memories_pruned":
    case "memory_imported":
      // Of the notebook alone, which no screen shows.
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

function undoneOf({ files, operations, left }: Undone | Redone) {
  const changes = changesOf(files);
  const restored = changes.filter((file) => file.restored).length;
  return { count: restored + operations, kept: changes.length - restored, left: left ?? undefined };
}

const TO_COME: readonly CallPhase[] = ["planned", "cleared"];

/** The place of the first call at the end of the story that has not begun; the end if there is none. */
function firstToCome({ entries }: Draft): number {
  const begun = entries.findLastIndex((entry) => {
    if (entry.is !== "call") return true;
    // One that waits for its yes has not begun either; one that asks while it runs has.
    return entry.phase === "waiting" ? entry.startedAt !== undefined : !TO_COME.includes(entry.phase);
  });
  return begun + 1;
}

/** The edits that a request asks about together; an older host knows none. */
export function editsOf({ details }: PermissionRequest): readonly RequestedEdit[] {
  return details.edits ?? [];
}

/** The calls that wait for the answer to a request, in the order of the plan. */
export function callsOf(request: PermissionRequest): string[] {
  const edits = editsOf(request);
  return edits.length > 0 ? edits.map((edit) => edit.call) : [request.call];
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

/** Where a call or a question stands, by its id; -1 where it does not. What is asked for is nearly always among the last. */
export function placeOf(journal: Pick<Journal, "entries">, id: string): number {
  return journal.entries.findLastIndex((entry) => entry.key === id);
}

/** The request of a call that still waits, if one does: before it starts, or while it runs. */
export function openRequest(entry: CallEntry): PermissionRequest | undefined {
  if (entry.phase !== "waiting") return undefined;
  return entry.midway ?? (entry.answer === undefined ? entry.request : undefined);
}

/** How a call ended, if it did. */
export function statusOf(entry: CallEntry): CallStatus | undefined {
  return entry.result?.status;
}
