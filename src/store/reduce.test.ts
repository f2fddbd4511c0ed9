import { describe, expect, it } from "vitest";
import type { EventRecord, ServerMessage, TaskEvent, TaskUpdate } from "../protocol";
import { type CallEntry, emptyJournal, openRequest, shownOf } from "./journal";
import { reduce } from "./reduce";
import { type AppState, type Input, initialState } from "./state";
import { event, golden, heard, lives, past, recording, stateAfter } from "./testing";

const messages = recording("duplicates.jsonl");
const records = messages.flatMap((message) => (message.type === "event" ? [message.record] : []));
const task = records[0]?.task ?? "";

/** The start of the recording, with the task's journal opened, so that every event is folded live. */
const opened: Input[] = [
  ...heard(...messages.slice(0, 2)),
  { from: "page", open: task },
  { from: "page", complete: task, console: undefined },
];
const story: Input[] = [...opened, ...heard(...messages.slice(2))];

/** Converts maps to lists, so that states can be compared. */
function plain(state: AppState): unknown {
  return JSON.parse(
    JSON.stringify(state, (_, value: unknown) => (value instanceof Map ? [...value.entries()] : value)),
  );
}

/** A task's update, for tests of how the page applies updates. */
const stands: TaskUpdate = {
  state: { state: "running", iteration: 2 },
  tokens: 7,
  backend: "b",
  model: null,
  cost_micros: null,
  todo: null,
  updated_at_ms: 5,
  queue_rank: null,
  title: null,
  archived: false,
};

describe("where a task stands", () => {
  const first = messages.find((message) => message.type === "event");
  if (first?.type !== "event" || first.record.event.type !== "created")
    throw new Error("the recording begins with the task");
  const created = first.record;

  it("is what the host says with each event", () => {
    const queued: TaskUpdate = {
      ...stands,
      state: { state: "queued" },
      tokens: 0,
      updated_at_ms: 3,
      queue_rank: "80",
    };
    const start = stateAfter(...heard(event(created, queued)));
    const { spec } = first.record.event as Extract<TaskEvent, { type: "created" }>;
    expect(start.tasks.get(task)).toMatchObject({ goal: spec.goal, created_at_ms: created.at_ms, ...queued });
    const next: EventRecord = { ...created, seq: created.seq + 1, event: { type: "resumed" } };
    expect(reduce(start, heard(event(next, stands))).tasks.get(task)).toMatchObject({
      goal: spec.goal,
      ...stands,
    });
  });

  it("stays as it was where an event says nothing of it", () => {
    const start = stateAfter(...heard(event(created, stands)));
    const next: EventRecord = { ...created, seq: created.seq + 1, event: { type: "interrupted" } };
    expect(reduce(start, heard(event(next))).tasks).toBe(start.tasks);
  });

  it("is no task of its own where the task is not known", () => {
    const next: EventRecord = { ...created, event: { type: "interrupted" } };
    expect(stateAfter(...heard(event(next, stands))).tasks.size).toBe(0);
  });

  it.each(lives())("%s is followed to the very state that the host tells who connects then", (_, told) => {
    let followed = initialState;
    for (const message of told) {
      if (message.type === "snapshot") {
        const whole = stateAfter(...heard(message));
        const open = [...followed.tasks].filter(([, { state }]) => state.state !== "stopped");
        expect(open).toEqual([...whole.tasks]);
        expect([...followed.requests]).toEqual([...whole.requests]);
        expect([...followed.questions]).toEqual([...whole.questions]);
        expect(followed.seq).toBe(whole.seq);
      } else followed = reduce(followed, heard(message));
    }
  });
});

