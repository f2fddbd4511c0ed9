import { describe, expect, it } from "vitest";
import { parseRoute } from "../app/route";
import type {
  EventRecord,
  Part,
  PermissionRequest,
  StoppedTask,
  TaskEvent,
  TaskState,
  TaskSummary,
  UsageAnswer,
  UsageRow,
} from "../protocol";
import { draftOf, emptyJournal, foldEvent, openRequest, requestedSteps } from "../store/journal";
import { golden, recording, stateAfter } from "../store/testing";
import { resumeWords, stateWords } from "../ui/StatePill";
import { answerWords } from "./request/answerWords";
import { allowWords, headline, reach, unusual } from "./request/requestWords";
import { stepsOf, touchedBy } from "./task/aside";
import { callLine } from "./task/callWords";
import { canRedo, changesLeft } from "./task/outcome";
import { placeOf, queueOf } from "./tasks/queue";
import { type Filter, filtersOf, rowsOf, standingOf } from "./tasks/taskGroups";
import { usageOf } from "./usage/usage";

const NOW = Date.UTC(2026, 10, 22, 12);
const DAY = 86_400_000;

function task(id: string, change: Partial<TaskSummary> = {}): TaskSummary {
  return {
    id,
    session: `s-${id}`,
    goal: `Goal ${id}`,
    profile: "general",
    backend: "offline",
    workspace: "/home/ada/inbox",
    state: { state: "stopped", reason: "completed", summary: "", denied: 0, undone: false },
    tokens: 0,
    model: null,
    cost_micros: null,
    todo: null,
    queue_rank: null,
    title: null,
    archived: false,
    parent: null,
    created_at_ms: NOW,
    updated_at_ms: NOW,
    ...change,
  };
}

