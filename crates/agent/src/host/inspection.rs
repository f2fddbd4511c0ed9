//! What the desktop's screen asks about rules and usage: nothing is changed and nothing is run.

use super::HostError;
use crate::core::Core;
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_policy::Rules;
use deputy_protocol::{
    Answers, ErrorBody, ErrorCode, ExplainQuery, Explanation, Price, RulesAnswer, RulesQuery, UsageAnswer,
    UsageQuery, UserRule,
};
use std::path::Path;
use std::sync::Arc;

/// A longer command is nothing to try by hand.
const MAX_COMMAND_BYTES: usize = 64 * 1024;

/// Looks at rules and usage.
pub(super) struct Inspection {
    pub(super) core: Arc<Core>,
}

impl Answers<ExplainQuery> for Inspection {
    /// By the rules and the grants that hold in the folder now.
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

impl Answers<RulesQuery> for Inspection {
    async fn answer(&self, _: RulesQuery) -> Result<RulesAnswer, ErrorBody> {
        let path = self.core.home.join("rules.toml");
        let rules = if path.exists() { Rules::load(&path) } else { Ok(Rules::empty()) };
        let (rules, problem) = match rules {
            Ok(rules) => (rules, None),
            Err(error) => (Rules::empty(), Some(error.to_string().into())),
        };
        let lines = rules.summaries().into_iter().zip(rules.describe());
        let rules = lines.map(|(summary, text)| UserRule {
            line: u64::try_from(summary.line).unwrap_or(u64::MAX),
            effect: summary.effect,
            text: text.into(),
        });
        Ok(RulesAnswer { path: path.display().to_string(), rules: rules.collect(), problem })
    }
}

impl Answers<UsageQuery> for Inspection {
    async fn answer(&self, query: UsageQuery) -> Result<UsageAnswer, ErrorBody> {
        let config = self.core.config();
        let prices = config.prices.iter();
        Ok(UsageAnswer {
            rows: self.core.store.usage_since(query.since_ms).map_err(HostError::from)?,
            prices: prices
                .map(|(of, price)| Price { of: of.clone(), input: price.input, output: price.output })
                .collect(),
            currency: config.currency.clone(),
        })
    }
}
