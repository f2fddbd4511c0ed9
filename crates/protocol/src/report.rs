//! The report of a task: what it did according to its journal, shown next to the model's own summary.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a task did, according to Deputy's own record. A summary by the model cannot claim anything that did not
/// happen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// The number of steps.
    pub steps: u32,
    /// The files that the task changed. Only the first ones if there are many.
    #[serde(default)]
    pub files: Vec<String>,
    /// The number of further files.
    #[serde(default)]
    pub more_files: u32,
    /// The successful calls that changed something, in order. Only the newest ones if there are many.
    #[serde(default)]
    pub calls: Vec<String>,
    /// The number of earlier calls that are not listed.
    #[serde(default)]
    pub earlier_calls: u32,
    /// What the user said while the task ran. Only the newest texts if there are many.
    #[serde(default)]
    pub answers: Vec<String>,
    /// The number of tokens that the task used.
    #[serde(default)]
    pub tokens: u64,
    /// The cost of the tokens, in millionths of the currency. Absent if no price is known.
    #[serde(default)]
    pub cost_micros: Option<u64>,
}

impl Report {
    /// Returns whether there is nothing to report except the steps.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.calls.is_empty() && self.answers.is_empty()
    }
}
