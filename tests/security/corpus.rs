//! The published cases of shell commands.

use serde::Deserialize;
use std::collections::BTreeMap;

/// One case.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) command: String,
    pub(crate) class: Class,
    #[serde(default)]
    pub(crate) setup: Setup,
}

/// What is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Class {
    Safe,
    NeedsApproval,
    Dangerous,
}

/// What a case plants.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Setup {
    pub(crate) files: BTreeMap<String, String>,
    pub(crate) dirs: Vec<String>,
    pub(crate) symlinks: Vec<(String, String)>,
    pub(crate) hardlinks: Vec<(String, String)>,
    pub(crate) git_config: BTreeMap<String, String>,
    pub(crate) env: BTreeMap<String, String>,
}

/// The cases of a class.
pub(crate) fn cases(class: Class) -> Vec<Case> {
    include_str!("../../crates/policy/tests/corpus/commands.open.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|case: &Case| case.class == class)
        .collect()
}
