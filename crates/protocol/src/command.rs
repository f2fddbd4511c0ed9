//! Commands that screens send to the host. Each command has an id that the client creates, so that sending it again
//! is safe.

use crate::{
    CallId, Command, CommandId, JobId, OperationId, PermissionAnswer, Phrase, RequestId, Responder, Risk,
    Scope, SessionId, TaskId, TaskSummary, Terminal, UndoneFile, UndoneRepository,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A command with its id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommandEnvelope {
    /// The id of the command, created by the client. A command that is sent again with the same id is not performed
    /// again.
    pub id: CommandId,
    /// The command.
    pub command: Command,
}

/// Starts a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartCommand {
    /// What the user wants.
    pub goal: String,
    /// The absolute path of the folder to work in.
    pub workspace: String,
    /// The name of the profile. If absent, the configured default is used.
    #[serde(default)]
    pub profile: Option<String>,
    /// The name of the backend. If absent, the configured default is used.
    #[serde(default)]
    pub backend: Option<String>,
    /// The model of the backend. If absent, the configured model is used.
    #[serde(default)]
    pub model: Option<String>,
    /// The conversation to continue. If absent, a new one starts.
    #[serde(default)]
    pub session: Option<SessionId>,
    /// The task that this task continues. The new task belongs to the same conversation and has the same scope.
    #[serde(default)]
    pub after: Option<TaskId>,
    /// What the task may touch in addition to the workspace. If it is empty, a task in an existing conversation has
    /// the scope of the newest task before it. It must be empty if `after` is set.
    #[serde(default)]
    pub scope: Scope,
    /// Overrides the profile's limit of iterations. 0 means no limit.
    #[serde(default)]
    pub max_iterations: Option<u32>,
    /// Overrides the profile's limit of running time, in seconds. 0 means no limit.
    #[serde(default)]
    pub max_wall_secs: Option<u64>,
    /// Overrides the profile's limit of tokens. 0 means no limit.
    #[serde(default)]
    pub max_tokens: Option<u64>,
    /// Overrides the profile's limit of cost, in hundredths of the currency. 0 means no limit.
    #[serde(default)]
    pub max_cost_cents: Option<u64>,
    /// Permission requests up to this risk count as allowed once. If absent, a person is always asked.
    #[serde(default)]
    pub standing_consent: Option<Risk>,
    /// The terminal in which the user starts the task. If absent, a task in an existing conversation has the terminal
    /// of the newest task before it. Ignored if the command comes from another device.
    #[serde(default)]
    pub terminal: Option<Terminal>,
}

/// Ends a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StopCommand {
    /// The id of the task.
    pub task: TaskId,
}

/// Pauses a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PauseCommand {
    /// The id of the task.
    pub task: TaskId,
}

/// Resumes a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResumeCommand {
    /// The id of the task.
    pub task: TaskId,
}

/// Adds an instruction to a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SteerCommand {
    /// The id of the task.
    pub task: TaskId,
    /// The text of the instruction.
    pub text: String,
}

/// Switches a task to another backend or model, from its next step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SwitchModelCommand {
    /// The id of the task.
    pub task: TaskId,
    /// The name of the backend. If absent, the task's current backend is kept.
    #[serde(default)]
    pub backend: Option<String>,
    /// The model. If absent, the backend's configured model is used.
    #[serde(default)]
    pub model: Option<String>,
}

/// Answers a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerQuestionCommand {
    /// The id of the question.
    pub request: RequestId,
    /// The answer.
    pub text: String,
    /// Who answers. The host fills it in from the connection; only a program at the terminal names itself.
    #[serde(default)]
    pub by: Option<Responder>,
}

/// Answers a permission request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerPermissionCommand {
    /// The answer.
    pub answer: PermissionAnswer,
}

/// Undoes the changes of a task's calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UndoCommand {
    /// The task whose changes are undone.
    pub task: TaskId,
    /// The only call whose changes are undone. If absent, the changes of all calls are undone.
    #[serde(default)]
    pub call: Option<CallId>,
    /// Whether to only report what would be undone.
    #[serde(default)]
    pub dry_run: bool,
    /// Whether to undo only if everything can be undone. Otherwise only a report is returned, so that a person can
    /// decide.
    #[serde(default)]
    pub if_whole: bool,
    /// Whether to leave git repositories as they are, and to undo only what changed outside of their data.
    #[serde(default)]
    pub files_only: bool,
}

