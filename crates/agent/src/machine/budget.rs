//! The limits of time and money that pause a task.

use super::Machine;
use deputy_protocol::{BudgetLimit, BudgetReached};

/// Millionths in a hundredth.
const MICROS_PER_CENT: u64 = 10_000;

impl Machine {
    /// The limit that is reached, with what was spent and what it bought. Resuming allows as much again.
    pub(super) fn over_budget(&self) -> Option<BudgetReached> {
        let limits = &self.spec.limits;
        let reached = |spent: u64, most: u64| most > 0 && spent >= most.saturating_mul(self.budgets);
        let limit = if reached(self.tokens, limits.max_tokens) {
            BudgetLimit::Tokens
        } else if reached(
            self.cost_micros.unwrap_or(0),
            limits.max_cost_cents.saturating_mul(MICROS_PER_CENT),
        ) {
            BudgetLimit::Cost
        } else if limits.max_cost_cents > 0 && self.is_unpriced && self.budgets == 1 {
            BudgetLimit::UnknownPrice
        } else if reached(self.active_ms / 1000, limits.max_wall_secs) {
            BudgetLimit::Time
        } else {
            return None;
        };
        Some(self.reached(limit, self.tokens, self.cost_micros.unwrap_or(0)))
    }

    /// A limit that is reached, by what counts against it.
    pub fn reached(&self, limit: BudgetLimit, tokens: u64, cost_micros: u64) -> BudgetReached {
        let (files, calls) = self.lasting.counts();
        BudgetReached {
            limit,
            tokens,
            cost_micros,
            worked_secs: self.active_ms / 1000,
            steps: self.status.iteration(),
            files,
            calls,
        }
    }

    /// The limit that the task is paused for.
    pub fn paused_for(&self) -> Option<BudgetLimit> {
        self.paused_for
    }
}
