//! The rules of `rules.toml`, and how a person changes them from a screen.

use crate::{Decision, Phrase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks for the user's own rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RulesQuery {}

/// The contents of the rules file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RulesAnswer {
    /// The path of the rules file. The file may not exist.
    pub path: String,
    /// The rules, in the order of the file.
    pub rules: Vec<UserRule>,
    /// The error in the file. Until it is fixed, every call asks. Absent if the file is valid.
    #[serde(default)]
    pub problem: Option<Phrase>,
}

/// A rule of the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UserRule {
    /// The line of the rule in the file, from 1.
    pub line: u64,
    /// The decision on what the rule covers.
    pub effect: Decision,
    /// What the rule covers, for people.
    pub text: Phrase,
    /// The rule in the form in which a screen can change it. Absent if the rule can only be changed in the file.
    #[serde(default)]
    pub command: Option<CommandRule>,
}

/// A rule about one command, as created on a screen. A rule that allows covers exactly these words. A rule that asks
/// or denies also covers the command with further words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommandRule {
    /// The decision on the command.
    pub effect: Decision,
    /// One simple command of literal words.
    pub command: String,
    /// The folder below which a workspace must be, absolute or starting with `~/`. If absent, the rule applies in
    /// every workspace.
    #[serde(default)]
    pub within: Option<String>,
}

/// A reference to a rule, as shown on a screen. If the file was changed since, the reference does not match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuleRef {
    /// The line of the rule in the file, from 1.
    pub line: u64,
    /// What the rule covers, for people.
    pub text: Phrase,
}

/// Writes a rule to the rules file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeepRuleCommand {
    /// The rule.
    pub rule: CommandRule,
    /// The rule to replace. If absent, a new rule is added.
    #[serde(default)]
    pub instead: Option<RuleRef>,
}

/// Removes a rule from the rules file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DropRuleCommand {
    /// The rule to remove.
    pub rule: RuleRef,
}
