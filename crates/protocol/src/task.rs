//! A task and its states.

use crate::{CallId, Phrase, QueueRank, Risk, SessionId, TaskId, TodoProgress};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A task as it was submitted. It never changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TaskSpec {
    /// Its id.
    pub id: TaskId,
    /// The conversation it belongs to.
    pub session: SessionId,
    /// What the user wants, in their words.
    pub goal: String,
    /// Name of the profile that runs it.
    pub profile: String,
    /// Name of the backend that plans it.
    pub backend: String,
    /// The model that plans it, where it is not the one that is configured.
    #[serde(default)]
    pub model: Option<String>,
    /// Real path of the workspace: the working directory and the folder the task may read.
    pub workspace: String,
    /// What it may touch beyond the workspace.
    #[serde(default)]
    pub scope: Scope,
    /// When it is stopped or parked.
    pub limits: Limits,
    /// Requests up to this risk count as answered `allow once` beforehand (`--yes`).
    #[serde(default)]
    pub standing_consent: Option<Risk>,
    /// The call of its parent task that delegated it, where it is a sub-task.
    #[serde(default)]
    pub parent: Option<ParentCall>,
}

/// The call that handed a sub-task over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ParentCall {
    /// The task that the call belongs to.
    pub task: TaskId,
    /// The call.
    pub call: CallId,
}

/// What a task may touch. Empty: the workspace and nothing else is special.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Scope {
    /// Folders it may read besides the workspace.
    #[serde(default)]
    pub read: Vec<String>,
    /// Folders it may propose to change; empty means the workspace.
    #[serde(default)]
    pub write: Vec<String>,
    /// When not empty: the only files it may touch at all.
    #[serde(default)]
    pub only_files: Vec<String>,
    /// When not empty: only files that carry one of these tags.
    #[serde(default)]
    pub only_tags: Vec<String>,
    /// The naming convention for files in its plans, as an example of itself; any names when absent.
    #[serde(default)]
    pub names: Option<String>,
}

/// Limits of a task. `0` means none, but for `tool_output_chars`. A limit that an older journal does not know has its
/// default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Limits {
    /// Plan-execute-observe cycles; then the planner answers once more, and the task stops as `iteration_limit`.
    pub max_iterations: u32,
    /// Seconds of running (not of waiting for a person), then the task parks.
    pub max_wall_secs: u64,
    /// Tokens over all plans, then the task parks.
    pub max_tokens: u64,
    /// What all plans may cost, in hundredths of the currency, then the task parks.
    pub max_cost_cents: u64,
    /// Tokens of all tasks of a day, then each of them parks. What is configured when a plan is due counts.
    pub day_tokens: u64,
    /// What all tasks of a day may cost, in hundredths of the currency; likewise.
    pub day_cost_cents: u64,
    /// Tokens that one call of `python_inference` may use.
    pub inference_tokens: u64,
    /// Characters of a result that the planner sees.
    pub tool_output_chars: u32,
    /// Tokens of one request to the model; before it is full, older steps give way to a summary.
    pub context_tokens: u32,
    /// Seconds a permission request waits before it counts as denied.
    pub request_expiry_secs: u64,
    /// How often the same call may repeat or fail, or calls be denied, in a row before the user is asked.
    pub brake_after: u32,
    /// Calls that only read and run at the same time.
    pub parallel_calls: u32,
    /// The longest that one command may take, in seconds.
    pub command_secs: u64,
    /// Seconds that a command gets whose call names no time.
    pub command_default_secs: u64,
    /// Seconds of processor time of each process of a command.
    pub command_cpu_secs: u64,
    /// Private memory of each process of a command, in MiB.
    pub command_memory_mib: u64,
    /// Processes and threads of a command.
    pub command_processes: u64,
    /// Size of the largest file that a command may write, in MiB.
    pub command_file_mib: u64,
    /// Output of a command that is kept, in MiB; the rest is counted.
    pub command_output_mib: u64,
    /// Background commands of a task that run at the same time.
    pub background_commands: u32,
    /// The longest that a background command may run, in seconds.
    pub background_secs: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_iterations: 100,
            max_wall_secs: 4 * 3600,
            // The iterations and the context bound what a task can cost by themselves.
            max_tokens: 0,
            max_cost_cents: 0,
            day_tokens: 0,
            day_cost_cents: 0,
            // Some hundred letters.
            inference_tokens: 500_000,
            tool_output_chars: 12_000,
            context_tokens: 32_000,
            request_expiry_secs: 24 * 3600,
            brake_after: 3,
            parallel_calls: 5,
            // Long enough for the build of a large project from nothing.
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
    /// Waits for its turn.
    Queued(QueuedTask),
    /// Plans or runs calls.
    Running(RunningTask),
    /// Waits for its sub-tasks, and does nothing itself.
    AwaitingSubtasks(AwaitingSubtasksTask),
    /// Waits for a person.
    Paused(PausedTask),
    /// Ended.
    Stopped(StoppedTask),
    /// Its process died; it resumes from the journal.
    Interrupted(InterruptedTask),
}

