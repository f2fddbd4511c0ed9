/** Where a task stands after an event: the same table as the host's. */
import type { EventRecord, PauseReason, TaskEvent, TaskState, TaskSummary } from "../protocol";

/** The iteration a state is in; 0 before the first. */
export function iterationOf(state: TaskState): number {
  switch (state.state) {
    case "queued":
    case "stopped":
      return 0;
    case "running":
    case "paused":
    case "interrupted":
      return state.iteration;
  }
}

/** Whether an event is about what later tasks are given, and nothing of the task itself. */
export function isOfMemory(event: TaskEvent): boolean {
  return ["memory_edited", "memory_forgotten", "memory_restored", "memory_promoted"].includes(event.type);
}

/** `open` is what the task still waits for a person's answer to: resuming it answers nothing. */
export function nextState(state: TaskState, event: TaskEvent, open: PauseReason | undefined): TaskState {
  if (state.state === "stopped") return state;
  const iteration = iterationOf(state);
  const paused = (reason: PauseReason): TaskState => ({ state: "paused", reason, iteration });
  const goesOn = (): TaskState => (iteration === 0 ? { state: "queued" } : { state: "running", iteration });
  const goesOnFrom = (reason: PauseReason) =>
    state.state === "paused" && state.reason === reason ? goesOn() : state;
  switch (event.type) {
    case "created":
      return { state: "queued" };
    case "iteration_started":
      return { state: "running", iteration: event.iteration };
    case "permission_requested":
      return paused("permission");
    case "permission_answered":
      return goesOnFrom("permission");
    case "question_asked":
      return paused("question");
    case "question_answered":
      return goesOnFrom("question");
    case "paused":
      return paused(event.reason);
    case "resumed":
      return open ? paused(open) : goesOn();
    case "interrupted":
      return { state: "interrupted", iteration };
    case "stopped":
      return { state: "stopped", reason: event.reason, summary: event.summary };
    default:
      return state;
  }
}

/** The place in the queue of a task that the event `seq` queues: 2^63 + seq, as sixteen hexadecimal digits. */
export function rankOf(seq: number): string {
  return `8${seq.toString(16).padStart(15, "0")}`;
}

/** Its place in the queue after an event, of which it has the state `state`. */
export function nextRank(task: TaskSummary, state: TaskState, { seq, event }: EventRecord): string | null {
  if (state.state !== "queued") return null;
  if (event.type === "queue_moved") return event.rank;
  return task.queue_rank ?? rankOf(seq);
}
