//! What screens tell the host to do. Commands carry a client-made id and are idempotent.

use crate::{
    CallId, Command, CommandId, JobId, OperationId, PermissionAnswer, Phrase, RequestId, Risk, Scope,
    SessionId, TaskId, TaskSummary, UndoneFile,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A command with its id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommandEnvelope {
    /// Made by the client; sent again with the same id it is not done twice.
    pub id: CommandId,
    /// What to do.
    pub command: Command,
}

/// Hand over a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartCommand {
    /// What the user wants.
    pub goal: String,
    /// The folder to work in, absolute.
    pub workspace: String,
    /// Profile; the configured default when absent.
    #[serde(default)]
    pub profile: Option<String>,
    /// Backend; the configured default when absent.
    #[serde(default)]
    pub backend: Option<String>,
    /// Model of that backend; the configured one when absent.
    #[serde(default)]
    pub model: Option<String>,
    /// Session to continue; a new one when absent.
    #[serde(default)]
    pub session: Option<SessionId>,
    /// The task that this one continues: it belongs to the same session and is held to the same scope.
    #[serde(default)]
    pub after: Option<TaskId>,
    /// What it may touch beyond the workspace. Where it says nothing, a task of a session has the scope of the newest
    /// one before it; with `after` it says nothing.
    #[serde(default)]
    pub scope: Scope,
    /// Overrides the profile's; 0 for none, as the other limits.
    #[serde(default)]
    pub max_iterations: Option<u32>,
    /// Overrides the profile's seconds of running.
    #[serde(default)]
    pub max_wall_secs: Option<u64>,
    /// Overrides the profile's tokens.
    #[serde(default)]
    pub max_tokens: Option<u64>,
    /// Overrides the profile's cost, in hundredths of the currency.
    #[serde(default)]
    pub max_cost_cents: Option<u64>,
    /// Requests up to this risk count as allowed once.
    #[serde(default)]
    pub standing_consent: Option<Risk>,
}

/// End a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StopCommand {
    /// Which.
    pub task: TaskId,
}

/// Let a task wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PauseCommand {
    /// Which.
    pub task: TaskId,
}

/// Let a task continue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResumeCommand {
    /// Which.
    pub task: TaskId,
}

/// Add to a task's goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SteerCommand {
    /// Which.
    pub task: TaskId,
    /// What to say.
    pub text: String,
}

/// Switch a task to another backend or model, from its next step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SwitchModelCommand {
    /// Which.
    pub task: TaskId,
    /// The backend; the task's own when absent.
    #[serde(default)]
    pub backend: Option<String>,
    /// The model; the one that is configured for the backend when absent.
    #[serde(default)]
    pub model: Option<String>,
}

/// Answer a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerQuestionCommand {
    /// Which.
    pub request: RequestId,
    /// The answer.
    pub text: String,
}

/// Answer a permission request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerPermissionCommand {
    /// The answer.
    pub answer: PermissionAnswer,
}

/// Take back what calls changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UndoCommand {
    /// Whose changes.
    pub task: TaskId,
    /// Only this call's; all when absent.
    #[serde(default)]
    pub call: Option<CallId>,
    /// Only say what would be done.
    #[serde(default)]
    pub dry_run: bool,
    /// Do it only where all of it can be undone; otherwise say what would be done, so that a person can decide.
    #[serde(default)]
    pub if_whole: bool,
}

impl UndoCommand {
    /// Undoes everything that a task changed.
    pub fn all(task: TaskId) -> Self {
        Self { task, call: None, dry_run: false, if_whole: false }
    }

    /// The same command, which only says what would be done.
    pub fn dry(self) -> Self {
        Self { dry_run: true, ..self }
    }
}

/// Make the changes again that the last undo of a task took back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RedoCommand {
    /// Whose changes.
    pub task: TaskId,
}

/// Let a job that was stopped or cut off continue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResumeJobCommand {
    /// Which.
    pub job: JobId,
    /// Leave out the operation at which it stopped, instead of trying it again.
    #[serde(default)]
    pub skip: bool,
}

/// Take a job back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UndoJobCommand {
    /// Which.
    pub job: JobId,
    /// Only say what would be done.
    #[serde(default)]
    pub dry_run: bool,
    /// What happens with files that conflict with it.
    pub on_conflict: OnConflict,
}

/// What happens with files that were changed, moved or replaced since a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnConflict {
    /// They stay as they are, and the rest is undone.
    Skip,
    /// They come back as they are now, under another name where theirs is taken.
    KeepBoth,
    /// Then nothing is undone.
    Abort,
}

/// It was done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DoneOutcome {}

/// A task was submitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartedOutcome {
    /// The task.
    pub task: TaskSummary,
}

/// Files were undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UndoneOutcome {
    /// The result for each path.
    pub files: Vec<UndoneFile>,
    /// Jobs of those calls, newest first.
    #[serde(default)]
    pub jobs: Vec<JobReport>,
    /// Whether it was done, and not only said.
    #[serde(default)]
    pub applied: bool,
}

/// A job continued, or was undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobOutcome {
    /// What came of it.
    pub report: JobReport,
}

/// What came of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobReport {
    /// The job that did the steps; of a dry run, the one that would be undone.
    pub job: JobId,
    /// The job that it undoes, where it does.
    pub undoes: Option<JobId>,
    /// Steps that are done.
    pub done: u64,
    /// Steps that there are.
    pub steps: u64,
    /// Operations that were left out; the first 500.
    pub skipped: Vec<SkippedOperation>,
    /// How many more were left out.
    #[serde(default)]
    pub more_skipped: u64,
    /// Why it stopped before its end.
    pub stopped: Option<Phrase>,
    /// What stood against taking it back; the first 500.
    pub conflicts: Vec<JobConflict>,
    /// How much more stood against it.
    #[serde(default)]
    pub more_conflicts: u64,
    /// Whether nothing is left to do: every operation was done, or all that was done counts as undone.
    pub is_whole: bool,
}

/// An operation that was left out, although it had been planned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SkippedOperation {
    /// Which.
    pub operation: OperationId,
    /// What it is about.
    pub path: String,
    /// Why.
    pub reason: Phrase,
}

/// What prevents undoing an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobConflict {
    /// Which.
    pub operation: OperationId,
    /// The file that it is about.
    pub path: String,
    /// What is wrong.
    pub reason: Phrase,
}
