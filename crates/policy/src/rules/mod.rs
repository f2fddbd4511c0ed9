//! The user's own rules and remembered answers. Deny takes precedence over ask, and ask over allow, regardless of the
//! order of the rules and of how narrow they are.
//!
//! A rules file contains rules like the following. Only `effect` and the subject of the rule are required:
//!
//! ```toml
//! [[rule]]
//! effect = "allow"               # or "ask", or "deny"
//! tool = "shell"                 # shell, read, list, write, delete, move, copy, url
//! argv = ["npm", "test"]         # or pattern = "npm (test|run lint)", which must match the whole
//! within = "~/projects"          # only for workspaces in this folder
//! expires = 2027-01-01           # a date or a time from which the rule no longer applies
//! confinement = "workspace"      # the access that the operating system permits
//! examples = { match = ["npm test"], not_match = ["npm test --watch"] }
//! ```
//!
//! An allowing `argv` is matched exactly; a last word `*` matches any further words. An `argv` that denies or asks also
//! covers further words, options before its words, and the same program at another path. A pattern is matched with a
//! canonical simple command, a real path, or an origin. A pattern that denies or asks ignores the case
//! of paths and how accents are composed; one that allows is matched exactly. The examples are checked when the file is read.

mod argv;
mod file;
mod grants;
mod objections;
mod pattern;
#[cfg(test)]
mod tests;
mod time;
mod words;

pub(crate) use argv::is_plain;
pub use file::RulesError;
pub(crate) use objections::Objections;
pub use words::canonical;
pub(crate) use words::split;

/// Returns the words of a text that is a simple command of literal words. `None` for any other text.
pub fn words(text: &str) -> Option<Vec<String>> {
    split(text)
}

use crate::Situation;
use crate::path::{Operation, fold, real_folder};
use crate::subject::Subject;
use argv::ArgvPattern;
use deputy_messages::policy as say;
use deputy_protocol::{Confinement, Decision, Grant, GrantId, GrantRule, PathOperation, Phrase};
use pattern::Pattern;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The rules of `rules.toml`.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    rules: Vec<Rule>,
    is_broken: bool,
}

impl Rules {
    /// Returns an empty set of rules.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Reads and checks a rules file. A file that does not exist contains no rules.
    pub fn load(path: &Path) -> Result<Self, RulesError> {
        file::load(path).map(|rules| Self { rules, is_broken: false })
    }

    /// Parses and checks the text of a rules file.
    ///
    /// # Errors
    /// Returns the line and the problem if a rule cannot be used.
    pub fn parse(text: &str) -> Result<Self, RulesTextError> {
        file::parse(text)
            .map(|rules| Self { rules, is_broken: false })
            .map_err(|(line, reason)| RulesTextError { line, reason })
    }

    /// Returns the replacement for an invalid rules file: until the file is fixed, everything asks.
    pub fn broken() -> Self {
        Self { rules: Vec::new(), is_broken: true }
    }

    /// Whether these rules replace an invalid file.
    pub fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// Returns the reason in words why a command is not simply allowed.
    pub(crate) fn objection(&self, decision: Decision) -> Phrase {
        if self.is_broken && decision == Decision::Ask {
            say::rules_file_not_valid()
        } else {
            say::one_your_rules_speaks()
        }
    }

    /// Describes each rule in words, without its line, in the order of the file.
    pub fn describe(&self) -> Vec<String> {
        self.rules.iter().map(Rule::describe).collect()
    }

    /// Returns each rule as data, in the order of the file.
    pub fn summaries(&self) -> Vec<RuleSummary> {
        self.rules.iter().map(Rule::summary).collect()
    }

