//! What screens tell the host to do. Commands carry a client-made id and are idempotent.

use crate::{
    CallId, CommandId, JobOutcome, PermissionAnswer, RequestId, ResumeJobCommand, Risk, Scope, SessionId,
    TaskId, TaskSummary, UndoJobCommand, UndoneFile,
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

/// What to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Command {
    /// Hand over a task.
    Start(StartCommand),
    /// End a task; the running call may finish.
    Stop(StopCommand),
    /// Let a task wait.
    Pause(PauseCommand),
    /// Let a waiting or interrupted task go on.
    Resume(ResumeCommand),
    /// Add to a task's goal.
    Steer(SteerCommand),
    /// Answer a question.
    AnswerQuestion(AnswerQuestionCommand),
    /// Answer a permission request.
    AnswerPermission(AnswerPermissionCommand),
    /// Take back what calls changed.
    Undo(UndoCommand),
    /// Go on with an organising job.
    ResumeJob(ResumeJobCommand),
    /// Take an organising job back.
    UndoJob(UndoJobCommand),
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
    /// Session to continue; a new one when absent.
    #[serde(default)]
    pub session: Option<SessionId>,
    /// What it may touch beyond the workspace.
    #[serde(default)]
    pub scope: Scope,
    /// Overrides the profile's.
    #[serde(default)]
    pub max_iterations: Option<u32>,
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

/// Let a task go on.
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
}

/// What came of a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum CommandOutcome {
    /// It was done, or had been done before.
    Done(DoneOutcome),
    /// A task was handed over.
    Started(StartedOutcome),
    /// Files were taken back.
    Undone(UndoneOutcome),
    /// An organising job goes on, or what taking one back would mean.
    Job(JobOutcome),
}

/// It was done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DoneOutcome {}

/// A task was handed over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartedOutcome {
    /// The task.
    pub task: TaskSummary,
}

/// Files were taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UndoneOutcome {
    /// Each path with what came of it.
    pub files: Vec<UndoneFile>,
}