describe("the queue", () => {
  const queued = (id: string, queue_rank: string) => task(id, { state: { state: "queued" }, queue_rank });
  const queue = queueOf([queued("c", "83"), task("done"), queued("a", "81"), queued("b", "818")]);
  const ahead = (id: string) => ({ place: "before", task: id });

  it("is in the order of ranks", () => {
    expect(queue.map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });

  it.each([
    ["a", undefined, undefined, ahead("c")],
    ["b", { place: "first" }, ahead("a"), { place: "last" }],
    ["c", { place: "first" }, ahead("b"), undefined],
    ["done", undefined, undefined, undefined],
  ])("%s goes to the front, up and down where there is a place", (id, first, earlier, later) => {
    const ways = ["first", "earlier", "later"] as const;
    expect(ways.map((way) => placeOf(queue, id, way))).toEqual([first, earlier, later]);
  });
});

describe("the list of tasks", () => {
  const waiting = task("waits", { state: { state: "paused", reason: "permission", iteration: 1 } });
  const running = task("runs", { state: { state: "running", iteration: 2 } });
  const old = task("old", { updated_at_ms: NOW - 3 * DAY });
  const queued = (id: string, created_at_ms: number) =>
    task(id, { state: { state: "queued" }, created_at_ms });
  const second = queued("second", NOW - 1_000);
  const all = [old, second, task("done"), running, waiting, queued("first", NOW - 2_000)];
  const shown = (words: string, filter: Filter) => {
    return rowsOf(all, words, filter, NOW).map((row) => (row.is === "task" ? row.task.id : row.words));
  };

  it("has what waits first, then what runs, then what ended by day", () => {
    const order = ["waits", "runs", "first", "second", "tasks.today", "done", "tasks.older", "old"];
    expect(shown("", "all")).toEqual(order);
  });

  it("says how many are before a queued one, whatever is searched for", () => {
    const [row] = rowsOf(all, "second", "queued", NOW);
    expect(row).toMatchObject({ is: "task", task: { id: "second" }, before: 1 });
  });

  it("finds a conversation by what was said in it, and shows where", () => {
    const rows = rowsOf(all, "letter bank", "all", NOW, new Map([["old", "You: the letter from the bank"]]));
    expect(rows).toMatchObject([
      { is: "head" },
      { is: "task", task: { id: "old" }, said: "You: the letter from the bank" },
    ]);
    expect(rowsOf(all, "runs", "all", NOW)[0]).not.toHaveProperty("said");
  });

  it("offers the states that there are, and the chosen one", () => {
    expect(filtersOf(all, "paused")).toEqual(["all", "waiting", "running", "paused", "queued", "done"]);
  });

  it.each([
    ["goal RUNS", "all", ["runs"]],
    ["inbox", "waiting", ["waits"]],
    ["", "running", ["runs"]],
    ["", "queued", ["first", "second"]],
    ["nowhere", "all", []],
  ] as const)("finds %j among %s", (words, filter, ids) => expect(shown(words, filter)).toEqual(ids));
});

describe("a task that waits for its provider", () => {
  const state = (until_ms: number): TaskState => ({
    state: "awaiting_provider",
    until_ms,
    backend: "openai/gpt",
    iteration: 2,
  });

  it("says until when, with the date if that is not today", () => {
    const today = stateWords(state(Date.now()));
    expect(today).toMatch(/^Waiting until \d{1,2}:\d\d.* for openai\/gpt$/);
    const later = stateWords(state(Date.now() + 50 * 3_600_000));
    expect(later).toMatch(/^Waiting until \w+ \d{1,2}, \d{4}.*\d{1,2}:\d\d.* for openai\/gpt$/);
  });

  it("counts as running and can continue now", () => {
    expect(standingOf(task("waits", { state: state(0) }))).toBe("running");
    expect(resumeWords(state(0))).toBe("Continue now");
    expect(resumeWords({ state: "running", iteration: 2 })).toBeUndefined();
    expect(resumeWords({ state: "paused", reason: "permission", iteration: 2 })).toBeUndefined();
    expect(resumeWords({ state: "paused", reason: "budget", iteration: 2 })).toBe("Resume");
  });
});

describe("sub-tasks in the list", () => {
  const running: TaskState = { state: "running", iteration: 2 };
  const waits: TaskState = { state: "awaiting_subtasks", iteration: 2 };
  const asks: TaskState = { state: "paused", reason: "permission", iteration: 2 };
  const part = (id: string, of: string, state?: TaskState) =>
    task(id, { parent: { task: of, call: `${of}-1-1` }, ...(state && { state }) });
  const shown = (all: TaskSummary[], words = "", filter: Filter = "all") =>
    rowsOf(all, words, filter, NOW).map((row) =>
      row.is === "task" ? `${"-".repeat(row.depth)}${row.task.id}` : row.words,
    );
  const parent = task("parent", { state: waits });
  const deep = part("deep", "two", asks);
  const all = [
    task("runs", { state: running }),
    part("two", "parent", waits),
    part("one", "parent"),
    deep,
    parent,
  ];

  it("are below the task that handed them over, which comes first where one of them waits for a person", () => {
    expect(shown(all)).toEqual(["parent", "-two", "--deep", "-one", "runs"]);
    expect(shown(all, "", "waiting")).toEqual(["parent", "-two", "--deep", "-one"]);
  });

  it("are no conversations of their own once it has ended, and still found by their words", () => {
    const ended = [task("parent"), part("one", "parent"), part("two", "parent")];
    expect(shown(ended)).toEqual(["tasks.today", "parent"]);
    expect(shown(ended, "goal two")).toEqual(["tasks.today", "parent", "-two"]);
    expect(shown([part("lost", "gone")])).toEqual(["tasks.today", "lost"]);
  });
});

describe("how a task ended", () => {
  const ended = (reason: StoppedTask["reason"], denied = 0, undone = false): TaskState => {
    return { state: "stopped", reason, summary: "", denied, undone };
  };

  // Regression: a task that finished with a denied request was shown as stopped by the denial.
  it.each([
    [ended("completed"), "Done"],
    [ended("completed", 2), "Done · 2 requests denied"],
    [ended("denied", 1), "Done · 1 request denied"],
    [ended("denied"), "Done · request denied"],
    [ended("manual_stop", 1), "Stopped by you"],
    [ended("needs_model"), "Needs a model"],
    [ended("completed", 1, true), "Undone"],
  ])("%j", (state, words) => expect(stateWords(state)).toBe(words));

  it("is done in the list, too", () => {
    expect(standingOf(task("t", { state: ended("denied", 1) }))).toBe("done");
  });

  it("has no line for a memory that was forgotten and brought back at once", () => {
    const draft = draftOf(emptyJournal("t"));
    const event = (seq: number, of: TaskEvent) => foldEvent(draft, { seq, task: "t", at_ms: seq, event: of });
    event(1, { type: "memory_forgotten", memory: 7 });
    event(2, { type: "memory_forgotten", memory: 8 });
    event(3, { type: "memory_restored", memory: 8, text: "x" });
    expect(draft.entries.map(({ key }) => key)).toEqual(["e1"]);
  });

  it("leaves to undo what the host says is left", () => {
    const draft = draftOf(emptyJournal("t"));
    const event = (seq: number, of: TaskEvent) => foldEvent(draft, { seq, task: "t", at_ms: seq, event: of });
    event(1, {
      type: "undone",
      files: [],
      repositories: [],
      operations: 3,
      jobs: ["j2"],
      left: 1,
      can_redo: true,
    });
    expect(changesLeft(draft)).toBe(1);
    event(2, {
      type: "undone",
      files: [],
      repositories: [],
      operations: 2,
      jobs: ["j3"],
      left: 0,
      can_redo: true,
    });
    expect(changesLeft(draft)).toBe(0);
    expect(canRedo(draft)).toBe(true);
  });

  it("offers a redo as the host says, and by counting in older journals", () => {
    const draft = draftOf(emptyJournal("t"));
    const event = (seq: number, of: TaskEvent) => foldEvent(draft, { seq, task: "t", at_ms: seq, event: of });
    const undone = { files: [], repositories: [], operations: 3, jobs: [] };
    event(1, { ...undone, type: "undone", left: 0, can_redo: null });
    expect(canRedo(draft)).toBe(true);
    event(2, { ...undone, type: "redone", left: 3, can_redo: null });
    expect(canRedo(draft)).toBe(false);
    event(3, { ...undone, type: "redone", left: 3, can_redo: true });
    expect(canRedo(draft)).toBe(true);
    event(4, { ...undone, type: "undone", left: 0, can_redo: false });
    expect(canRedo(draft)).toBe(false);
  });
});

describe("usage", () => {
  const row = (task: string, model: string | null, tokens: number, at_ms = NOW, cost?: number): UsageRow => {
    return {
      at_ms,
      task,
      goal: `Goal ${task}`,
      backend: "cloud",
      model,
      plans: 1,
      input_tokens: tokens,
      output_tokens: 0,
      cached_tokens: 2,
      reasoning_tokens: 1,
      cost_micros: cost ?? null,
    };
  };
  const today = { tokens: 0, cost_micros: 0, max_tokens: 0, max_cost_cents: 0 };
  const told = (rows: UsageRow[]): UsageAnswer => {
    return { answer: "usage", rows, prices: [], currency: "USD", today };
  };
  const rows = [row("a", "m-large", 10), row("b", "m-small", 5, NOW - DAY), row("a", null, 1)];

  it("counts a plan on the day on which it was made, for its model and its task", () => {
    const old = row("c", "m-large", 99, NOW - 60 * DAY);
    const usage = usageOf(told([old, ...rows]), 30, NOW);
    expect(usage.total.tokens).toBe(16);
    expect(usage.days.slice(-2).map((day) => day.tokens)).toEqual([5, 11]);
    expect(usage.byModel.map(({ name, tokens }) => [name, tokens])).toEqual([
      ["m-large", 10],
      ["m-small", 5],
      ["cloud", 1],
    ]);
    expect(usage.byTask.map(({ name, tokens }) => [name, tokens])).toEqual([
      ["Goal a", 11],
      ["Goal b", 5],
    ]);
  });

  it("takes the cost from the host and says what has no price", () => {
    const priced = rows.map((each) => ({ ...each, cost_micros: each.input_tokens * 1_000_000 }));
    const usage = usageOf(told(priced), 30, NOW);
    expect(usage.total.money).toBe(16);
    expect([usage.cached, usage.thoughts, usage.unpriced]).toEqual([6, 3, []]);
    const some = usageOf(told([row("a", "m-large", 10, NOW, 10_000_000), ...rows.slice(1)]), 30, NOW);
    expect(some.total).toEqual({ tokens: 16, money: 10, unpriced: 6 });
    expect(some.unpriced).toEqual(["m-small", "cloud"]);
  });
});

describe("a request in words", () => {
  const [, sample] =
    golden<{ event: { request: PermissionRequest } }>("EventRecord").find(
      ([name]) => name === "event_permission_requested_command.json",
    ) ?? [];
  if (!sample) throw new Error("the golden request is missing");
  const { request } = sample.event;

  it("says what a command does and how far it may go", () => {
    expect(headline(request)).toBe("Run cargo test, change REPORT.md, and connect to https://example.org");
    expect(reach(request).join(" ")).toBe(
      "Can read your home folder. Changes files only in this folder. No network.",
    );
  });

  it("says that the home is closed to what was agreed to in advance", () => {
    const folder = { kind: "folder", path: "/home/ada/p" } as const;
    const work = {
      lifetime: { for: "task", task: request.task },
      rule: folder,
      wider: true,
      label: "",
    } as const;
    const fits = { ...request, offered: [...request.offered, work] };
    expect(reach(fits, "medium").join(" ")).toBe(
      "Reads and changes files only in this folder. The rest of your home is closed to it. No network.",
    );
    for (const [asked, consent] of [
      [fits, null],
      [fits, "low"],
      [request, "medium"],
    ] as const) {
      expect(reach(asked, consent)[0]).toBe("Can read your home folder. Changes files only in this folder.");
    }
  });

  it("says where it runs in another folder, and with a time limit of its own", () => {
    expect(unusual(request).join(" ")).toBe("This isn't the task's folder, ~. Time limit: 1 h 0 min.");
    const details = { ...request.details, away_from: null, time_limit_secs: null };
    expect(unusual({ ...request, details })).toEqual([]);
  });

  it("counts what is too much to name", () => {
    const part = (text: string): Part => ({
      kind: "command",
      text,
      decision: "ask",
      risk: "low",
      reason: "",
    });
    const parts = ["a", "b", "c", "d"].map(part);
    expect(headline({ ...request, details: { ...request.details, parts } })).toBe("Run 4 commands");
  });
});

describe("a call in words", () => {
  it.each([
    ["shell", { command: "ls -la | head" }, "ls -la | head"],
    ["shell", { command: "a\nb" }, "a ⏎ b"],
    ["search", { action: "grep", pattern: "a b", path: "." }, 'search grep "a b" .'],
    ["mystery", null, "mystery"],
    ["code", { action: "write", path: "x\u202etxt" }, 'code write "x⟨U+202E⟩txt"'],
  ])("%s %j reads %s", (tool, parameters, line) => expect(callLine(tool, parameters)).toBe(line));
});

describe("calls that are asked about together", () => {
  const sample = (name: string) => {
    const record = golden<EventRecord>("EventRecord").find(([file]) => file === name)?.[1];
    if (!record) throw new Error(`there is no sample ${name}`);
    return record;
  };
  const requested = sample("event_permission_requested_steps.json");
  const answered = sample("event_permission_answered_without.json");
  if (requested.event.type !== "permission_requested" || answered.event.type !== "permission_answered")
    throw new Error("the samples are others");
  const { request } = requested.event;
  const calls = requestedSteps(request).map((step) => step.call);

  it("say how many a yes allows", () => {
    expect(headline(request)).toBe("2 edits: REPORT.md, INDEX.md");
    expect([allowWords(request, undefined, 0), allowWords(request, undefined, 1)]).toEqual([
      "Allow all 2",
      "Allow 1 of 2",
    ]);
  });

  it("wait together and have one answer, which says of each what it means", () => {
    const plan = {
      reasoning: "",
      tool_calls: calls.map((id) => ({ id, tool: "code", parameters: {}, problem: null, written: null })),
      question: null,
      is_complete: false,
      summary: null,
      needs_model: false,
      provider_state: null,
    };
    const usage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0 };
    const planned: EventRecord = {
      ...requested,
      seq: 1,
      event: { type: "planned", plan, usage, duration_ms: 1, model: null, backend: null, cost_micros: null },
    };
    const told = (...records: EventRecord[]) => {
      const journal = draftOf(emptyJournal(requested.task));
      for (const [at, record] of records.entries()) foldEvent(journal, { ...record, seq: at + 1 });
      return journal.entries.filter((entry) => entry.is === "call");
    };
    const waiting = told(planned, requested);
    expect(waiting.map((entry) => openRequest(entry)?.id)).toEqual([request.id, request.id]);
    const done = told(planned, requested, answered);
    expect(done.map((entry) => openRequest(entry))).toEqual([undefined, undefined]);
    expect(done.map((entry) => entry.answer && answerWords(entry.answer, entry.id))).toEqual([
      "Allowed by you (terminal)",
      "Left out by you (terminal)",
    ]);
    const { choice, by } = answered.event as Extract<TaskEvent, { type: "permission_answered" }>;
    expect(answerWords({ choice, by })).toBe("Allowed by you (terminal), 1 step left out");
  });
});