describe("golden samples", () => {
  it.each(golden<ServerMessage>("ServerMessage"))("%s is taken up", (_, message) => {
    const state = stateAfter(...heard(message));
    if (message.type === "snapshot") expect(state.seq).toBe(message.snapshot.seq);
    if (message.type === "welcome") expect(state.link.is).toBe("online");
  });

  it("a call that asks while it runs shows that, and runs on after the answer", () => {
    const [, asked] = golden<EventRecord>("EventRecord").find(
      ([name]) => name === "event_permission_requested_midway.json",
    ) ?? ["", undefined];
    const call = records.find((record) => record.event.type === "tool_started");
    if (asked?.event.type !== "permission_requested" || call?.event.type !== "tool_started")
      throw new Error("the samples have a request and a call");
    const before = records.slice(0, records.indexOf(call) + 1);
    const seq = call.seq;
    const { request } = asked.event;
    const requested = { ...request, task, call: call.event.call };
    const answer = { request: request.id, call: call.event.call, digest: request.digest };
    const told = (more: EventRecord["event"][]) =>
      stateAfter(
        ...opened,
        ...heard(...before.slice(1).map((record) => event(record))),
        ...heard(...more.map((it, at) => event({ seq: seq + 1 + at, task, at_ms: 0, event: it }))),
      );
    const entryOf = (state: AppState) =>
      state.journals.get(task)?.entries.find((entry) => entry.key === requested.call) as CallEntry;
    const asks: EventRecord["event"] = { type: "permission_requested", touches: [], request: requested };
    const open = told([asks]);
    expect(openRequest(entryOf(open))?.id).toBe(request.id);
    expect(open.requests.has(request.id)).toBe(true);
    const choice = { choice: "deny", reason: "no", change: false } as const;
    const by = { by: "local", screen: "desktop" } as const;
    const after = told([asks, { type: "permission_answered", ...answer, choice, by }]);
    expect(openRequest(entryOf(after))).toBeUndefined();
    expect(entryOf(after).phase).toBe("running");
    expect(entryOf(after).midwayAnswers).toHaveLength(1);
    expect(after.requests.has(request.id)).toBe(false);
  });

  it("cover every kind of event", () => {
    const kinds = new Set(golden<EventRecord>("EventRecord").map(([, record]) => record.event.type));
    expect(kinds.size).toBe(48);
  });
});

describe("a recorded task", () => {
  const state = stateAfter(...story);
  const journal = state.journals.get(task);
  const calls = journal?.entries.filter((entry): entry is CallEntry => entry.is === "call") ?? [];

  it("reads as it happened", () => {
    expect(journal?.entries.map((entry) => entry.is)).toEqual([
      "goal",
      "thought",
      "call",
      "call",
      "thought",
      "call",
      "call",
      "call",
      "thought",
      "call",
      "thought",
      "call",
      "thought",
      "question",
      "end",
    ]);
    expect(calls.map((call) => call.result?.status)).toEqual([
      "ok",
      "failed",
      "ok",
      "ok",
      "failed",
      "ok",
      "denied",
    ]);
    expect(calls.at(-1)?.answer?.choice).toEqual({ choice: "deny", reason: "no network, please" });
    expect(calls.at(-2)?.result?.changes).toHaveLength(1);
    expect(journal?.stream).toBe("");
    expect(journal?.outputs.size).toBe(0);
  });

  it("counts its tokens as the host does", () => {
    const spent = records.reduce((sum, { event: each }) => {
      return each.type === "planned" ? sum + each.usage.input_tokens + each.usage.output_tokens : sum;
    }, 0);
    expect(state.tasks.get(task)?.tokens).toBe(spent);
    expect((journal?.inputTokens ?? 0) + (journal?.outputTokens ?? 0)).toBe(spent);
  });

  it("leaves nothing waiting, and remembers who answered", () => {
    expect(state.requests.size + state.questions.size).toBe(0);
    expect([...state.settled.values()].map((each) => each.answer?.choice.choice)).toEqual(["allow", "deny"]);
    const said = records.flatMap(({ event: each }) => (each.type === "question_answered" ? [each.text] : []));
    expect([...state.answered.values()].map((each) => each.said?.text)).toEqual(said);
    expect(said).not.toEqual([]);
  });

  it.each([1, 2, 3, 7, 1000])("is the same in batches of %i", (size) => {
    const inputs = story;
    let batched = initialState;
    for (let at = 0; at < inputs.length; at += size) batched = reduce(batched, inputs.slice(at, at + size));
    expect(plain(batched)).toEqual(plain(state));
  });

  it("is the same told twice", () => {
    const again = reduce(state, heard(...messages.filter((message) => message.type === "event")));
    expect(plain(again)).toEqual(plain(state));
  });

  it.each(records.map((_, cut) => cut))("is the same when it is opened after %i events", (cut) => {
    const live = messages.filter((message) => message.type === "event");
    // One event arrives live before the answer that contains it, and one after.
    const joined = stateAfter(
      ...heard(...messages.slice(0, 2), ...live.slice(0, cut)),
      { from: "page", open: task },
      ...heard(...live.slice(cut, cut + 1)),
      past(records.slice(Math.max(0, cut - 5), cut + 1), true),
      past(records.slice(0, cut + 1), false),
      ...heard(...live.slice(cut + 1, cut + 3)),
      { from: "page", complete: task, console: undefined },
      ...heard(...live.slice(cut + 3)),
    );
    expect(plain(joined)).toMatchObject({ tasks: (plain(state) as { tasks: unknown }).tasks });
    expect(joined.journals.get(task)?.entries).toEqual(journal?.entries);
  });
});