impl UndoCommand {
    /// Returns a command that undoes everything that a task changed.
    pub fn all(task: TaskId) -> Self {
        Self { task, call: None, dry_run: false, if_whole: false, files_only: false }
    }

    /// Returns the same command as a dry run, which only reports what would be undone.
    pub fn dry(self) -> Self {
        Self { dry_run: true, ..self }
    }
}

/// Redoes the changes that the last undo of a task reverted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RedoCommand {
    /// The task whose changes are redone.
    pub task: TaskId,
    /// Whether to leave git repositories as they are, and to redo only what changed outside of their data.
    #[serde(default)]
    pub files_only: bool,
}

impl RedoCommand {
    /// Returns a command that redoes everything that the last undo of a task reverted.
    pub fn all(task: TaskId) -> Self {
        Self { task, files_only: false }
    }
}

/// Resumes a job that was stopped or interrupted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResumeJobCommand {
    /// The id of the job.
    pub job: JobId,
    /// Whether to skip the operation at which the job stopped instead of trying it again.
    #[serde(default)]
    pub skip: bool,
}

/// Undoes a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UndoJobCommand {
    /// The id of the job.
    pub job: JobId,
    /// Whether to only report what would be undone.
    #[serde(default)]
    pub dry_run: bool,
    /// What to do with files that conflict with the undo.
    pub on_conflict: OnConflict,
}

/// What to do with files that were changed, moved or replaced since a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnConflict {
    /// Such files are not touched; the rest is undone.
    Skip,
    /// Such files are moved back in their current state, under another name if theirs is taken.
    KeepBoth,
    /// Nothing is undone if there is such a file.
    Abort,
}

/// The command was performed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DoneOutcome {}

/// A task was submitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartedOutcome {
    /// The summary of the task.
    pub task: TaskSummary,
}

/// The result of an undo or a redo.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UndoneOutcome {
    /// The result for each path.
    pub files: Vec<UndoneFile>,
    /// The reports of the jobs that the calls ran, newest first.
    #[serde(default)]
    pub jobs: Vec<JobReport>,
    /// The result for each git repository. If one is refused, nothing at all was undone or redone.
    #[serde(default)]
    pub repositories: Vec<UndoneRepository>,
    /// Whether the changes were made. False if they were only reported.
    #[serde(default)]
    pub applied: bool,
}

/// The result of resuming or undoing a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobOutcome {
    /// The report of the job.
    pub report: JobReport,
}

/// The report of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobReport {
    /// The id of the job that performed the steps. In a dry run, it is the job that would be undone.
    pub job: JobId,
    /// The id of the job that this job undoes. Absent if it does not undo a job.
    pub undoes: Option<JobId>,
    /// The number of steps that are done.
    pub done: u64,
    /// The total number of steps.
    pub steps: u64,
    /// The first 500 operations that were skipped.
    pub skipped: Vec<SkippedOperation>,
    /// The number of further operations that were skipped.
    #[serde(default)]
    pub more_skipped: u64,
    /// Why the job stopped early. Absent if it did not.
    pub stopped: Option<Phrase>,
    /// The first 500 conflicts that prevented undoing an operation.
    pub conflicts: Vec<JobConflict>,
    /// The number of further conflicts.
    #[serde(default)]
    pub more_conflicts: u64,
    /// Whether nothing is left to do: every operation was performed, or everything that was performed counts as
    /// undone.
    pub is_whole: bool,
}

/// A planned operation that was skipped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SkippedOperation {
    /// The id of the operation.
    pub operation: OperationId,
    /// The path that the operation is about.
    pub path: String,
    /// Why the operation was skipped.
    pub reason: Phrase,
}

/// A conflict that prevents undoing an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobConflict {
    /// The id of the operation.
    pub operation: OperationId,
    /// The path that the operation is about.
    pub path: String,
    /// Why the operation cannot be undone.
    pub reason: Phrase,
}
