//! A task and its states.

use crate::{CallId, Phrase, QueueRank, Risk, SessionId, TaskId, TodoProgress};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A task as it was submitted. A `TaskSpec` never changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TaskSpec {
    /// The id of the task.
    pub id: TaskId,
    /// The id of the conversation that the task belongs to.
    pub session: SessionId,
    /// What the user wants, in their own words.
    pub goal: String,
    /// The name of the profile that the task runs with.
    pub profile: String,
    /// The name of the backend that plans the task.
    pub backend: String,
    /// The model that plans the task. Absent if it is the backend's configured model.
    #[serde(default)]
    pub model: Option<String>,
    /// The real path of the workspace: the working directory, which the task may read.
    pub workspace: String,
    /// The files and folders that the task may touch.
    #[serde(default)]
    pub scope: Scope,
    /// The limits at which the task stops or pauses.
    pub limits: Limits,
    /// The risk up to which permission requests count as answered `allow once` in advance (`--yes`).
    #[serde(default)]
    pub standing_consent: Option<Risk>,
    /// The call of the parent task that delegated this task. Absent unless the task is a sub-task.
    #[serde(default)]
    pub parent: Option<ParentCall>,
    /// The terminal in which the user started the task. Absent if it was started on a screen.
    #[serde(default)]
    pub terminal: Option<Terminal>,
}

/// What approved commands take over from the terminal in which their task was started, because the host may have been
/// started elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Terminal {
    /// The value of `PATH`.
    pub path: String,
    /// The active Python environment: the value of `VIRTUAL_ENV`.
    #[serde(default)]
    pub virtual_env: Option<String>,
}

/// The call of a parent task that delegated a sub-task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ParentCall {
    /// The id of the parent task.
    pub task: TaskId,
    /// The id of the call.
    pub call: CallId,
}

/// What a task may touch. If all lists are empty, only the workspace is special.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Scope {
    /// Folders that the task may read in addition to the workspace.
    #[serde(default)]
    pub read: Vec<String>,
    /// Folders and files that the task may propose to change. Empty means the workspace. A sub-task's need not exist.
    #[serde(default)]
    pub write: Vec<String>,
    /// Whether the task may change nothing.
    #[serde(default)]
    pub read_only: bool,
    /// If not empty, the only files, and folders with all that is in them, that the task may touch.
    #[serde(default)]
    pub only_files: Vec<String>,
    /// If not empty, the task may only touch files that have one of these tags.
    #[serde(default)]
    pub only_tags: Vec<String>,
    /// The naming convention for files in the task's plans, written as an example. Absent if any name is allowed.
    #[serde(default)]
    pub names: Option<String>,
}

/// The limits of a task. `0` means no limit, except for `tool_output_chars`. A limit that is missing in an older
/// journal has its default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Limits {
    /// The maximum number of plan-execute-observe cycles. After that, the planner answers once more and the task
    /// stops with `iteration_limit`.
    pub max_iterations: u32,
    /// The maximum running time in seconds, without the time spent waiting for a person. After that, the task pauses.
    pub max_wall_secs: u64,
    /// The maximum number of tokens over all plans. After that, the task pauses.
    pub max_tokens: u64,
    /// The maximum cost of all plans, in hundredths of the currency. After that, the task pauses.
    pub max_cost_cents: u64,
    /// The maximum number of tokens of all tasks in a day. After that, each task pauses. The value configured when a
    /// plan is due applies.
    pub day_tokens: u64,
    /// The maximum cost of all tasks in a day, in hundredths of the currency. After that, each task pauses. The value
    /// configured when a plan is due applies.
    pub day_cost_cents: u64,
    /// The maximum number of tokens that one call of `python_inference` may use.
    pub inference_tokens: u64,
    /// The maximum number of characters of a result that the planner sees.
    pub tool_output_chars: u32,
    /// The maximum number of tokens in one request to the model. Before it is reached, older steps are replaced by a
    /// summary.
    pub context_tokens: u32,
    /// The number of seconds after which an unanswered permission request counts as denied.
    pub request_expiry_secs: u64,
    /// How many times in a row the same call may repeat or fail, or calls may be denied, before the user is asked.
    pub brake_after: u32,
    /// The maximum number of read-only calls that run at the same time.
    pub parallel_calls: u32,
    /// The maximum running time of one command, in seconds.
    pub command_secs: u64,
    /// The time limit, in seconds, of a command whose call does not specify one.
    pub command_default_secs: u64,
    /// The maximum CPU time of each process of a command, in seconds.
    pub command_cpu_secs: u64,
    /// The maximum private memory of each process of a command, in MiB.
    pub command_memory_mib: u64,
    /// The maximum number of processes and threads of a command.
    pub command_processes: u64,
    /// The maximum size of a file that a command may write, in MiB.
    pub command_file_mib: u64,
    /// The maximum output of a command that is kept, in MiB. Further output is only counted.
    pub command_output_mib: u64,
    /// The maximum number of background commands of a task that run at the same time.
    pub background_commands: u32,
    /// The maximum running time of a background command, in seconds.
    pub background_secs: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_iterations: 100,
            max_wall_secs: 4 * 3600,
            // The iteration limit and the context limit already bound the cost of a task.
            max_tokens: 0,
            max_cost_cents: 0,
            day_tokens: 0,
            day_cost_cents: 0,
            // Enough for several hundred letters.
            inference_tokens: 500_000,
            tool_output_chars: 12_000,
            context_tokens: 32_000,
            request_expiry_secs: 24 * 3600,
            brake_after: 3,
            parallel_calls: 5,
            // Long enough to build a large project from scratch.
            command_secs: 3600,
            command_default_secs: 600,
            command_cpu_secs: 4 * 3600,
            command_memory_mib: 4096,
            command_processes: 512,
            command_file_mib: 4096,
            command_output_mib: 16,
            background_commands: 4,
            background_secs: 4 * 3600,
        }
    }
}

