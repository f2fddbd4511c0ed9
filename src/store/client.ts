/** The connection to the host: hello, resumption, queries, commands, and reconnection with increasing pauses. */
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

/** The error of a command or query that the host refused or that was not delivered. */
export class HostError extends Error {
  constructor(readonly body: ErrorBody) {
    super(englishOf(body.message));
  }
}

/** The maximum number of tasks in lists. */
const TASKS = 2_000;
/** Events per query: few enough to fold between two frames. */
const PAGE = 1_000;
/** The number of newest events of a task that are shown before its past is loaded. */
const TAIL = 200;
/** How long events are collected before their tasks are queried, with hosts that send no updates with events. */
const ASK_AFTER_MS = 200;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

interface Pending {
  message: ClientMessage;
  resolve(reply: CommandOutcome | QueryAnswer): void;
  reject(error: HostError): void;
}

/** The page's client of the host. */
export class Client {
  private line: Line | undefined;
  private pause = FIRST_PAUSE_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private welcomed = false;
  /** The last reported reason why there is no connection. */
  private why: ErrorBody | undefined;
  private readonly pending = new Map<string, Pending>();
  /** Tasks with events that came without an update. */
  private readonly unsaid = new Set<string>();

  constructor(
    private readonly store: Store,
    private readonly transport: Transport,
  ) {}

  /** The client's name in the journal, for answers given here. */
  get screen(): string {
    return this.transport.screen;
  }

  /** Whether this page belongs to a paired device. */
  get remote(): boolean {
    return this.transport.remote;
  }

  /** The paired device that this page belongs to, if any. */
  get device(): string | undefined {
    return this.transport.device;
  }

  /** Connects. If a retry is pending, retries at once. */
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
   * Sends a command. After a reconnection it is sent again with the same id, so it runs only once. Commands
   * are not queued while the host is unreachable, because by the time it is back the user may not want them
   * any more.
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

  /** Loads a task's whole journal into the store. Later events keep it up to date. */
  async open(task: string): Promise<void> {
    const known = this.store.get().journals.get(task);
    if (known?.status === "ready") return;
    this.store.put({ from: "page", open: task });
    let after = known?.last ?? 0;
    const ask = async (limit: number, newest: boolean) => {
      const answer = await this.query({ query: "events", task, after, limit, newest, brief: true }, "events");
      const isAll = answer.events.length < limit;
      // Older hosts do not truncate texts and send no `shortened`.
      const { events, shortened = [] } = answer;
      this.store.put({ from: "page", past: task, events, shortened, tail: newest && !isAll });
      return { isAll, last: events.at(-1)?.seq ?? after };
    };
    let { isAll } = await ask(TAIL, true);
    // The user waits for this, so it is folded at once.
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

  /** Loads the full text of an event that was truncated. */
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
    // Sends pending messages again. Commands have ids, so they do not run twice.
    for (const { message } of this.pending.values()) this.line?.send(message);
    // A resumed connection sends no snapshot. A host with a lower number is another host, and sends one.
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

  /** Older hosts send no update with an event, so the task is queried, once for many events. */
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

  /**
   * Rejects unconfirmed answers instead of sending them again: an answer applies to what the user saw when giving it.
   */
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
    // Jitter, so that many pages do not reconnect at the same moment.
    const wait = Math.round(this.pause * (0.75 + Math.random() / 2));
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MS);
    this.store.put({ from: "link", link: { is: "offline", retryAt: Date.now() + wait, why: this.why } });
    // The page shows that the host is unreachable before it reports that an answer was not delivered.
    this.store.flush();
    this.dropAnswers();
    this.timer = setTimeout(() => this.connect(), wait);
  }
}

function unsent(words: "link.not_sent" | "link.not_confirmed"): ErrorBody {
  return { code: "not_sent", message: t(words), hints: [] };
}

/** Returns a unique id. */
export function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `u${Array.from(bytes, (byte) => byte.toString(36).padStart(2, "0")).join("")}`;
}
