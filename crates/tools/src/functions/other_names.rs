//! Names that other agents use for Deputy's functions. Models know them well and call them now and then.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A name that other agents use for a function.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OtherName {
    /// Deputy's name for it.
    pub(super) is: String,
    #[serde(default)]
    pub(super) parameters: Parameters,
}

/// The names of a function's parameters elsewhere, with the names here.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Parameters(BTreeMap<String, String>);

impl Parameters {
    /// Returns the arguments under the names that the function has here.
    pub(super) fn renamed(&self, arguments: &Value) -> Value {
        let Value::Object(given) = arguments else { return arguments.clone() };
        let here = |name: &String| self.0.get(name).unwrap_or(name).clone();
        Value::Object(given.iter().map(|(name, value)| (here(name), value.clone())).collect::<Map<_, _>>())
    }
}

static ALL: LazyLock<BTreeMap<String, OtherName>> =
    LazyLock::new(|| toml::from_str(include_str!("../../data/other_names.toml")).unwrap_or_default());

/// Returns the function that has this name elsewhere.
pub(super) fn of(name: &str) -> Option<&'static OtherName> {
    ALL.get(&name.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;
    use crate::functions::table::FUNCTIONS;

    #[test]
    fn the_names_are_few_and_lead_to_functions() {
        let all: BTreeMap<String, OtherName> =
            toml::from_str(include_str!("../../data/other_names.toml")).unwrap();
        assert!((1..=20).contains(&all.len()), "a longer list would hide what the functions are called");
        for (name, other) in &all {
            assert!(FUNCTIONS.iter().any(|row| row.name == other.is), "{name} leads to nothing");
            let is_taken =
                FUNCTIONS.iter().any(|row| row.name == name) || Registry::standard().get(name).is_some();
            assert!(!is_taken && !name.contains("__") && *name == name.to_lowercase(), "{name}");
        }
    }
}
