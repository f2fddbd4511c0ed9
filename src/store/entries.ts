/** What a task's story is made of: its entries, in the order of the timeline. */
import type {
  Answerer,
  BackgroundEnd,
  Choice,
  PauseReason,
  PermissionRequest,
  Phrase,
  Question,
  RefusedAttempt,
  Report,
  StopReason,
  ToolResult,
  Verdict,
} from "../protocol";

/** Where a call is. */
export type CallPhase = "planned" | "waiting" | "cleared" | "running" | "done";

/** A call from plan to result. */
export interface CallEntry {
  is: "call";
  key: string;
  at: number;
  iteration: number;
  id: string;
  tool: string;
  parameters: unknown;
  phase: CallPhase;
  /** What was decided about, in the host's words. */
  summary?: Phrase;
  verdict?: Verdict;
  request?: PermissionRequest;
  answer?: { choice: Choice; by: Answerer };
  /** What it asks while it runs, and waits for. */
  midway?: PermissionRequest | undefined;
  /** What it asked while it ran, with the answers. */
  midwayAnswers?: readonly { request: PermissionRequest; choice: Choice; by: Answerer }[];
  startedAt?: number;
  result?: ToolResult;
  durationMs?: number;
  /** Files that were kept before it changed them. */
  keptFiles: number;
  /** The events whose long texts are not all here. */
  cut?: readonly number[];
}

export type Entry =
  | { is: "goal"; key: string; at: number; text: string }
  | { is: "thought"; key: string; at: number; iteration: number; text: string; cut?: readonly number[] }
  | CallEntry
  /** `failure`: why the model failed, where that is what the question is about. */
  | { is: "question"; key: string; at: number; question: Question; answer?: string; failure?: Phrase }
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
    }
  | {
      is: "background";
      key: string;
      at: number;
      name: string;
      command: string;
      why?: BackgroundEnd;
      message: Phrase;
      /** What the walls refused while it ran. */
      refused?: RefusedAttempt[];
    }
  | {
      is: "undone" | "redone";
      key: string;
      at: number;
      /** Changes that were undone, or made again. */
      count: number;
      /** Changes that could not be. */
      kept: number;
      /** What could still be undone afterwards, where the host said so. */
      left?: number | undefined;
    }
  | {
      is: "memory_edited" | "memory_forgotten" | "memory_restored" | "memory_promoted";
      memory: number;
      key: string;
      at: number;
    }
  | { is: "remembered"; key: string; at: number; text: string }
  /** The step of the to-do list that the calls below belong to; no title once all are done. */
  | { is: "todo"; key: string; at: number; title: string | undefined; number: number; total: number }
  | { is: "model_switched"; key: string; at: number; backend: string; model: string | undefined }
  | { is: "browser_taken" | "browser_returned"; key: string; at: number; url: string | undefined }
  | { is: "guided"; key: string; at: number; paths: readonly string[] }
  | { is: "compacted"; key: string; at: number; step: number; text: string; cut?: readonly number[] }
  | {
      is: "end";
      key: string;
      at: number;
      /** The task that ended: a conversation's story has the ends of several. */
      task: string;
      reason: StopReason;
      /** Requests that were denied until then. */
      denied: number;
      summary: Phrase;
      /** What it did, by the host's own record. */
      report?: Report;
      cut?: readonly number[];
    };
