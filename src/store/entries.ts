/** The entries of a task's timeline, in order. */
import type {
  Answerer,
  BackgroundEnd,
  Choice,
  PauseReason,
  PermissionRequest,
  Phrase,
  ProviderWait,
  Question,
  RefusedAttempt,
  Report,
  Responder,
  StopReason,
  ToolResult,
  Verdict,
} from "../protocol";

/** The answer to a question. */
export interface Said {
  text: string;
  /** Absent if the journal does not say who answered. */
  by?: Responder | undefined;
}

/** The phase of a call. */
export type CallPhase = "planned" | "waiting" | "cleared" | "running" | "done";

/** A call, from plan to result. */
export interface CallEntry {
  is: "call";
  key: string;
  at: number;
  iteration: number;
  id: string;
  tool: string;
  parameters: unknown;
  phase: CallPhase;
  /** What needed a decision, in the host's words. */
  summary?: Phrase;
  verdict?: Verdict;
  request?: PermissionRequest;
  answer?: { choice: Choice; by: Answerer } | undefined;
  /** The request that the call makes while it runs, and waits for. */
  midway?: PermissionRequest | undefined;
  /** The requests that the call made while it ran, with the answers. */
  midwayAnswers?: readonly { request: PermissionRequest; choice: Choice; by: Answerer }[];
  startedAt?: number;
  result?: ToolResult;
  durationMs?: number;
  /** The number of files that were backed up before the call changed them. */
  keptFiles: number;
  /** The events whose long texts are truncated here. */
  cut?: readonly number[];
}

export type Entry =
  | { is: "goal"; key: string; at: number; text: string }
  | { is: "thought"; key: string; at: number; iteration: number; text: string; cut?: readonly number[] }
  | CallEntry
  /** `failure`: why the model failed, if the question is about that. */
  | { is: "question"; key: string; at: number; question: Question; answer?: Said; failure?: Phrase }
  | { is: "steer"; key: string; at: number; text: string }
  | { is: "notice"; key: string; at: number; message: string }
  | { is: "paused"; key: string; at: number; reason: PauseReason; message: Phrase }
  | { is: "queue_moved" | "resumed" | "interrupted" | "stop_requested"; key: string; at: number }
  | {
      is: "plan_failed";
      key: string;
      at: number;
      message: Phrase;
      attempt: number;
      retries: boolean;
      next?: string;
      /** Until when the task waits for its provider. */
      wait?: ProviderWait;
    }
  | {
      is: "background";
      key: string;
      at: number;
      name: string;
      command: string;
      why?: BackgroundEnd;
      message: Phrase;
      /** What the sandbox refused while it ran. */
      refused?: RefusedAttempt[];
    }
  | {
      is: "undone" | "redone";
      key: string;
      at: number;
      /** The number of changes that were undone or redone. */
      count: number;
      /** The number of changes that could not be. */
      kept: number;
      /** The number of changes that could still be undone afterwards, if the host reported it. */
      left?: number | undefined;
      /** Whether something could be redone afterwards, if the host reported it. */
      canRedo?: boolean | undefined;
    }
  | {
      is: "memory_edited" | "memory_forgotten" | "memory_restored" | "memory_promoted";
      memory: number;
      key: string;
      at: number;
    }
  | { is: "remembered"; key: string; at: number; text: string }
  /** The to-do step that the following calls belong to. No title once all steps are done. */
  | { is: "todo"; key: string; at: number; title: string | undefined; number: number; total: number }
  | { is: "model_switched"; key: string; at: number; backend: string; model: string | undefined }
  | { is: "browser_taken" | "browser_returned"; key: string; at: number; url: string | undefined }
  | { is: "guided"; key: string; at: number; paths: readonly string[] }
  | { is: "compacted"; key: string; at: number; step: number; text: string; cut?: readonly number[] }
  | {
      is: "end";
      key: string;
      at: number;
      /** The task that ended. A conversation's timeline has several ends. */
      task: string;
      reason: StopReason;
      /** The number of requests that were denied. */
      denied: number;
      summary: Phrase;
      /** What it did, according to the host's record. */
      report?: Report;
      cut?: readonly number[];
    };
