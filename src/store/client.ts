/** Keeps the line to the host: says hello, resumes, asks, tells, and tries again with growing pauses. */
import {
  type ClientMessage,
  type Command,
  type CommandOutcome,
  type ErrorBody,
  FINAL_ERRORS,
  PROTOCOL_VERSION,
  type Query,
  type QueryAnswer,
  type ServerMessage,
} from "../protocol";
import { englishOf, t } from "../text";
import type { Line, Transport } from "../transport";
import type { Store } from "./store";

/** A command or query that the host refused, or that never reached it. */
export class HostError extends Error {
  constructor(readonly body: ErrorBody) {
    super(englishOf(body.message));
  }
}

/** Tasks that lists hold. */
const TASKS = 2_000;
/** Events that one query brings: few enough to be folded between two frames. */
const PAGE = 1_000;
/** The newest events of a task, which are shown before its past is in. */
const TAIL = 200;
/** How long events gather before their tasks are asked for, with a host that does not say where they stand. */
const ASK_AFTER_MS = 200;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

interface Pending {
  message: ClientMessage;
  resolve(reply: CommandOutcome | QueryAnswer): void;
  reject(error: HostError): void;
}

/** The page's own client of the host. */
export class Client {
  private line: Line | undefined;
  private pause = FIRST_PAUSE_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private welcomed = false;
  /** What was said last of why there is no line. */
  private why: ErrorBody | undefined;
  private readonly pending = new Map<string, Pending>();
  /** Tasks with events that did not say where they stand. */
  private readonly unsaid = new Set<string>();

  constructor(
    private readonly store: Store,
    private readonly transport: Transport,
  ) {}

  /** What answers given here are journalled with. */
  get screen(): string {
    return this.transport.screen;
  }

  /** Whether this page is a paired device's. */
  get remote(): boolean {
    return this.transport.remote;
  }

  /** The paired device that this page is, where it is one. */
  get device(): string | undefined {
    return this.transport.device;
  }

  /** Opens the line; called again, it tries at once instead of later. */
  connect() {
    clearTimeout(this.timer);
    this.line?.close();
    this.welcomed = false;
    this.line = this.transport.open({
      opened: () => this.hello(),
      message: (message) => this.heard(message),
      closed: () => this.lost(),
    });
  }

  close() {
    clearTimeout(this.timer);
    this.line?.close();
    this.line = undefined;
  }

  /**
   * Does something. The same id is sent again after a break, so it is done once. What is wanted while the host is gone is
   * not kept for later: by then it may no longer be what the person wants.
   */
  async command(command: Command): Promise<CommandOutcome> {
    const link = this.store.get().link.is;
    if (link === "offline" || link === "refused") throw new HostError(unsent("link.not_sent"));
    const id = freshId();
    return (await this.say(id, { type: "command", envelope: { id, command } })) as CommandOutcome;
  }

  async query<A extends QueryAnswer["answer"]>(
    query: Query,
    answer: A,
  ): Promise<Extract<QueryAnswer, { answer: A }>> {
    const id = freshId();
    const reply = (await this.say(id, { type: "query", id, query })) as QueryAnswer;
    if (reply.answer !== answer) {
      throw new HostError({ code: "host", message: t("link.unfit_answer"), hints: [] });
    }
    return reply as Extract<QueryAnswer, { answer: A }>;
  }

  /** Brings a task's whole story into the store, and keeps it up to date from then on. */
  async open(task: string): Promise<void> {
    const known = this.store.get().journals.get(task);
    if (known?.status === "ready") return;
    this.store.put({ from: "page", open: task });
    let after = known?.last ?? 0;
    const ask = async (limit: number, newest: boolean) => {
      const answer = await this.query({ query: "events", task, after, limit, newest, brief: true }, "events");
      const isAll = answer.events.length < limit;
      // An older host cuts nothing, and says nothing of it.
      const { events, shortened = [] } = answer;
      this.store.put({ from: "page", past: task, events, shortened, tail: newest && !isAll });
      return { isAll, last: events.at(-1)?.seq ?? after };
    };
    let { isAll } = await ask(TAIL, true);
    // It is what a person waits for, so it does not wait for the next fold.
    this.store.flush();
    while (!isAll) {
      const page = await ask(PAGE, false);
      after = page.last;
      isAll = page.isAll;
    }
    const { console } = await this.query({ query: "console", task }, "console").then(
      (console) => ({ console }),
      () => ({ console: undefined }),
    );
    this.store.put({ from: "page", complete: task, console });
  }

