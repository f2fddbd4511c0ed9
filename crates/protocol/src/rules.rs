//! The rules of `rules.toml`, and how a person changes them from a screen.

use crate::{Decision, Phrase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The user's own rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RulesQuery {}

/// What the rules file says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RulesAnswer {
    /// The file that holds them, whether it is there or not.
    pub path: String,
    /// In the order of the file.
    pub rules: Vec<UserRule>,
    /// What is wrong with the file; until it is fixed, everything asks.
    #[serde(default)]
    pub problem: Option<Phrase>,
}

/// One rule of the user's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UserRule {
    /// The line of the file, from 1.
    pub line: u64,
    /// What becomes of what it covers.
    pub effect: Decision,
    /// What it covers, in words.
    pub text: Phrase,
    /// The same as it can be changed here; absent where only the file says all of it.
    #[serde(default)]
    pub command: Option<CommandRule>,
}

/// What a rule made on a screen says: what becomes of one command. Allowing covers exactly these words; asking and denying
/// cover the command with further words too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommandRule {
    /// What becomes of it.
    pub effect: Decision,
    /// One simple command of literal words.
    pub command: String,
    /// The folder below which workspaces are covered, absolute or from `~/`; everywhere when absent.
    #[serde(default)]
    pub within: Option<String>,
}

/// A rule as a screen has it. Where the file has been changed since, it is another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuleRef {
    /// The line of the file, from 1.
    pub line: u64,
    /// What it covers, in words.
    pub text: Phrase,
}

/// Write a rule into the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeepRuleCommand {
    /// The rule.
    pub rule: CommandRule,
    /// The one that it takes the place of; a new one when absent.
    #[serde(default)]
    pub instead: Option<RuleRef>,
}

/// Take a rule out of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DropRuleCommand {
    /// Which.
    pub rule: RuleRef,
}