describe("the side column", () => {
  it("names steps by the planner's words, and what calls touched", () => {
    const messages = recording("duplicates.jsonl");
    const records = messages.flatMap((message) => (message.type === "event" ? [message.record] : []));
    const id = records[0]?.task ?? "";
    const state = stateAfter(
      { from: "page", open: id },
      { from: "page", complete: id, console: undefined },
      { from: "page", past: id, events: records, shortened: [], tail: false },
    );
    const journal = state.journals.get(id) ?? emptyJournal(id);
    expect(stepsOf(journal, false).map((step) => [step.title, step.stands])).toEqual([
      ["I begin by looking at what is in the folder and how large it is", "done"],
      ["Most of these are notes and invoices", "done"],
      ["There are two groups of equal files", "done"],
      ["The report stands", "failed"],
      ["One thing is yours to decide", "done"],
    ]);
    expect([...touchedBy(journal).changed]).toEqual(["/home/ada/Downloads/REPORT.md"]);
  });
});

describe("addresses", () => {
  it.each([
    ["", { screen: "tasks" }],
    ["#/tasks/t1", { screen: "task", task: "t1" }],
    ["#/inbox/r%2F1", { screen: "inbox", request: "r/1" }],
    ["#/devices", { screen: "devices" }],
    ["#/nowhere", { screen: "tasks" }],
  ])("%s leads to %j", (hash, route) => expect(parseRoute(hash)).toEqual(route));
});