  /** Brings an event whose long texts were cut into the store in full. */
  async whole(seq: number): Promise<void> {
    const { events } = await this.query({ query: "event", seq }, "events");
    for (const record of events) this.store.put({ from: "page", whole: record });
  }

  private say(id: string, message: ClientMessage): Promise<CommandOutcome | QueryAnswer> {
    return new Promise((resolve, reject) => {
      this.pending.set(id, { message, resolve, reject });
      if (this.welcomed) this.line?.send(message);
    });
  }

  private hello() {
    const { seq } = this.store.get();
    const resume_from = seq > 0 ? seq : null;
    const proof = this.transport.proof();
    this.line?.send({
      type: "hello",
      protocol: PROTOCOL_VERSION,
      resume_from,
      follow: true,
      brief: true,
      proof,
    });
  }

  private heard(message: ServerMessage) {
    this.store.put({ from: "host", message });
    switch (message.type) {
      case "welcome":
        this.welcomed = true;
        this.why = undefined;
        this.pause = FIRST_PAUSE_MS;
        this.welcome(message.seq);
        return;
      case "snapshot":
        void this.afterSnapshot();
        return;
      case "event":
        if (!message.update) this.fetchTaskSoon(message.record.task);
        return;
      case "command_reply":
        this.settle(message.id)?.resolve(message.outcome);
        return;
      case "query_reply":
        this.settle(message.id)?.resolve(message.answer);
        return;
      case "error":
        if (message.id !== null) this.settle(message.id)?.reject(new HostError(message.error));
        else if (FINAL_ERRORS.has(message.error.code)) this.refused(message.error);
        else this.why = message.error;
    }
  }

  private welcome(seq: number) {
    // What was said into a dead line is said again; commands carry their id, so nothing is done twice.
    for (const { message } of this.pending.values()) this.line?.send(message);
    // Resumed: no snapshot follows. A host that is behind this page is another one, and sends a snapshot.
    if (this.store.get().seq > 0 && this.store.get().seq <= seq && !this.store.get().tasksKnown) {
      void this.fetchTasks();
    }
  }

  private async afterSnapshot() {
    this.store.flush();
    const open = [...this.store.get().journals.keys()];
    await Promise.all([this.fetchTasks(), ...open.map((task) => this.open(task))]).catch(() => {});
  }

  private async fetchTasks() {
    await this.query({ query: "tasks", limit: TASKS, said: null }, "tasks").catch(() => {});
  }

  /** An older host does not say with an event where its task stands; it is asked, once for many events. */
  private fetchTaskSoon(task: string) {
    if (this.unsaid.size === 0) {
      setTimeout(() => {
        for (const task of this.unsaid) this.query({ query: "task", task }, "task").catch(() => {});
        this.unsaid.clear();
      }, ASK_AFTER_MS);
    }
    this.unsaid.add(task);
  }

  private refused(error: ErrorBody) {
    this.close();
    this.store.put({ from: "link", link: { is: "refused", error } });
  }

  /** A yes or a no is for what was seen when it was given: one that was not confirmed is given anew, not sent again. */
  private dropAnswers() {
    for (const [id, { message, reject }] of this.pending) {
      if (message.type !== "command" || message.envelope.command.command !== "answer_permission") continue;
      this.pending.delete(id);
      reject(new HostError(unsent("link.not_confirmed")));
    }
  }

  private settle(id: string): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    return pending;
  }

  private lost() {
    this.line = undefined;
    this.welcomed = false;
    // A little chance keeps many pages from knocking at the same moment.
    const wait = Math.round(this.pause * (0.75 + Math.random() / 2));
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MS);
    this.store.put({ from: "link", link: { is: "offline", retryAt: Date.now() + wait, why: this.why } });
    // The page shows that the host is out of reach before it says that an answer did not arrive.
    this.store.flush();
    this.dropAnswers();
    this.timer = setTimeout(() => this.connect(), wait);
  }
}

function unsent(words: "link.not_sent" | "link.not_confirmed"): ErrorBody {
  return { code: "not_sent", message: t(words), hints: [] };
}

/** A unique id. */
export function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `u${Array.from(bytes, (byte) => byte.toString(36).padStart(2, "0")).join("")}`;
}
