/** The state of the page: a single value, which only `reduce` creates. */
import type {
  Answerer,
  Choice,
  Console,
  DeviceScope,
  ErrorBody,
  EventRecord,
  JobProgress,
  PermissionRequest,
  Question,
  ServerMessage,
  TaskSummary,
} from "../protocol";
import type { Said } from "./entries";
import type { Journal } from "./journal";

/** The state of the connection to the host. */
export type Link =
  | { is: "connecting" }
  | { is: "online"; version: string }
  /** Disconnected. Retries at `retryAt` (milliseconds since 1970). `why` is the reason, if known. */
  | { is: "offline"; retryAt: number; why?: ErrorBody | undefined }
  /** The host refuses this page, and retrying would not help. */
  | { is: "refused"; error: ErrorBody };

/** The outcome of a request, for screens that still show it. */
export interface Settled {
  request: PermissionRequest;
  /** Absent if it was withdrawn because its task ended. */
  answer?: { choice: Choice; by: Answerer };
  at: number;
}

/** A question that no longer waits. */
export interface AnsweredQuestion {
  question: Question;
  /** The recorded answer. Absent if the task ended without one. */
  said?: Said;
  at: number;
}

/** The permissions of this client. While disconnected, the last known ones. */
export interface May {
  scopes: readonly DeviceScope[];
  /** Whether it is the host's own user. Only that user sees devices and settings. */
  local: boolean;
}

export interface AppState {
  link: Link;
  may: May;
  /** The number of the last folded event. */
  seq: number;
  tasks: ReadonlyMap<string, TaskSummary>;
  /** Whether `tasks` includes ended ones. */
  tasksKnown: boolean;
  /** Open requests and questions by id, oldest first. */
  requests: ReadonlyMap<string, PermissionRequest>;
  questions: ReadonlyMap<string, Question>;
  /** The newest requests that were answered while this page was open, by id. */
  settled: ReadonlyMap<string, Settled>;
  /** The newest questions that stopped waiting while this page was open, by id. */
  answered: ReadonlyMap<string, AnsweredQuestion>;
  /** The number of the newest event seen by this page that changed the memories of any task. */
  memoriesChanged: number;
  /** The progress of the newest file jobs that run, or ran while this page was open, by id. */
  working: ReadonlyMap<string, JobProgress>;
  /** The journals that were opened, by task. */
  journals: ReadonlyMap<string, Journal>;
}

export const initialState: AppState = {
  link: { is: "connecting" },
  // Until the host has sent the permissions nothing can be done anyway. Most pages belong to the desktop.
  may: { scopes: ["monitor", "approve", "command"], local: true },
  seq: 0,
  tasks: new Map(),
  tasksKnown: false,
  requests: new Map(),
  questions: new Map(),
  settled: new Map(),
  answered: new Map(),
  memoriesChanged: 0,
  working: new Map(),
  journals: new Map(),
};

/** Inputs from the page itself. */
export type PageInput = { from: "page" } & (
  | { /** A screen wants a task's whole story. */ open: string }
  /** Past events of that task, in order. With `tail`, the newest ones, to be shown until all are loaded. */
  | { past: string; events: readonly EventRecord[]; shortened: readonly number[]; tail: boolean }
  /** All past events of that task are loaded. `console` has the output of its running calls so far. */
  | { complete: string; console: Console | undefined }
  /** An event in full whose long texts were truncated. */
  | { whole: EventRecord }
);

/** Everything that changes the state. */
export type Input = { from: "host"; message: ServerMessage } | { from: "link"; link: Link } | PageInput;
