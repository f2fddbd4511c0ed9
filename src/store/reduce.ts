/** The reducer: folds inputs into the state. Pure, and cheap for a whole batch of inputs. */
import type {
  AgentState,
  EventMessage,
  EventRecord,
  ServerMessage,
  TaskEvent,
  TaskSpec,
  TaskSummary,
  TaskUpdate,
} from "../protocol";
import {
  draftOf,
  emptyJournal,
  foldBreak,
  foldEvent,
  foldHeld,
  foldLive,
  foldProgress,
  foldTail,
  foldWhole,
  type Journal,
} from "./journal";
import type { AnsweredQuestion, AppState, Input, PageInput, Settled } from "./state";

/** The journal of memories that the user added without a task. */
const NOTEBOOK = "notebook";

/** The number of reported jobs that are kept. */
const WORKING_KEPT = 50;
/** The number of answered requests that are kept for screens that still show them. */
const SETTLED_KEPT = 50;

/** Returns the state after the inputs, in order. Unchanged values stay the same objects. */
export function reduce(state: AppState, inputs: readonly Input[]): AppState {
  const batch = new Batch(state);
  for (const input of inputs) batch.take(input);
  return batch.result();
}

/** A batch of inputs. Copies a collection the first time it is modified. */
class Batch {
  private next: AppState;
  private readonly owned = new Set<unknown>();
  private readonly drafts = new Map<string, ReturnType<typeof draftOf>>();

  constructor(state: AppState) {
    this.next = { ...state };
  }

  result(): AppState {
    if (this.drafts.size > 0) {
      const journals = new Map(this.next.journals);
      for (const [task, draft] of this.drafts) journals.set(task, draft);
      this.next.journals = journals;
    }
    return this.next;
  }

  take(input: Input) {
    switch (input.from) {
      case "link":
        this.next.link = input.link;
        return;
      case "page":
        this.page(input);
        return;
      case "host":
        this.message(input.message);
    }
  }

  private page(input: PageInput) {
    if ("open" in input) this.journal(input.open, true);
    else if ("past" in input) {
      const journal = this.journal(input.past, false);
      if (!journal) return;
      if (input.tail) foldTail(journal, input.events, input.shortened);
      else {
        const cut = new Set(input.shortened);
        for (const record of input.events) foldEvent(journal, record, cut.has(record.seq));
      }
    } else if ("whole" in input) {
      const journal = this.journal(input.whole.task, false);
      if (journal) foldWhole(journal, input.whole);
    } else {
      const journal = this.journal(input.complete, false);
      if (!journal) return;
      foldHeld(journal);
      if (!input.console) return;
      journal.stream = input.console.planning;
      const { calls, backgrounds = [] } = input.console;
      for (const { call, output } of [...calls, ...backgrounds]) journal.outputs.set(call, output);
    }
  }

  private message(message: ServerMessage) {
    switch (message.type) {
      case "welcome":
        this.next.link = { is: "online", version: message.version };
        // Older hosts do not send permissions. They still refuse what is not allowed.
        this.next.may = {
          scopes: message.scopes ?? this.next.may.scopes,
          local: message.local ?? this.next.may.local,
        };
        return;
      case "snapshot":
        this.snapshot(message.snapshot.seq, message.snapshot.state);
        return;
      case "event":
        this.event(message);
        return;
      case "progress": {
        const journal = this.journal(message.task, false);
        if (journal) foldProgress(journal, message.call, message.text);
        return;
      }
      case "job": {
        const working = this.write("working");
        working.set(message.job, message);
        keepNewest(working, WORKING_KEPT);
        return;
      }
      case "command_reply":
        if (message.outcome.outcome === "started") this.task(message.outcome.task);
        return;
      case "query_reply":
        if (message.answer.answer === "tasks") this.tasks(message.answer.tasks);
        if (message.answer.answer === "task") this.task(message.answer.task);
        return;
    }
  }

  private snapshot(seq: number, agent: AgentState) {
    this.next.seq = seq;
    const active = agent.agent === "active" ? agent : { tasks: [], requests: [], questions: [] };
    this.next.requests = new Map(active.requests.map((request) => [request.id, request]));
    this.next.questions = new Map(active.questions.map((question) => [question.id, question]));
    // Ended tasks come with the list of tasks.
    this.next.tasksKnown = false;
    this.next.tasks = new Map(active.tasks.map((task) => [task.id, task]));
    // Open journals have a gap now. Screens that show one load the rest.
    for (const task of new Set([...this.next.journals.keys(), ...this.drafts.keys()])) {
      const journal = this.journal(task, false);
      if (journal) foldBreak(journal);
    }
  }

