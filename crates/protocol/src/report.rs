//! What a task did, from its journal: what its end says next to the model's own words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a task did by Deputy's own record, so that no summary can claim what did not happen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// Steps that it took.
    pub steps: u32,
    /// Files that it changed, the first of many.
    #[serde(default)]
    pub files: Vec<String>,
    /// How many more.
    #[serde(default)]
    pub more_files: u32,
    /// Calls that changed something and did what they say, the newest of many, in their order.
    #[serde(default)]
    pub calls: Vec<String>,
    /// How many came before these.
    #[serde(default)]
    pub earlier_calls: u32,
    /// What the user said while it ran, the newest of much.
    #[serde(default)]
    pub answers: Vec<String>,
    /// Tokens that it used.
    #[serde(default)]
    pub tokens: u64,
    /// What they cost, in millionths of the currency; absent where no price is known.
    #[serde(default)]
    pub cost_micros: Option<u64>,
}

impl Report {
    /// Whether there is nothing to tell but the steps.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.calls.is_empty() && self.answers.is_empty()
    }
}
