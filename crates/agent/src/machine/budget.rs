//! The limits of time and money that pause a task.

use super::Machine;
use deputy_protocol::{BudgetLimit, BudgetReached, SubtasksEnded};

/// Millionths of the currency unit in one hundredth.
const MICROS_PER_CENT: u64 = 10_000;

/// The remaining budget of a task. `None` if there is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// The remaining tokens.
    pub tokens: Option<u64>,
    /// The remaining cost, in hundredths of the currency unit.
    pub cost_cents: Option<u64>,
    /// The remaining running time, in seconds.
    pub wall_secs: Option<u64>,
}

impl Machine {
    /// Returns the remaining budget.
    pub fn left(&self) -> Left {
        let left = |most: u64, spent: u64| {
            (most > 0).then(|| most.saturating_mul(self.budgets).saturating_sub(spent))
        };
        let limits = &self.spec.limits;
        Left {
            tokens: left(limits.max_tokens, self.tokens),
            cost_cents: left(limits.max_cost_cents, self.cost_micros.unwrap_or(0).div_ceil(MICROS_PER_CENT)),
            wall_secs: left(limits.max_wall_secs, self.active_ms / 1000),
        }
    }

    /// Adds the usage and the changes of this task to those of the sub-tasks of a call.
    pub fn add_to(&self, took: &mut SubtasksEnded) {
        took.files.extend_from_slice(self.lasting.files());
        took.tokens = took.tokens.saturating_add(self.tokens);
        took.cost_micros = match (took.cost_micros, self.cost_micros) {
            (Some(one), Some(other)) => Some(one.saturating_add(other)),
            (one, other) => one.or(other),
        };
        took.is_unpriced |= self.is_unpriced;
        took.active_ms = took.active_ms.saturating_add(self.active_ms);
    }

    /// Adds the usage of sub-tasks to that of this task.
    pub(super) fn on_subtasks_ended(&mut self, ended: &SubtasksEnded) {
        ended.files.iter().for_each(|path| self.lasting.changed(path));
        self.tokens = self.tokens.saturating_add(ended.tokens);
        if let Some(cost) = ended.cost_micros {
            self.cost_micros = Some(self.cost_micros.unwrap_or(0).saturating_add(cost));
        }
        self.is_unpriced |= ended.is_unpriced;
        self.active_ms = self.active_ms.saturating_add(ended.active_ms);
    }

    /// Returns the limit that is reached, with the usage and the results so far. Resuming allows the same amount again.
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

    /// Returns the details of a limit that is reached, with the given usage.
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

    /// Returns the limit that the task is paused for.
    pub fn paused_for(&self) -> Option<BudgetLimit> {
        self.paused_for
    }
}