  private event({ record, update, shortened }: EventMessage) {
    if (record.seq <= this.next.seq) return;
    this.next.seq = record.seq;
    // Changes to a memory do not change its task.
    if (isOfMemory(record.event)) this.next.memoriesChanged = record.seq;
    // Memories that were added without a task have a journal too, but that is not a task to show.
    else if (update && record.task !== NOTEBOOK) this.update(record, update);
    this.waiting(record);
    const journal = this.journal(record.task, false);
    if (journal) foldLive(journal, record, shortened);
  }

  /** Applies the state of a task after an event, as sent by the host. */
  private update({ task, at_ms, event }: EventRecord, update: TaskUpdate) {
    const known = event.type === "created" ? summaryOf(event.spec, at_ms) : this.next.tasks.get(task);
    if (known) this.task({ ...known, ...update });
  }

  /** Tracks requests and questions that wait for an answer. */
  private waiting(record: EventRecord) {
    const { event, at_ms: at } = record;
    switch (event.type) {
      case "permission_requested":
        this.write("requests").set(event.request.id, event.request);
        return;
      case "permission_answered":
        this.settle(event.request, { answer: { choice: event.choice, by: event.by }, at });
        return;
      case "question_asked":
        this.write("questions").set(event.question.id, event.question);
        return;
      case "question_answered":
        this.close(event.request, { said: { text: event.text, by: event.by ?? undefined }, at });
        return;
      case "stopped":
        for (const [id, request] of this.next.requests) {
          if (request.task === record.task) this.settle(id, { at });
        }
        for (const [id, question] of this.next.questions) {
          if (question.task === record.task) this.close(id, { at });
        }
    }
  }

  private settle(id: string, how: Omit<Settled, "request">) {
    const request = this.next.requests.get(id);
    if (!request) return;
    this.write("requests").delete(id);
    const settled = this.write("settled");
    settled.set(id, { request, ...how });
    keepNewest(settled, SETTLED_KEPT);
  }

  private close(id: string, how: Omit<AnsweredQuestion, "question">) {
    const question = this.next.questions.get(id);
    if (!question) return;
    this.write("questions").delete(id);
    const answered = this.write("answered");
    answered.set(id, { question, ...how });
    keepNewest(answered, SETTLED_KEPT);
  }

  private tasks(tasks: readonly TaskSummary[]) {
    // Known tasks are already up to date with the events; the list may be newer than the events.
    for (const task of tasks) if (!this.next.tasks.has(task.id)) this.task(task);
    this.next.tasksKnown = true;
  }

  private task(task: TaskSummary) {
    this.write("tasks").set(task.id, task);
  }

  private write<K extends "tasks" | "requests" | "questions" | "settled" | "answered" | "working">(name: K) {
    if (!this.owned.has(this.next[name])) {
      const copy = new Map<string, unknown>(this.next[name]);
      this.owned.add(copy);
      (this.next as unknown as Record<string, unknown>)[name] = copy;
    }
    return this.next[name] as AppState[K] extends ReadonlyMap<string, infer V> ? Map<string, V> : never;
  }

  private journal(task: string, make: boolean) {
    const draft = this.drafts.get(task);
    if (draft) return draft;
    const journal: Journal | undefined =
      this.next.journals.get(task) ?? (make ? emptyJournal(task) : undefined);
    if (!journal) return undefined;
    const made = draftOf(journal);
    this.drafts.set(task, made);
    return made;
  }
}

function keepNewest(all: Map<string, unknown>, most: number) {
  const oldest = all.keys().next().value;
  if (all.size > most && oldest !== undefined) all.delete(oldest);
}

/** Returns whether an event is about memories and not about the task itself. */
function isOfMemory({ type }: TaskEvent): boolean {
  return [
    "remembered",
    "memory_edited",
    "memory_forgotten",
    "memory_restored",
    "memory_promoted",
    "memories_pruned",
    "memory_imported",
  ].includes(type);
}

/** Returns the summary of a new task. */
function summaryOf(spec: TaskSpec, created_at_ms: number): Omit<TaskSummary, keyof TaskUpdate> {
  const { id, session, goal, profile, workspace, parent } = spec;
  return { id, session, goal, profile, workspace, parent, created_at_ms };
}
