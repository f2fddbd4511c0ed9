//! The live console of a task: what is running right now.

use crate::{CallId, ConsoleBackground, Phrase, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks for the live console of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConsoleQuery {
    /// The id of the task.
    pub task: TaskId,
}

/// The live console of a task: the output of its planner and its running calls so far. Further output arrives as
/// progress.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Console {
    /// What the planner has written of its current plan. Empty if the planner is not working.
    pub planning: String,
    /// The running calls, oldest first.
    pub calls: Vec<ConsoleCall>,
    /// The running background commands, oldest first.
    #[serde(default)]
    pub backgrounds: Vec<ConsoleBackground>,
    /// The files that the task touched, newest first, at most 50.
    pub files: Vec<TouchedFile>,
}

/// A running call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConsoleCall {
    /// The id of the call.
    pub call: CallId,
    /// What the call does, for people.
    pub summary: Phrase,
    /// When the call started.
    pub started_at_ms: i64,
    /// The end of the output so far.
    pub output: String,
}

/// A file that a task touched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TouchedFile {
    /// The path of the file.
    pub path: String,
    /// The call that touched the file.
    pub call: CallId,
    /// Whether the call is still running.
    pub now: bool,
}
