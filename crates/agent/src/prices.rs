//! The prices of tokens: the configured ones, or else those that Deputy knows (`data/prices.toml`).

use crate::config::Config;
use deputy_protocol::{Price, Usage, UsageRow};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The price of a million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TokenPrice {
    /// The price of a million input tokens.
    pub input: f64,
    /// The price of a million input tokens from the provider's cache. If absent, the price of other input tokens.
    pub cached: Option<f64>,
    /// The price of a million output tokens.
    pub output: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    currency: String,
    /// The date of the price lists.
    as_of: String,
    /// Backends that cost nothing.
    free: Vec<String>,
    models: BTreeMap<String, TokenPrice>,
}

static KNOWN: LazyLock<Option<Known>> =
    LazyLock::new(|| match toml::from_str(include_str!("../data/prices.toml")) {
        Ok(known) => Some(known),
        // A test reads the file, so this only happens in a build without that test. No price is known then.
        Err(error) => {
            tracing::error!("the prices that Deputy comes with cannot be read: {error}");
            None
        }
    });

impl Config {
    /// Returns the price of a backend and its model. The user's own price has priority; of the known prices, the one
    /// with the longest matching model name is used.
    fn price(&self, backend: &str, model: Option<&str>) -> Option<TokenPrice> {
        let own = model.and_then(|model| self.prices.get(model)).or_else(|| self.prices.get(backend));
        if let Some(own) = own {
            return Some(*own);
        }
        let known = KNOWN.as_ref()?;
        if known.free.iter().any(|free| free == backend) {
            return Some(TokenPrice::default());
        }
        if known.currency != self.currency {
            return None;
        }
        let model = model?;
        let fitting = known.models.iter().filter(|(name, _)| is_version_of(model, name));
        fitting.max_by_key(|(name, _)| name.len()).map(|(_, price)| *price)
    }

    /// Returns the cost of tokens, in millionths of the currency unit. `None` if the price is unknown. An implausible
    /// number of tokens saturates.
    pub(crate) fn cost_micros(&self, backend: &str, model: Option<&str>, usage: &Usage) -> Option<u64> {
        let price = self.price(backend, model)?;
        let cached = usage.cached_tokens.min(usage.input_tokens);
        let read = (usage.input_tokens - cached) as f64 * price.input;
        let from_cache = cached as f64 * price.cached.unwrap_or(price.input);
        // A price is for a million tokens, so a token costs the same number of millionths. The cast saturates.
        Some((read + from_cache + usage.output_tokens as f64 * price.output).max(0.0).round() as u64)
    }

    /// Adds the cost at current prices to a usage row without a cost.
    pub(crate) fn with_cost(&self, row: UsageRow) -> UsageRow {
        let usage = Usage {
            input_tokens: row.input_tokens,
            output_tokens: row.output_tokens,
            cached_tokens: row.cached_tokens,
            reasoning_tokens: row.reasoning_tokens,
        };
        let cost = || self.cost_micros(&row.backend, row.model.as_deref(), &usage);
        UsageRow { cost_micros: row.cost_micros.or_else(cost), ..row }
    }

    /// Returns all prices: the user's own, then the known ones in the same currency.
    pub(crate) fn all_prices(&self) -> Vec<Price> {
        let told = |of: &String, price: &TokenPrice, as_of: Option<&String>| Price {
            of: of.clone(),
            input: price.input,
            cached: price.cached.unwrap_or(price.input),
            output: price.output,
            as_of: as_of.cloned(),
        };
        let own = self.prices.iter().map(|(of, price)| told(of, price, None));
        let known = KNOWN.as_ref().filter(|known| known.currency == self.currency);
        let known = known.into_iter().flat_map(|known| {
            known.models.iter().map(move |(of, price)| told(of, price, Some(&known.as_of)))
        });
        own.chain(known).collect()
    }
}

/// Returns whether a model has this name, or is a dated or numbered version of it.
fn is_version_of(model: &str, name: &str) -> bool {
    let Some(rest) = model.strip_prefix(name) else { return false };
    let mut parts = rest.split(['-', '@']);
    parts.next() == Some("")
        && parts.all(|part| {
            matches!(part, "latest" | "preview")
                || !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(input_tokens: u64, cached_tokens: u64, output_tokens: u64) -> Usage {
        Usage { input_tokens, output_tokens, cached_tokens, reasoning_tokens: 0 }
    }

    #[test]
    fn the_prices_that_come_along_are_sound() {
        let known = KNOWN.as_ref().unwrap();
        assert!(known.models.len() > 15 && known.as_of.len() == 10);
        for (name, price) in &known.models {
            let cached = price.cached.unwrap();
            assert!(0.0 < cached && cached < price.input && price.input < price.output, "{name}");
        }
    }

    #[test]
    fn versions_of_a_model_have_its_price_and_its_siblings_do_not() {
        let config = Config::default();
        let input = |model: &str| config.price("openai", Some(model)).map(|price| price.input);
        assert_eq!(input("claude-sonnet-4-5-20250929"), Some(3.0));
        assert_eq!(input("claude-3-5-haiku-latest"), Some(0.8));
        assert_eq!(input("gpt-5-2025-08-07"), Some(1.25));
        assert_eq!(input("gpt-5-mini"), Some(0.25));
        for unknown in ["gpt-5-codex", "gpt-4o-audio-preview", "gpt-50", "my-gpt-5", ""] {
            assert_eq!(input(unknown), None, "{unknown}");
        }
        assert_eq!(config.price("ollama", Some("gpt-5")).map(|price| price.input), Some(0.0));
        assert_eq!(config.price("openai", None), None);
    }

    #[test]
    fn the_users_own_price_comes_first_and_what_is_cached_costs_less() {
        let own = "[prices.gpt-5]\ninput = 2.0\noutput = 20.0\n[prices.here]\ninput = 1.0\ncached = 0.5\noutput = 1.0\n";
        let config: Config = toml::from_str(own).unwrap();
        let cost = |model: &str, usage| config.cost_micros("here", Some(model), &usage);
        assert_eq!(cost("gpt-5", usage(1_000, 400, 10)), Some(2_200));
        assert_eq!(cost("other", usage(1_000, 400, 10)), Some(810));
        assert_eq!(Config::default().cost_micros("x", Some("gpt-5"), &usage(1_000, 400, 10)), Some(900));
        assert_eq!(cost("gpt-5", usage(u64::MAX, 0, u64::MAX)), Some(u64::MAX));
        let euros = Config { currency: "EUR".into(), ..Config::default() };
        assert_eq!(euros.price("x", Some("gpt-5")), None, "prices in dollars are no prices in euros");
        assert!(euros.all_prices().is_empty());
    }
}
