//! What runs right now, as it happens: the live console of a task.

use crate::{CallId, ConsoleBackground, Phrase, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The live console of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConsoleQuery {
    /// The task.
    pub task: TaskId,
}

/// The live console of a task: what its planner and its running calls have said so far. What follows comes as progress.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Console {
    /// What the planner has written of the plan it is making; empty when it makes none.
    pub planning: String,
    /// Calls that are running, oldest first.
    pub calls: Vec<ConsoleCall>,
    /// Commands that run in the background, oldest first.
    #[serde(default)]
    pub backgrounds: Vec<ConsoleBackground>,
    /// Files that the task touched, the latest first, at most 50.
    pub files: Vec<TouchedFile>,
}

/// A running call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConsoleCall {
    /// The call.
    pub call: CallId,
    /// What it does, for people.
    pub summary: Phrase,
    /// When it started.
    pub started_at_ms: i64,
    /// The end of what it has written so far.
    pub output: String,
}

/// A file that a task touched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TouchedFile {
    /// Its path.
    pub path: String,
    /// The call that touched it.
    pub call: CallId,
    /// Whether that call is still running.
    pub now: bool,
}