    /// Returns the number of rules.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}

/// An error in the text of rules.
#[derive(Debug, thiserror::Error)]
pub struct RulesTextError {
    /// The line, starting from 1.
    pub line: usize,
    /// The problem in the line.
    pub reason: Phrase,
}

impl RulesTextError {
    /// The message about the error.
    pub fn phrase(&self) -> Phrase {
        say::line_is_wrong(self.line, self.reason.clone())
    }
}

deputy_messages::said_by_phrase!(RulesTextError);

/// A rule.
#[derive(Clone, Debug)]
struct Rule {
    effect: Decision,
    /// The tool to which the rule applies, such as `shell` or `write`.
    tool: String,
    /// The uses of the tool that the rule covers. `None` covers all of them.
    what: Option<Matcher>,
    /// The folder whose workspaces are covered. A leading `~` is the home directory.
    within: Option<PathBuf>,
    expires_at_ms: Option<i64>,
    confinement: Option<Confinement>,
    /// The line of the rule in its file, starting from 1.
    line: usize,
}

/// A rule as written in its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleSummary {
    /// The line in the file, starting from 1.
    pub line: usize,
    /// The decision on everything that the rule covers.
    pub effect: Decision,
    /// The tool to which the rule applies.
    pub tool: String,
    /// The words of a command. A last word `*` matches any further words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argv: Option<Vec<String>>,
    /// The pattern, anchored at both ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The folder whose workspaces are covered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<PathBuf>,
    /// The time at which the rule expires, in milliseconds since the Unix epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at_ms: Option<i64>,
    /// The confinement that the operating system enforces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confinement: Option<Confinement>,
}

/// The part of a rule that is matched with a subject.
#[derive(Clone, Debug)]
enum Matcher {
    Argv(ArgvPattern),
    Pattern(Pattern),
}

/// A decision that the user made in advance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The strictest decision of all rules and grants that cover the subject.
    pub decision: Decision,
    /// The rule or grant, in words.
    pub reason: Phrase,
    /// The grant, if the decision is from a grant.
    pub grant: Option<GrantId>,
    /// The confinement that the rule requires, if it names one.
    pub confinement: Option<Confinement>,
}

/// Returns the decision of the user's rules and grants on using `tool` on `subject`.
pub(crate) fn standing(situation: &Situation, tool: &str, subject: &Subject) -> Option<Standing> {
    let broken = situation.rules.is_broken.then(|| Standing {
        decision: Decision::Ask,
        reason: say::rules_file_not_valid_until(),
        grant: None,
        confinement: None,
    });
    let rules =
        situation.rules.rules.iter().filter(|rule| rule.covers(situation, tool, subject)).map(Rule::standing);
    let grants = situation
        .grants
        .iter()
        .filter(|grant| grants::holds(situation, grant) && grants::covers(situation, grant, subject))
        .map(grants::standing);
    // Among equally strict decisions the first one is reported, so that the answer does not depend on their number.
    broken
        .into_iter()
        .chain(rules)
        .chain(grants)
        .reduce(|strictest, next| if next.decision > strictest.decision { next } else { strictest })
}

/// Whether a remembered answer applies in the situation.
pub(crate) fn holds(situation: &Situation, grant: &Grant) -> bool {
    grants::holds(situation, grant)
}

/// Returns the files and folders that remembered answers open for reading. They are open to every tool, and to the
/// programs of a command.
pub fn granted_reads(situation: &Situation) -> Vec<PathBuf> {
    let opens = |grant: &&Grant| grant.decision == Decision::Allow && grants::holds(situation, grant);
    let opened = situation.grants.iter().filter(opens).filter_map(|grant| match &grant.rule {
        GrantRule::Path(rule) if rule.operation == PathOperation::Read => Some((&rule.path, rule.below)),
        _ => None,
    });
    opened
        .map(|(path, below)| (PathBuf::from(path), below))
        .filter(|(path, below)| *below || path.is_file())
        .map(|(path, _)| path)
        .collect()
}

/// Whether a rule or an answer that denies or asks about commands applies in the situation.
pub(crate) fn restrict_commands(situation: &Situation) -> bool {
    let is_strict = |rule: &&Rule| rule.effect > Decision::Allow && rule.tool == crate::SHELL_TOOL;
    let is_about_commands = |grant: &&Grant| {
        grant.decision > Decision::Allow && matches!(grant.rule, GrantRule::Argv(_) | GrantRule::Call(_))
    };
    situation.rules.is_broken
        || situation.rules.rules.iter().filter(is_strict).any(|rule| rule.holds(situation))
        || situation.grants.iter().filter(is_about_commands).any(|grant| grants::holds(situation, grant))
}

/// Returns the tool and the operation to which rules refer.
pub(crate) fn named(operation: Operation) -> (&'static str, PathOperation) {
    match operation {
        Operation::Read => ("read", PathOperation::Read),
        Operation::List => ("list", PathOperation::Read),
        Operation::Write | Operation::Create => ("write", PathOperation::Write),
        Operation::Delete => ("delete", PathOperation::Delete),
    }
}

