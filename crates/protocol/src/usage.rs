//! What models cost: tokens and money, by time, task, backend and model.

use crate::{TaskId, TaskSummary, Usage};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the models cost since a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UsageQuery {
    /// Since when; the quarter of an hour that it is in counts whole.
    pub since_ms: i64,
}

/// What the models cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UsageAnswer {
    /// Tokens by quarter of an hour, task, backend and model, oldest first.
    pub rows: Vec<UsageRow>,
    /// The prices that hold now: those that are configured, then those that Deputy knows.
    pub prices: Vec<Price>,
    /// What they are in, e.g. `USD`.
    pub currency: String,
    /// What all tasks of today used, against the limits of a day.
    pub today: DaySpent,
}

/// Tokens of a task in a quarter of an hour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UsageRow {
    /// When the quarter began.
    pub at_ms: i64,
    /// The task.
    pub task: TaskId,
    /// What it was to do.
    pub goal: String,
    /// The backend that answered.
    pub backend: String,
    /// The model as it was configured then; absent where the backend names none.
    #[serde(default)]
    pub model: Option<String>,
    /// How many plans these are.
    #[serde(default)]
    pub plans: u64,
    /// Tokens read, those from the provider's cache included.
    pub input_tokens: u64,
    /// Tokens written, thoughts included.
    pub output_tokens: u64,
    /// Of those read, tokens that came from the provider's cache.
    #[serde(default)]
    pub cached_tokens: u64,
    /// Of those written, tokens of thoughts.
    #[serde(default)]
    pub reasoning_tokens: u64,
    /// What they cost, in millionths of the currency, by the prices of then; by those of now where none was known then.
    #[serde(default)]
    pub cost_micros: Option<u64>,
}

/// What a million tokens cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Price {
    /// The model's or the backend's name; a model's may be its beginning.
    pub of: String,
    /// A million tokens read.
    pub input: f64,
    /// A million tokens read from the provider's cache.
    #[serde(default)]
    pub cached: f64,
    /// A million tokens written.
    pub output: f64,
    /// The day that Deputy knows it from; absent where it is the user's own.
    #[serde(default)]
    pub as_of: Option<String>,
}

/// What all tasks used since midnight, and the limits of a day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DaySpent {
    /// Tokens read and written.
    pub tokens: u64,
    /// What they cost as far as prices are known, in millionths of the currency.
    pub cost_micros: u64,
    /// The limit of tokens; 0 for none.
    pub max_tokens: u64,
    /// The limit of cost, in hundredths of the currency; 0 for none.
    pub max_cost_cents: u64,
}

/// A limit of time or money that a task reached, with what was spent and what it bought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BudgetReached {
    /// Which limit.
    pub limit: BudgetLimit,
    /// Tokens that count against it.
    pub tokens: u64,
    /// What they cost as far as prices are known, in millionths of the currency.
    pub cost_micros: u64,
    /// Seconds that the task worked.
    pub worked_secs: u64,
    /// Its steps.
    pub steps: u32,
    /// Files that it changed.
    pub files: u32,
    /// Its calls that changed something.
    pub calls: u32,
}

/// A limit that pauses a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BudgetLimit {
    /// `max_wall_secs`.
    Time,
    /// `max_tokens`.
    Tokens,
    /// `max_cost_cents`.
    Cost,
    /// `max_cost_cents` cannot be kept: the price of the model is unknown.
    UnknownPrice,
    /// `day_tokens`.
    DayTokens,
    /// `day_cost_cents`.
    DayCost,
}

impl BudgetLimit {
    /// Whether it counts all tasks of a day.
    pub fn is_of_day(self) -> bool {
        matches!(self, Self::DayTokens | Self::DayCost)
    }
}

impl TaskSummary {
    /// Adds what a model was asked to what the task used.
    pub(crate) fn spend(&mut self, used: Usage, cost_micros: Option<u64>) {
        self.tokens = self.tokens.saturating_add(used.input_tokens).saturating_add(used.output_tokens);
        if let Some(cost) = cost_micros {
            self.cost_micros = Some(self.cost_micros.unwrap_or(0).saturating_add(cost));
        }
    }
}

/// What a provider counted for an answer that could not be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpentInVain {
    /// Who counted it.
    pub backend: String,
    /// Its model, where it names one.
    #[serde(default)]
    pub model: Option<String>,
    /// The tokens.
    pub usage: Usage,
    /// Millionths of the currency, by the prices then; absent where the price is unknown.
    #[serde(default)]
    pub cost_micros: Option<u64>,
}
