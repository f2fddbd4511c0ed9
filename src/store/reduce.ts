/** The fold: state and inputs in, state out. Pure, and cheap for a whole batch at a time. */
import type { AgentState, EventRecord, PauseReason, ServerMessage, TaskSummary } from "../protocol";
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
import type { AppState, Input, PageInput, Settled } from "./state";
import { isOfMemory, nextRank, nextState, rankOf } from "./task-state";

/** Jobs that were told of and are remembered. */
const WORKING_KEPT = 50;
/** Answered requests that are remembered for screens that still show them. */
const SETTLED_KEPT = 50;

/** State after the inputs, in order. Values that nothing touched stay the same objects. */
export function reduce(state: AppState, inputs: readonly Input[]): AppState {
  const batch = new Batch(state);
  for (const input of inputs) batch.take(input);
  return batch.result();
}

/** One batch: copies a collection the first time it is written to. */
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
        // An older host says nothing of it; it refuses by itself what may not be.
        this.next.may = {
          scopes: message.scopes ?? this.next.may.scopes,
          local: message.local ?? this.next.may.local,
        };
        return;
      case "snapshot":
        this.snapshot(message.snapshot.seq, message.snapshot.state);
        return;
      case "event":
        this.event(message.record, message.shortened);
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
        return;
    }
  }

  private snapshot(seq: number, agent: AgentState) {
    this.next.seq = seq;
    const active = agent.agent === "active" ? agent : { tasks: [], requests: [], questions: [] };
    this.next.requests = new Map(active.requests.map((request) => [request.id, request]));
    this.next.questions = new Map(active.questions.map((question) => [question.id, question]));
    // What has ended comes with the list of tasks.
    this.next.tasksKnown = false;
    this.next.tasks = new Map(active.tasks.map((task) => [task.id, task]));
    // Whatever was open has a gap now; whoever shows it asks for the rest.
    for (const task of new Set([...this.next.journals.keys(), ...this.drafts.keys()])) {
      const journal = this.journal(task, false);
      if (journal) foldBreak(journal);
    }
  }

  private event(record: EventRecord, shortened: boolean) {
    if (record.seq <= this.next.seq) return;
    this.next.seq = record.seq;
    const { event } = record;
    if (event.type === "created") {
      const { id, session, goal, profile, backend, workspace } = event.spec;
      const at = record.at_ms;
      const times = { created_at_ms: at, updated_at_ms: at };
      this.task({
        id,
        session,
        goal,
        profile,
        backend,
        workspace,
        state: { state: "queued" },
        tokens: 0,
        queue_rank: rankOf(record.seq),
        ...times,
      });
    } else if (isOfMemory(event)) {
      // Nothing of the task itself has changed.
      this.next.memoriesChanged = record.seq;
    } else {
      const task = this.next.tasks.get(record.task);
      if (task)
        this.task(after(task, record, event.type === "resumed" ? this.waitsFor(record.task) : undefined));
    }
    this.waiting(record);
    const journal = this.journal(record.task, false);
    if (journal) foldLive(journal, record, shortened);
  }

  /** What a task still waits for a person's answer to. */
  private waitsFor(task: string): PauseReason | undefined {
    const isOf = (asked: { task: string }) => asked.task === task;
    if ([...this.next.questions.values()].some(isOf)) return "question";
    return [...this.next.requests.values()].some(isOf) ? "permission" : undefined;
  }

  /** What waits for a person. */
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
        this.write("questions").delete(event.request);
        return;
      case "stopped":
        for (const [id, request] of this.next.requests) {
          if (request.task === record.task) this.settle(id, { at });
        }
        for (const [id, question] of this.next.questions) {
          if (question.task === record.task) this.write("questions").delete(id);
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

  private tasks(tasks: readonly TaskSummary[]) {
    // Those that are known stand exactly where the events left them; the list may be ahead of the events.
    for (const task of tasks) if (!this.next.tasks.has(task.id)) this.task(task);
    this.next.tasksKnown = true;
  }

  private task(task: TaskSummary) {
    this.write("tasks").set(task.id, task);
  }

  private write<K extends "tasks" | "requests" | "questions" | "settled" | "working">(name: K) {
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

/** A task's line in lists after an event of its own. */
function after(task: TaskSummary, record: EventRecord, open: PauseReason | undefined): TaskSummary {
  const { event, at_ms } = record;
  const state = nextState(task.state, event, open);
  const spent = event.type === "planned" ? event.usage.input_tokens + event.usage.output_tokens : 0;
  return {
    ...task,
    state,
    queue_rank: nextRank(task, state, record),
    tokens: task.tokens + spent,
    updated_at_ms: at_ms,
  };
}
