//! Sub-tasks: what their end means for the task that handed them over.

use crate::CallId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