describe("a long task", () => {
  const idle: ServerMessage = { type: "snapshot", snapshot: { seq: 0, state: { agent: "idle" } } };
  const journal = stateAfter(...story).journals.get(task);
  const tail = records.slice(-9);

  it("shows its newest events until all are in", () => {
    const opening = stateAfter({ from: "page", open: task }, past(tail, true));
    const shown = shownOf(opening.journals.get(task) ?? emptyJournal(task));
    expect(shown?.entries.at(-1)).toEqual(journal?.entries.at(-1));
    expect(shown?.entries.length).toBeLessThan(journal?.entries.length ?? 0);
    const whole = reduce(opening, [
      past(records, false),
      { from: "page", complete: task, console: undefined },
    ]);
    const known = whole.journals.get(task);
    expect(known?.shown).toBeUndefined();
    expect(known?.entries).toEqual(journal?.entries);
  });

  it("draws nothing anew while its past comes in", () => {
    const shownIn = (state: AppState) => shownOf(state.journals.get(task) ?? emptyJournal(task));
    const opening = stateAfter({ from: "page", open: task }, past(tail, true));
    const more = reduce(opening, [past(records.slice(0, 4), false)]);
    expect(more.journals.get(task)?.entries.length).toBeGreaterThan(0);
    expect(shownIn(more)).toBe(shownIn(opening));
  });

  it("follows what happens meanwhile, and once only", () => {
    const [, ...later] = records.slice(-3);
    const opening = stateAfter(
      { from: "page", open: task },
      past(records.slice(-9, -2), true),
      ...heard(...later.map((record) => event(record))),
    );
    const shown = shownOf(opening.journals.get(task) ?? emptyJournal(task));
    expect(shown?.entries.at(-1)).toEqual(journal?.entries.at(-1));
    const whole = reduce(opening, [
      past(records, false),
      { from: "page", complete: task, console: undefined },
    ]);
    expect(whole.journals.get(task)?.entries).toEqual(journal?.entries);
  });

  it("stays in view when the line breaks", () => {
    const state = reduce(
      stateAfter(...opened, ...heard(...records.map((record) => event(record)))),
      heard(idle),
    );
    const known = state.journals.get(task) ?? emptyJournal(task);
    expect(known.status).toBe("loading");
    expect(shownOf(known)?.entries).toEqual(journal?.entries);
  });
});

describe("a snapshot", () => {
  const [, snapshot] =
    golden<ServerMessage>("ServerMessage").find(([name]) => name === "server_snapshot_active.json") ?? [];
  if (!snapshot) throw new Error("the golden snapshot is missing");

  it("takes the place of what was known, and lets open tasks load again", () => {
    const state = stateAfter(...story.slice(0, 14), ...heard(snapshot));
    expect(state.journals.get(task)?.status).toBe("loading");
    expect(state.tasksKnown).toBe(false);
    expect(state.requests.size).toBeGreaterThan(0);
  });

  it("stands against a list of tasks that is older or newer", () => {
    const known = stateAfter(...heard(snapshot));
    const [first] = known.tasks.values();
    if (!first) throw new Error("the golden snapshot has a task");
    const other = { ...first, id: "t-ended", tokens: 3 };
    const list: ServerMessage = {
      type: "query_reply",
      id: "q",
      answer: { answer: "tasks", tasks: [{ ...first, tokens: 1 }, other], said: [] },
    };
    const state = reduce(known, heard(list));
    expect(state.tasks.get(first.id)).toEqual(first);
    expect(state.tasks.get("t-ended")).toEqual(other);
    expect(state.tasksKnown).toBe(true);
  });
});

