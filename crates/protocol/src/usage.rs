//! The usage of models: tokens and cost by time, task, backend and model.

use crate::{TaskId, TaskSummary, Usage};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks what the models used and cost since a point in time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UsageQuery {
    /// The start of the period. The quarter hour that contains it is included as a whole.
    pub since_ms: i64,
}

/// What the models used and cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UsageAnswer {
    /// The tokens by quarter hour, task, backend and model, oldest first.
    pub rows: Vec<UsageRow>,
    /// The current prices: the configured ones, then those that Deputy knows.
    pub prices: Vec<Price>,
    /// The currency of the prices, e.g. `USD`.
    pub currency: String,
    /// The usage of all tasks today, with the daily limits.
    pub today: DaySpent,
}

/// The usage of a task in a quarter hour, by backend and model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UsageRow {
    /// When the quarter hour started.
    pub at_ms: i64,
    /// The id of the task.
    pub task: TaskId,
    /// The goal of the task.
    pub goal: String,
    /// The backend that answered.
    pub backend: String,
    /// The model that was configured at the time. Absent if the backend names none.
    #[serde(default)]
    pub model: Option<String>,
    /// The number of plans.
    #[serde(default)]
    pub plans: u64,
    /// Input tokens, including those from the provider's cache.
    pub input_tokens: u64,
    /// Output tokens, including reasoning tokens.
    pub output_tokens: u64,
    /// The part of the input tokens that came from the provider's cache.
    #[serde(default)]
    pub cached_tokens: u64,
    /// The part of the output tokens that the model spent on reasoning.
    #[serde(default)]
    pub reasoning_tokens: u64,
    /// The cost in millionths of the currency, by the prices at the time, or by the current prices if none were known
    /// then. Absent if the price is unknown.
    #[serde(default)]
    pub cost_micros: Option<u64>,
}

/// The price of a model or backend, per million tokens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Price {
    /// The name of the model or the backend. A model's name may be a prefix.
    pub of: String,
    /// The price of a million input tokens.
    pub input: f64,
    /// The price of a million input tokens from the provider's cache.
    #[serde(default)]
    pub cached: f64,
    /// The price of a million output tokens.
    pub output: f64,
    /// The date of the price that Deputy knows. Absent if the user configured the price.
    #[serde(default)]
    pub as_of: Option<String>,
}

/// The usage of all tasks since midnight, with the daily limits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DaySpent {
    /// The number of input and output tokens.
    pub tokens: u64,
    /// The cost in millionths of the currency, for the tokens whose price is known.
    pub cost_micros: u64,
    /// The daily limit of tokens; 0 for no limit.
    pub max_tokens: u64,
    /// The daily limit of cost, in hundredths of the currency; 0 for no limit.
    pub max_cost_cents: u64,
}

/// A limit of time or money that a task reached, with what the task used and did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BudgetReached {
    /// The limit that was reached.
    pub limit: BudgetLimit,
    /// The number of tokens that count against the limit.
    pub tokens: u64,
    /// The cost of the counted tokens in millionths of the currency, as far as their price is known.
    pub cost_micros: u64,
    /// The time that the task worked, in seconds.
    pub worked_secs: u64,
    /// The number of the task's steps.
    pub steps: u32,
    /// The number of files that the task changed.
    pub files: u32,
    /// The number of the task's calls that changed something.
    pub calls: u32,
}

/// A limit that pauses a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BudgetLimit {
    /// The running time, `max_wall_secs`.
    Time,
    /// The tokens of the task, `max_tokens`.
    Tokens,
    /// The cost of the task, `max_cost_cents`.
    Cost,
    /// The limit `max_cost_cents` cannot be enforced because the price of the model is unknown.
    UnknownPrice,
    /// The tokens of all tasks in a day, `day_tokens`.
    DayTokens,
    /// The cost of all tasks in a day, `day_cost_cents`.
    DayCost,
}

impl BudgetLimit {
    /// Returns whether the limit covers all tasks of a day.
    pub fn is_of_day(self) -> bool {
        matches!(self, Self::DayTokens | Self::DayCost)
    }
}

impl TaskSummary {
    /// Adds the usage of a request to a model.
    pub(crate) fn spend(&mut self, used: Usage, cost_micros: Option<u64>) {
        self.tokens = self.tokens.saturating_add(used.input_tokens).saturating_add(used.output_tokens);
        if let Some(cost) = cost_micros {
            self.cost_micros = Some(self.cost_micros.unwrap_or(0).saturating_add(cost));
        }
    }
}

/// The usage of a request whose answer could not be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpentInVain {
    /// The backend that was asked.
    pub backend: String,
    /// The model that was asked. Absent if the backend names none.
    #[serde(default)]
    pub model: Option<String>,
    /// The tokens that the provider counted.
    pub usage: Usage,
    /// The cost in millionths of the currency, by the prices at the time. Absent if the price is unknown.
    #[serde(default)]
    pub cost_micros: Option<u64>,
}
