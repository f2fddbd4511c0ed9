//! Queries about what tasks changed, about commands and about usage. Nothing is changed.

use super::{HostError, existing};
use crate::core::Core;
use crate::record;
use deputy_messages::{Phrase, agent as say};
use deputy_protocol::{
    Answers, DifferenceQuery, ErrorBody, ErrorCode, ExplainQuery, Explanation, TaskDifference, UsageAnswer,
    UsageQuery,
};
use std::path::Path;
use std::sync::Arc;

/// The maximum length of a command that can be explained, in bytes.
const MAX_COMMAND_BYTES: usize = 64 * 1024;

/// Answers queries about changes, commands and usage.
pub(super) struct Inspection {
    pub(super) core: Arc<Core>,
}

impl Answers<DifferenceQuery> for Inspection {
    async fn answer(&self, query: DifferenceQuery) -> Result<TaskDifference, ErrorBody> {
        existing(&self.core, &query.task)?;
        Ok(record::difference(&self.core, &query.task).await.map_err(HostError::from)?)
    }
}

impl Answers<ExplainQuery> for Inspection {
    /// Uses the rules and the grants that are valid in the folder now.
    async fn answer(&self, query: ExplainQuery) -> Result<Explanation, ErrorBody> {
        let bad = |message: Phrase, hint: Phrase| ErrorBody::new(ErrorCode::BadQuery, message, hint);
        if query.command.trim().is_empty() || query.command.len() > MAX_COMMAND_BYTES {
            return Err(bad(say::there_is_no_command(), say::give_one_of_at_most()));
        }
        let workspace = Path::new(&query.workspace).canonicalize().map_err(|error| {
            bad(say::folder_cannot_be_opened(error, query.workspace), say::give_one_that_exists())
        })?;
        let grants =
            self.core.store.grants(workspace.to_str(), self.core.now_ms()).map_err(HostError::from)?;
        let situation = self.core.situation(workspace, grants);
        Ok(Explanation { verdict: deputy_policy::verdict(&situation, &query.command) })
    }
}

impl Answers<UsageQuery> for Inspection {
    async fn answer(&self, query: UsageQuery) -> Result<UsageAnswer, ErrorBody> {
        let config = self.core.config();
        let rows = self.core.store.usage_since(query.since_ms).map_err(HostError::from)?;
        Ok(UsageAnswer {
            rows: rows.into_iter().map(|row| config.with_cost(row)).collect(),
            prices: config.all_prices(),
            currency: config.currency.clone(),
            today: self.core.day_spent(&config).map_err(HostError::from)?,
        })
    }
}
