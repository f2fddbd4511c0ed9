//! Sub-tasks: what their start and their end mean for the task that delegated them.

use crate::{CallId, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A call has delegated work to sub-tasks. The task waits until they or the call end. Written again if the call runs again
/// after a crash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubtasksStarted {
    /// The call that delegated them.
    pub call: CallId,
    /// The sub-tasks, in the order of the call.
    pub tasks: Vec<TaskId>,
}

/// The sub-tasks of a call have ended. What they used counts against the limits of the task that
/// delegated them; their own journals have usage and prices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubtasksEnded {
    /// The call that handed them over.
    pub call: CallId,
    /// Files that they changed, by their own records.
    pub files: Vec<String>,
    /// Tokens that they used.
    pub tokens: u64,
    /// What these cost as far as prices are known, in millionths of the currency.
    #[serde(default)]
    pub cost_micros: Option<u64>,
    /// Whether the price of some was unknown.
    #[serde(default)]
    pub is_unpriced: bool,
    /// Milliseconds that their calls ran.
    pub active_ms: u64,
}
