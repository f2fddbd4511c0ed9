import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ClientMessage, ErrorBody, ErrorCode, ServerMessage } from "../protocol";
import type { LineEvents, Transport } from "../transport";
import { Client, type HostError } from "./client";
import { Store } from "./store";
import { event, recording } from "./testing";

/** A transport whose other end is the test. */
function wire() {
  const lines: { events: LineEvents; sent: ClientMessage[] }[] = [];
  const transport: Transport = {
    screen: "test",
    remote: false,
    proof: () => null,
    open: (events) => {
      const sent: ClientMessage[] = [];
      lines.push({ events, sent });
      return { send: (message) => sent.push(message), close: () => {} };
    },
  };
  const line = (at: number) => {
    const found = lines[at];
    if (!found) throw new Error(`line ${at} was not opened`);
    return found;
  };
  return { transport, line, count: () => lines.length };
}

const welcome = (seq: number): ServerMessage => ({
  type: "welcome",
  protocol: 1,
  version: "1",
  seq,
  scopes: [],
  local: true,
});
const idle: ServerMessage = { type: "snapshot", snapshot: { seq: 0, state: { agent: "idle" } } };
const records = recording("duplicates.jsonl").flatMap((m) => (m.type === "event" ? [m.record] : []));

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one scripted connection for all tests
describe("the client", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  function start() {
    const { transport, line, count } = wire();
    const store = new Store((run) => run());
    const client = new Client(store, transport);
    client.connect();
    return { store, client, line, count };
  }

  it("asks for a snapshot first, and resumes from the last event after a break", () => {
    const { store, line, count } = start();
    line(0).events.opened();
    expect(line(0).sent[0]).toMatchObject({ type: "hello", resume_from: null, follow: true });
    line(0).events.message(welcome(0));
    line(0).events.message(idle);
    for (const record of records.slice(0, 5)) line(0).events.message(event(record));
    line(0).events.closed();
    expect(store.get().link.is).toBe("offline");
    vi.advanceTimersByTime(1000);
    expect(count()).toBe(2);
    line(1).events.opened();
    expect(line(1).sent[0]).toMatchObject({ type: "hello", resume_from: 5 });
  });

  it("asks an older host where a task stands, once for many events", () => {
    const { store, line } = start();
    line(0).events.opened();
    line(0).events.message(welcome(0));
    line(0).events.message(idle);
    for (const record of records.slice(0, 5)) line(0).events.message(event(record));
    vi.advanceTimersByTime(1000);
    const asked = line(0).sent.filter((each) => each.type === "query" && each.query.query === "task");
    expect(asked).toHaveLength(1);
    const [query] = asked;
    const first = records[0];
    if (query?.type !== "query" || first?.event.type !== "created") throw new Error("nothing was asked");
    const { id, session, goal, profile, backend, workspace } = first.event.spec;
    const state = { state: "running", iteration: 1 } as const;
    const times = { created_at_ms: 1, updated_at_ms: 2 };
    const task = {
      id,
      session,
      goal,
      profile,
      backend,
      workspace,
      state,
      tokens: 3,
      model: null,
      cost_micros: null,
      todo: null,
      queue_rank: null,
      title: null,
      archived: false,
      parent: null,
      ...times,
    };
    line(0).events.message({ type: "query_reply", id: query.id, answer: { answer: "task", task } });
    expect(store.get().tasks.get(id)).toEqual(task);
  });

  it("waits longer after each failure, and not for ever", () => {
    const { line, count } = start();
    const waits: number[] = [];
    for (let failure = 0; failure < 9; failure += 1) {
      line(failure).events.closed();
      let waited = 0;
      while (count() === failure + 1) {
        vi.advanceTimersByTime(50);
        waited += 50;
      }
      waits.push(waited);
    }
    expect(waits[0]).toBeLessThanOrEqual(700);
    expect(waits[3]).toBeGreaterThan(waits[0] ?? 0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(19_000);
  });

  it("sends a command that broke off again with the same id", async () => {
    const { client, line } = start();
    line(0).events.opened();
    line(0).events.message(welcome(0));
    const done = client.command({ command: "pause", task: "t" });
    const first = line(0).sent.at(-1);
    line(0).events.closed();
    vi.advanceTimersByTime(1000);
    line(1).events.opened();
    line(1).events.message(welcome(0));
    const again = line(1).sent.find((message) => message.type === "command");
    expect(again).toEqual(first);
    if (again?.type !== "command") throw new Error("no command was sent");
    line(1).events.message({ type: "command_reply", id: again.envelope.id, outcome: { outcome: "done" } });
    await expect(done).resolves.toEqual({ outcome: "done" });
  });

  it("does not keep for later what is wanted while the host is gone", async () => {
    // Regression: the command was sent silently once the host was back.
    const { client, line } = start();
    line(0).events.opened();
    line(0).events.message(welcome(0));
    line(0).events.closed();
    const refused = expect(client.command({ command: "stop", task: "t" })).rejects.toMatchObject({
      body: { code: "not_sent" },
    });
    vi.advanceTimersByTime(1000);
    line(1).events.opened();
    line(1).events.message(welcome(0));
    expect(line(1).sent.filter((message) => message.type === "command")).toEqual([]);
    await refused;
  });

  it("does not send a yes again that was not confirmed before the line broke", async () => {
    const { client, line } = start();
    line(0).events.opened();
    line(0).events.message(welcome(0));
    const choice = {
      choice: "allow",
      lifetime: { for: "once" },
      wider: false,
      dropped: [] as string[],
    } as const;
    const by = { by: "local", screen: "test" } as const;
    const answer = { request: "r", digest: "d", choice, by };
    const refused = expect(client.command({ command: "answer_permission", answer })).rejects.toMatchObject({
      body: { code: "not_sent" },
    });
    expect(line(0).sent.at(-1)?.type).toBe("command");
    line(0).events.closed();
    vi.advanceTimersByTime(1000);
    line(1).events.opened();
    line(1).events.message(welcome(0));
    expect(line(1).sent.filter((message) => message.type === "command")).toEqual([]);
    await refused;
  });

  it("tells why the host refused", async () => {
    const { client, line } = start();
    line(0).events.opened();
    line(0).events.message(welcome(0));
    const done = client.command({ command: "stop", task: "t" });
    const sent = line(0).sent.at(-1);
    const error: ErrorBody = { code: "task_ended", message: "It has ended.", hints: [] };
    if (sent?.type !== "command") throw new Error("no command was sent");
    line(0).events.message({ type: "error", id: sent.envelope.id, error });
    await expect(done).rejects.toMatchObject({ body: error } satisfies Partial<HostError>);
  });

  it.each<[ErrorCode, string]>([
    ["no_proof", "refused"],
    ["session_over", "refused"],
    ["protocol", "refused"],
    ["too_slow", "offline"],
    // A code from a newer host.
    ["moon_is_full" as ErrorCode, "offline"],
  ])("after %s it is %s", (code, is) => {
    const { store, line } = start();
    line(0).events.opened();
    line(0).events.message({ type: "error", id: null, error: { code, message: "No.", hints: [] } });
    if (is === "offline") line(0).events.closed();
    expect(store.get().link.is).toBe(is);
  });

  it("brings a long task page by page, and what its calls say now", async () => {
    const { store, client, line } = start();
    line(0).events.opened();
    line(0).events.message(welcome(0));
    const task = records[0]?.task ?? "";
    const opened = client.open(task);
    const answer = async (reply: (id: string) => ServerMessage) => {
      const asked = line(0).sent.at(-1);
      if (asked?.type !== "query") throw new Error("nothing was asked");
      line(0).events.message(reply(asked.id));
      await vi.advanceTimersByTimeAsync(0);
    };
    await answer((id) => ({
      type: "query_reply",
      id,
      answer: { answer: "events", events: records.slice(0, 6), shortened: [] },
    }));
    const call = "t-1-1";
    const running = { call, summary: "", started_at_ms: 0, output: "half a li" };
    await answer((id) => ({
      type: "query_reply",
      id,
      answer: { answer: "console", planning: "", calls: [running], backgrounds: [], files: [] },
    }));
    await opened;
    const journal = store.get().journals.get(task);
    expect(journal?.status).toBe("ready");
    expect(journal?.outputs.get(call)).toBe("half a li");
  });
});
