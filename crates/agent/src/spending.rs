//! Limits of money and time: the spending of all tasks of a day, and the message when a limit pauses a task.

use crate::clock::midnight_ms;
use crate::config::Config;
use crate::core::Core;
use deputy_messages::budget;
use deputy_protocol::{BudgetLimit, BudgetReached, DaySpent, Limits, Phrase};
use deputy_store::StoreError;
use std::sync::{Mutex, PoisonError};

/// Millionths of the currency unit in one hundredth, and in one unit.
const MICROS_PER_CENT: u64 = 10_000;
const MICROS: f64 = 1_000_000.0;

/// How often a person let today's tasks continue past the limit of the day. Not stored: after a restart the user is
/// asked again.
#[derive(Debug, Default)]
pub(crate) struct DayLifted(Mutex<(i64, u64)>);

impl DayLifted {
    /// Allows the same amount again for today.
    pub(crate) fn lift(&self, now_ms: i64) {
        let mut lifted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let day = midnight_ms(now_ms);
        *lifted = (day, if lifted.0 == day { lifted.1 + 1 } else { 1 });
    }

    /// Returns how many times the limit of the day is allowed today.
    fn times(&self, now_ms: i64) -> u64 {
        let lifted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lifted.0 == midnight_ms(now_ms) { lifted.1 + 1 } else { 1 }
    }
}

impl Core {
    /// Returns the spending of all tasks since midnight, in whole quarters of an hour.
    pub(crate) fn day_spent(&self, config: &Config) -> Result<DaySpent, StoreError> {
        let limits = config.limits.over(Limits::default());
        let mut spent = DaySpent {
            max_tokens: limits.day_tokens,
            max_cost_cents: limits.day_cost_cents,
            ..DaySpent::default()
        };
        for row in self.store.usage_since(midnight_ms(self.now_ms()))? {
            let row = config.with_cost(row);
            let tokens = row.input_tokens.saturating_add(row.output_tokens);
            spent.tokens = spent.tokens.saturating_add(tokens);
            spent.cost_micros = spent.cost_micros.saturating_add(row.cost_micros.unwrap_or(0));
        }
        Ok(spent)
    }

    /// Returns the limit of the day that is reached, with the spending.
    pub(crate) fn over_day(&self) -> Result<Option<(BudgetLimit, DaySpent)>, StoreError> {
        let config = self.config();
        let limits = config.limits.over(Limits::default());
        if (limits.day_tokens, limits.day_cost_cents) == (0, 0) {
            return Ok(None);
        }
        let spent = self.day_spent(&config)?;
        let times = self.day_lifted.times(self.now_ms());
        let reached = |spent: u64, most: u64| most > 0 && spent >= most.saturating_mul(times);
        let limit = if reached(spent.tokens, spent.max_tokens) {
            BudgetLimit::DayTokens
        } else if reached(spent.cost_micros, spent.max_cost_cents.saturating_mul(MICROS_PER_CENT)) {
            BudgetLimit::DayCost
        } else {
            return Ok(None);
        };
        Ok(Some((limit, spent)))
    }
}

/// Describes the spending, its results, and what to do next.
pub(crate) fn in_words(reached: &BudgetReached, currency: &str) -> Phrase {
    let BudgetReached { tokens, cost_micros, worked_secs, steps, files, calls, .. } = *reached;
    let cost = money(cost_micros, currency);
    let spent = match reached.limit {
        BudgetLimit::Tokens => budget::tokens(tokens),
        BudgetLimit::Cost => budget::cost(cost, tokens),
        BudgetLimit::Time => budget::time(worked_secs / 60),
        BudgetLimit::UnknownPrice => return budget::unknown_price(tokens),
        BudgetLimit::DayTokens => budget::day_tokens(tokens),
        BudgetLimit::DayCost => budget::day_cost(cost, tokens),
    };
    let bought = budget::bought(calls, files, steps);
    let next = if reached.limit.is_of_day() { budget::resume_day() } else { budget::resume() };
    deputy_messages::sentences([spent, bought, next])
}

/// Formats an amount of the currency with two decimal places, or with four if two would round it to zero.
fn money(micros: u64, currency: &str) -> String {
    let amount = micros as f64 / MICROS;
    if micros > 0 && micros < MICROS_PER_CENT {
        format!("{amount:.4} {currency}")
    } else {
        format!("{amount:.2} {currency}")
    }
}