describe("long texts", () => {
  it("come cut, and in full where they are read", () => {
    const finished = records.findIndex((record) => record.event.type === "tool_finished");
    const record = records[finished];
    if (record?.event.type !== "tool_finished") throw new Error("the recording has a result");
    const { call, result } = record.event;
    const short = { ...record, event: { ...record.event, result: { ...result, content: "to[...]al" } } };
    const live = records.slice(0, finished).map((record) => event(record));
    const cut = stateAfter(
      ...opened,
      ...heard(...live, { type: "event", record: short, update: null, shortened: true }),
    );
    const entry = (state: AppState) => {
      return state.journals
        .get(task)
        ?.entries.find((each): each is CallEntry => each.is === "call" && each.id === call);
    };
    expect(entry(cut)?.cut).toEqual([record.seq]);
    const whole = reduce(cut, [{ from: "page", whole: record }]);
    expect(entry(whole)?.cut).toBeUndefined();
    expect(entry(whole)?.result?.content).toBe(result.content);
  });
});

describe("what becomes of what a task said", () => {
  it("is told, and changes nothing of the task itself", () => {
    const before = stateAfter(...story);
    const { seq } = before;
    const at_ms = 9_000_000_000_000;
    const [edited, forgotten, restored] = [
      { type: "memory_edited", memory: 1, text: "other words" },
      { type: "memory_forgotten", memory: 1 },
      { type: "memory_restored", memory: 1, text: "other words" },
    ] as const;
    const told = [edited, forgotten, restored].map((each, place) =>
      event({ seq: seq + 1 + place, task, at_ms, event: each }),
    );
    const after = reduce(before, heard(...told));
    expect(after.tasks).toBe(before.tasks);
    expect(after.memoriesChanged).toBe(seq + 3);
    // A memory that was restored right away needs no entry.
    expect(after.journals.get(task)?.entries.at(-1)?.is).toBe("memory_edited");
  });
});

describe("jobs that are told live", () => {
  it("are known by how far they are, the newest fifty of them", () => {
    const told = Array.from({ length: 60 }, (_, at) => ({
      type: "job" as const,
      job: `j${at}`,
      undoes: at === 59 ? "j0" : null,
      call: null,
      done: at,
      steps: 100,
    }));
    const { working } = reduce(initialState, heard(...told));
    expect(working.size).toBe(50);
    expect(working.has("j9")).toBe(false);
    expect(working.get("j59")).toMatchObject({ undoes: "j0", done: 59, steps: 100 });
  });
});

describe("a host of another age", () => {
  const welcome = { type: "welcome", protocol: 1, version: "1", seq: 0, scopes: ["monitor"], local: false };

  it("that does not say what a session may do, yet, lets it be as it was", () => {
    const { scopes, local, ...older } = welcome;
    expect(stateAfter(...heard(older as unknown as ServerMessage)).may).toEqual(initialState.may);
    expect(stateAfter(...heard(welcome as ServerMessage)).may).toEqual({ scopes, local });
  });

  it("is understood as far as it is known", () => {
    const state = stateAfter(...opened, ...heard(...records.map((record) => event(record))));
    const news = [
      { type: "weather" },
      { type: "event", record: { ...records[0], seq: state.seq + 1, event: { type: "dreamt" } } },
    ];
    const next = reduce(state, heard(...(news as unknown as ServerMessage[])));
    expect(next.seq).toBe(state.seq + 1);
    expect(next.journals.get(task)?.entries).toEqual(state.journals.get(task)?.entries);
    expect(next.tasks.get(task)?.state).toEqual(state.tasks.get(task)?.state);
  });
});

describe("what is untouched", () => {
  it("stays the same object, so that nothing is drawn in vain", () => {
    const state = stateAfter(...story);
    const next = reduce(state, heard({ type: "progress", task: "another", call: null, text: "x" }));
    expect(next.tasks).toBe(state.tasks);
    expect(next.journals).toBe(state.journals);
    expect(next.requests).toBe(state.requests);
  });
});
