//! Sub-tasks: the events for the start and the end of delegated work.

use crate::{CallId, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A call delegated work to sub-tasks. The task waits until the sub-tasks or the call end. The event is written again
/// if the call runs again after a crash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubtasksStarted {
    /// The call that delegated the work.
    pub call: CallId,
    /// The ids of the sub-tasks, in the order of the call.
    pub tasks: Vec<TaskId>,
}

/// The sub-tasks of a call ended. Their usage counts against the limits of the task that delegated them. Their own
/// journals contain usage and prices in detail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubtasksEnded {
    /// The call that delegated the work.
    pub call: CallId,
    /// The files that the sub-tasks changed, according to their journals.
    pub files: Vec<String>,
    /// The number of tokens that the sub-tasks used.
    pub tokens: u64,
    /// The cost of the sub-tasks' tokens, in millionths of the currency. It covers only the tokens whose price is
    /// known; absent if none is.
    #[serde(default)]
    pub cost_micros: Option<u64>,
    /// Whether the price of some of the tokens is unknown.
    #[serde(default)]
    pub is_unpriced: bool,
    /// How long the calls of the sub-tasks ran, in milliseconds.
    pub active_ms: u64,
}
