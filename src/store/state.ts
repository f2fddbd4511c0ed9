/** What the page knows: one value, made only by `reduce`. */
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
import type { Journal } from "./journal";

/** How the line to the host stands. */
export type Link =
  | { is: "connecting" }
  | { is: "online"; version: string }
  /** Gone; tried again at `retryAt` (milliseconds since 1970). `why` is there where somebody said it. */
  | { is: "offline"; retryAt: number; why?: ErrorBody | undefined }
  /** The host does not talk to this page, and trying again is no use. */
  | { is: "refused"; error: ErrorBody };

/** How a request ended, for screens that still show it. */
export interface Settled {
  request: PermissionRequest;
  /** Absent: withdrawn, because its task ended. */
  answer?: { choice: Choice; by: Answerer };
  at: number;
}

/** What this page's session may do; as it was told last, while the line is down. */
export interface May {
  scopes: readonly DeviceScope[];
  /** Whether it is the host's own user, who alone sees devices and settings. */
  local: boolean;
}

export interface AppState {
  link: Link;
  may: May;
  /** The last event that is in here. */
  seq: number;
  tasks: ReadonlyMap<string, TaskSummary>;
  /** Whether `tasks` has the ended ones too. */
  tasksKnown: boolean;
  /** What waits for a person, by id, oldest first. */
  requests: ReadonlyMap<string, PermissionRequest>;
  questions: ReadonlyMap<string, Question>;
  /** Requests that were answered while this page looked on, by id; the newest few. */
  settled: ReadonlyMap<string, Settled>;
  /** The newest event that changed what is remembered of any task, as far as this page looked on. */
  memoriesChanged: number;
  /** How far jobs over files got that are at work, or were while this page looked on, by id; the newest few. */
  working: ReadonlyMap<string, JobProgress>;
  /** The tasks that were opened, by id. */
  journals: ReadonlyMap<string, Journal>;
}

export const initialState: AppState = {
  link: { is: "connecting" },
  // Until the host has said what this page may do nothing can be done anyway; most pages are the desktop's.
  may: { scopes: ["monitor", "approve", "command"], local: true },
  seq: 0,
  tasks: new Map(),
  tasksKnown: false,
  requests: new Map(),
  questions: new Map(),
  settled: new Map(),
  memoriesChanged: 0,
  working: new Map(),
  journals: new Map(),
};

/** What the page itself puts in. */
export type PageInput = { from: "page" } & (
  | { /** A screen wants a task's whole story. */ open: string }
  /** Past events of that task, the next ones in order; with `tail` the newest, to be shown until all are in. */
  | { past: string; events: readonly EventRecord[]; shortened: readonly number[]; tail: boolean }
  /** All past events of that task are in; what its running calls have said so far comes along. */
  | { complete: string; console: Console | undefined }
  /** An event whose long texts were cut, in full. */
  | { whole: EventRecord }
);

/** Everything that changes the state. */
export type Input = { from: "host"; message: ServerMessage } | { from: "link"; link: Link } | PageInput;