/// The state of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum TaskState {
    /// The task is waiting for its turn.
    Queued(QueuedTask),
    /// The task is planning or running calls.
    Running(RunningTask),
    /// The task is waiting for its sub-tasks and does nothing itself.
    AwaitingSubtasks(AwaitingSubtasksTask),
    /// The task is waiting until its model's provider accepts requests again. It then continues by itself.
    AwaitingProvider(AwaitingProviderTask),
    /// The task is waiting for a person.
    Paused(PausedTask),
    /// The task has ended.
    Stopped(StoppedTask),
    /// The task's process died. The task resumes from the journal.
    Interrupted(InterruptedTask),
}

/// The state of a task that is waiting for its turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QueuedTask {}

/// The state of a task that is planning or running calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunningTask {
    /// The number of the current iteration, from 1.
    pub iteration: u32,
}

/// The state of a task that is waiting for its sub-tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AwaitingSubtasksTask {
    /// The number of the current iteration, from 1.
    pub iteration: u32,
}

/// The state of a task that is waiting for its model's provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AwaitingProviderTask {
    /// When the task continues.
    pub until_ms: i64,
    /// The backend that it waits for, as `backend` or `backend/model`.
    pub backend: String,
    /// The number of the current iteration, from 1.
    pub iteration: u32,
}

/// The state of a task that is waiting for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PausedTask {
    /// Why the task is paused.
    pub reason: PauseReason,
    /// The number of the current iteration, from 1; 0 before the first one.
    pub iteration: u32,
}

/// The state of a task that has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoppedTask {
    /// How the task ended.
    pub reason: StopReason,
    /// The final answer, or what went wrong and what to do next.
    pub summary: Phrase,
    /// The number of permission requests of the task that were denied.
    #[serde(default)]
    pub denied: u32,
    /// Whether everything that the task changed was undone.
    #[serde(default)]
    pub undone: bool,
}

/// The state of a task whose process died.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterruptedTask {
    /// The number of the iteration that was interrupted.
    pub iteration: u32,
}

/// Why a task is paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PauseReason {
    /// The user paused the task.
    ByUser,
    /// The task is waiting for an answer to a question.
    Question,
    /// The task is waiting for an answer to a permission request.
    Permission,
    /// A limit of time, tokens or cost was reached.
    Budget,
    /// Nobody answered a permission request in time. It is made again when a person resumes the task.
    Expired,
}

/// How a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The planner reported that the task is done.
    Completed,
    /// The user stopped the task.
    ManualStop,
    /// The task could not continue because of an error.
    Error,
    /// The limit `max_iterations` was reached.
    IterationLimit,
    /// The user denied something that the task could not continue without.
    Denied,
    /// The task was submitted without a model, but it needs one.
    NeedsModel,
}

/// A task as shown in lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskSummary {
    /// The id of the task.
    pub id: TaskId,
    /// The id of the conversation that the task belongs to.
    pub session: SessionId,
    /// What the user wants.
    pub goal: String,
    /// The name of the task's profile.
    pub profile: String,
    /// The name of the task's backend.
    pub backend: String,
    /// The model that plans the task. Absent if it is the backend's configured model.
    #[serde(default)]
    pub model: Option<String>,
    /// The real path of the task's workspace.
    pub workspace: String,
    /// The state of the task.
    pub state: TaskState,
    /// The number of tokens that the task has used so far.
    pub tokens: u64,
    /// The cost of the task's tokens, in millionths of the currency. It covers only the tokens whose price is known;
    /// absent if none is.
    #[serde(default)]
    pub cost_micros: Option<u64>,
    /// The progress of the task's to-do list. Absent if there is no list.
    #[serde(default)]
    pub todo: Option<TodoProgress>,
    /// When the task was submitted.
    pub created_at_ms: i64,
    /// When the task last changed.
    pub updated_at_ms: i64,
    /// The task's place in the queue. Absent unless the task is queued.
    #[serde(default)]
    pub queue_rank: Option<QueueRank>,
    /// The title that a person gave to the conversation that starts with this task.
    #[serde(default)]
    pub title: Option<String>,
    /// Whether the conversation was archived while this was its newest task.
    #[serde(default)]
    pub archived: bool,
    /// The call of the parent task that delegated this task. Absent unless the task is a sub-task.
    #[serde(default)]
    pub parent: Option<Box<ParentCall>>,
}

/// The parts of a task's summary that change with its events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskUpdate {
    /// The state of the task.
    pub state: TaskState,
    /// The number of tokens that the task has used so far.
    pub tokens: u64,
    /// The name of the task's backend.
    #[serde(default)]
    pub backend: String,
    /// The model that plans the task. Absent if it is the backend's configured model.
    #[serde(default)]
    pub model: Option<String>,
    /// The cost of the task's tokens, in millionths of the currency. It covers only the tokens whose price is known;
    /// absent if none is.
    #[serde(default)]
    pub cost_micros: Option<u64>,
    /// The progress of the task's to-do list. Absent if there is no list.
    #[serde(default)]
    pub todo: Option<TodoProgress>,
    /// When the task last changed.
    pub updated_at_ms: i64,
    /// The task's place in the queue. Absent unless the task is queued.
    #[serde(default)]
    pub queue_rank: Option<QueueRank>,
    /// The title that a person gave to the conversation that starts with this task.
    #[serde(default)]
    pub title: Option<String>,
    /// Whether the conversation was archived while this was its newest task.
    #[serde(default)]
    pub archived: bool,
}