/// Waits for its turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QueuedTask {}

/// Plans or runs calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunningTask {
    /// From 1.
    pub iteration: u32,
}

/// Waits for its sub-tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AwaitingSubtasksTask {
    /// From 1.
    pub iteration: u32,
}

/// Waits for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PausedTask {
    /// Why.
    pub reason: PauseReason,
    /// From 1; 0 before the first.
    pub iteration: u32,
}

/// Ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StoppedTask {
    /// How.
    pub reason: StopReason,
    /// The final answer, or what went wrong and what to do next.
    pub summary: Phrase,
    /// Requests of it that were denied, or expired.
    #[serde(default)]
    pub denied: u32,
    /// Whether everything that it changed was undone.
    #[serde(default)]
    pub undone: bool,
}

/// Its process died.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InterruptedTask {
    /// Where it was.
    pub iteration: u32,
}

/// Why a task waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PauseReason {
    /// The user paused it.
    ByUser,
    /// A question waits for its answer.
    Question,
    /// A permission request waits for its answer.
    Permission,
    /// A limit of time, tokens or cost was reached.
    Budget,
}

/// How a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The planner said it is done.
    Completed,
    /// The user stopped it.
    ManualStop,
    /// It could not continue.
    Error,
    /// `max_iterations` was reached.
    IterationLimit,
    /// The user denied what it could not do without.
    Denied,
    /// It was submitted without a model, and takes one.
    NeedsModel,
}

/// A task as lists show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskSummary {
    /// Its id.
    pub id: TaskId,
    /// Its session.
    pub session: SessionId,
    /// What the user wants.
    pub goal: String,
    /// Its profile.
    pub profile: String,
    /// Its backend.
    pub backend: String,
    /// The model that plans it, where it is not the one that is configured.
    #[serde(default)]
    pub model: Option<String>,
    /// Real path of its workspace.
    pub workspace: String,
    /// Its state.
    pub state: TaskState,
    /// Tokens used so far.
    pub tokens: u64,
    /// What they cost as far as prices are known, in millionths of the currency.
    #[serde(default)]
    pub cost_micros: Option<u64>,
    /// How far its to-do list is.
    #[serde(default)]
    pub todo: Option<TodoProgress>,
    /// When it was submitted.
    pub created_at_ms: i64,
    /// When it last changed.
    pub updated_at_ms: i64,
    /// While it is queued: its place among the queued ones.
    #[serde(default)]
    pub queue_rank: Option<QueueRank>,
    /// The title that a person gave the conversation that it begins.
    #[serde(default)]
    pub title: Option<String>,
    /// Whether its conversation was put away when this was the newest task of it.
    #[serde(default)]
    pub archived: bool,
    /// The call of its parent task that delegated it, where it is a sub-task.
    #[serde(default)]
    pub parent: Option<Box<ParentCall>>,
}

/// What of a task's summary changes with its events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskUpdate {
    /// Its state.
    pub state: TaskState,
    /// Tokens used so far.
    pub tokens: u64,
    /// Its backend.
    #[serde(default)]
    pub backend: String,
    /// The model that plans it, where it is not the one that is configured.
    #[serde(default)]
    pub model: Option<String>,
    /// What its tokens cost as far as prices are known, in millionths of the currency.
    #[serde(default)]
    pub cost_micros: Option<u64>,
    /// How far its to-do list is.
    #[serde(default)]
    pub todo: Option<TodoProgress>,
    /// When it last changed.
    pub updated_at_ms: i64,
    /// While it is queued: its place among the queued ones.
    #[serde(default)]
    pub queue_rank: Option<QueueRank>,
    /// The title that a person gave the conversation that it begins.
    #[serde(default)]
    pub title: Option<String>,
    /// Whether its conversation was put away when this was the newest task of it.
    #[serde(default)]
    pub archived: bool,
}