impl Rule {
    fn holds(&self, situation: &Situation) -> bool {
        self.expires_at_ms.is_none_or(|end| situation.now_ms < end)
            && self.within.as_deref().is_none_or(|folder| is_within(situation, folder, self.effect))
    }

    fn covers(&self, situation: &Situation, tool: &str, subject: &Subject) -> bool {
        self.holds(situation) && self.is_about(tool, subject)
    }

    fn is_about(&self, tool: &str, subject: &Subject) -> bool {
        (self.tool == tool || tools_of(subject).contains(&self.tool.as_str()))
            && self.what.as_ref().is_none_or(|what| what.covers(self.effect, subject))
    }

    fn describe(&self) -> String {
        let effect = match self.effect {
            Decision::Allow => "allow",
            Decision::Ask => "ask",
            Decision::Deny => "deny",
        };
        let what = match &self.what {
            Some(Matcher::Argv(argv)) if argv.more == argv::More::Anything => {
                format!(" {} …", canonical(&argv.words))
            }
            Some(Matcher::Argv(argv)) => format!(" {}", canonical(&argv.words)),
            Some(Matcher::Pattern(pattern)) => format!(" {}", pattern.as_str()),
            None => String::new(),
        };
        let within =
            self.within.as_ref().map(|folder| format!(", within {}", folder.display())).unwrap_or_default();
        format!("{effect} {}{what}{within}", self.tool)
    }

    fn summary(&self) -> RuleSummary {
        let argv = |argv: &ArgvPattern| {
            argv.words
                .iter()
                .cloned()
                .chain((argv.more == argv::More::Anything).then(|| "*".to_owned()))
                .collect()
        };
        let (argv, pattern) = match &self.what {
            Some(Matcher::Argv(words)) => (Some(argv(words)), None),
            Some(Matcher::Pattern(pattern)) => (None, Some(pattern.as_str().to_owned())),
            None => (None, None),
        };
        RuleSummary {
            line: self.line,
            effect: self.effect,
            tool: self.tool.clone(),
            argv,
            pattern,
            within: self.within.clone(),
            expires_at_ms: self.expires_at_ms,
            confinement: self.confinement,
        }
    }

    fn standing(&self) -> Standing {
        let said = match self.effect {
            Decision::Allow => say::rule_allows,
            Decision::Ask => say::rule_asks,
            Decision::Deny => say::rule_denies,
        };
        Standing {
            decision: self.effect,
            reason: said(self.line),
            grant: None,
            confinement: self.confinement,
        }
    }
}

impl Matcher {
    fn covers(&self, effect: Decision, subject: &Subject) -> bool {
        match (self, subject) {
            (Self::Argv(pattern), Subject::Command { argv }) => pattern.covers(effect, argv),
            (Self::Argv(_), _) => false,
            (Self::Pattern(pattern), Subject::Command { argv }) => pattern.covers(&canonical(argv)),
            (Self::Pattern(pattern), Subject::Path { real, .. }) => pattern.covers_path(real),
            (Self::Pattern(pattern), Subject::Origin { origin }) => pattern.covers(origin),
            (Self::Pattern(_), Subject::Call { .. }) => false,
        }
    }
}

/// Returns the tool names by which a rule can refer to the subject.
fn tools_of(subject: &Subject) -> &'static [&'static str] {
    match subject {
        Subject::Command { .. } => &["shell"],
        Subject::Path { operation: PathOperation::Read, .. } => &["read", "list"],
        Subject::Path { operation: PathOperation::Write, .. } => &["write", "move", "copy"],
        Subject::Path { operation: PathOperation::Delete, .. } => &["delete", "move"],
        Subject::Origin { .. } => &["url"],
        Subject::Call { .. } => &[],
    }
}

/// Whether the workspace is in the folder. For a rule that denies or asks, the folder's name is compared folded.
fn is_within(situation: &Situation, folder: &Path, effect: Decision) -> bool {
    let folder = match folder.strip_prefix("~") {
        Ok(rest) => situation.home.join(rest),
        Err(_) => folder.to_owned(),
    };
    let (workspace, folder) = (real_folder(&situation.workspace), real_folder(&folder));
    workspace.starts_with(&folder) || effect > Decision::Allow && fold::is_below(&workspace, &folder)
}
