//! The rules of `rules.toml` on the desktop page: all rules are listed in words, and rules about a single command can
//! be added, changed and removed. The file keeps its comments, and a file that cannot be read is not changed.

use super::HostError;
use crate::config;
use crate::core::Core;
use deputy_messages::agent as say;
use deputy_policy::rules::{RuleSummary, canonical};
use deputy_policy::{Rules, may_be_remembered, words};
use deputy_protocol::{
    Answers, CommandId, CommandRule, Decision, DoneOutcome, DropRuleCommand, ErrorBody, ErrorCode,
    KeepRuleCommand, Performs, Phrase, RuleRef, RulesAnswer, RulesQuery, UserRule,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

/// The maximum length of a command in a rule, in bytes.
const MAX_COMMAND_BYTES: usize = 4 * 1024;

/// The rules file of a home.
pub(super) struct OwnRules {
    pub(super) core: Arc<Core>,
}

impl Answers<RulesQuery> for OwnRules {
    async fn answer(&self, _: RulesQuery) -> Result<RulesAnswer, ErrorBody> {
        let path = self.path();
        let (rules, problem) = match load(&path) {
            Ok(rules) => (rules, None),
            Err(problem) => (Rules::empty(), Some(problem.message)),
        };
        Ok(RulesAnswer { path: path.display().to_string(), rules: listed(&rules), problem })
    }
}

impl Performs<KeepRuleCommand> for OwnRules {
    async fn perform(&self, _: &CommandId, keep: KeepRuleCommand) -> Result<DoneOutcome, ErrorBody> {
        let _changing = self.core.changing.lock().await;
        let rule = table(&keep.rule)?;
        self.change(|rules, tables| match &keep.instead {
            Some(old) => {
                let at = found(rules, old)?;
                if let Some(place) = tables.get_mut(at) {
                    // Other keys of the old rule, such as its expiry, are kept.
                    for (key, item) in rule {
                        place.insert(&key, item);
                    }
                    if keep.rule.within.is_none() {
                        place.remove("within");
                    }
                    place.remove("examples");
                }
                Ok(())
            }
            None => {
                tables.push(rule);
                Ok(())
            }
        })
    }
}

impl Performs<DropRuleCommand> for OwnRules {
    async fn perform(&self, _: &CommandId, drop: DropRuleCommand) -> Result<DoneOutcome, ErrorBody> {
        let _changing = self.core.changing.lock().await;
        self.change(|rules, tables| {
            tables.remove(found(rules, &drop.rule)?);
            Ok(())
        })
    }
}

impl OwnRules {
    fn path(&self) -> PathBuf {
        self.core.home.join("rules.toml")
    }

    /// Edits the current file. The result must be a valid rules file before it is written.
    fn change(
        &self,
        edit: impl FnOnce(&Rules, &mut ArrayOfTables) -> Result<(), ErrorBody>,
    ) -> Result<DoneOutcome, ErrorBody> {
        let path = self.path();
        let rules = load(&path)?;
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(broken(say::rules_cannot_be_read(&error))),
        };
        let mut document: DocumentMut =
            text.parse().map_err(|error| broken(say::rules_cannot_be_read(&error)))?;
        let tables = document.entry("rule").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        let Some(tables) = tables.as_array_of_tables_mut() else {
            return Err(broken(say::rules_in_one_line()));
        };
        edit(&rules, tables)?;
        let text = document.to_string();
        Rules::parse(&text).map_err(|reason| broken(say::not_a_rule(reason)))?;
        config::write(&path, &text).map_err(HostError::from)?;
        Ok(DoneOutcome {})
    }
}

fn load(path: &Path) -> Result<Rules, ErrorBody> {
    Rules::load(path).map_err(|error| broken(error.phrase()))
}

fn broken(message: Phrase) -> ErrorBody {
    ErrorBody::new(ErrorCode::BadSetting, message, say::edit_rules_by_hand())
}

fn refused(message: Phrase, hint: Phrase) -> ErrorBody {
    ErrorBody::new(ErrorCode::BadSetting, message, hint)
}

/// Returns the index of a rule, in the order of the file.
fn found(rules: &Rules, wanted: &RuleRef) -> Result<usize, ErrorBody> {
    let same = |rule: &UserRule| rule.line == wanted.line && rule.text == wanted.text;
    listed(rules)
        .iter()
        .position(same)
        .ok_or_else(|| refused(say::rules_changed_meanwhile(), say::look_at_list_again()))
}

fn listed(rules: &Rules) -> Vec<UserRule> {
    let lines = rules.summaries().into_iter().zip(rules.describe());
    let rules = lines.map(|(summary, text)| UserRule {
        line: u64::try_from(summary.line).unwrap_or(u64::MAX),
        effect: summary.effect,
        text: text.into(),
        command: editable(&summary),
    });
    rules.collect()
}

/// Returns a rule in the form of the page. `None` if the form cannot express it completely.
fn editable(rule: &RuleSummary) -> Option<CommandRule> {
    let argv = rule.argv.as_ref().filter(|argv| argv.last().is_none_or(|word| word != "*"))?;
    if rule.expires_at_ms.is_some() || rule.confinement.is_some() {
        return None;
    }
    let within = rule.within.as_ref().map(|folder| folder.display().to_string());
    Some(CommandRule { effect: rule.effect, command: canonical(argv), within })
}

/// Converts a rule to TOML. A rule can only allow commands that have the same effect in the future, as for answers to
/// requests.
fn table(rule: &CommandRule) -> Result<Table, ErrorBody> {
    let text = rule.command.trim();
    let argv =
        (text.len() <= MAX_COMMAND_BYTES).then(|| words(text)).flatten().filter(|argv| !argv.is_empty());
    let Some(argv) = argv else {
        return Err(refused(say::rule_is_one_simple_command(), say::leave_out_pipes()));
    };
    if argv.last().is_some_and(|word| word == "*") {
        return Err(refused(say::rule_has_no_wildcard(), say::allowing_is_for_exact_words()));
    }
    if rule.effect == Decision::Allow && !may_be_remembered(&argv) {
        return Err(refused(say::command_asked_each_time(), say::write_rule_by_hand()));
    }
    let mut table = Table::new();
    table.insert(
        "effect",
        value(match rule.effect {
            Decision::Allow => "allow",
            Decision::Ask => "ask",
            Decision::Deny => "deny",
        }),
    );
    table.insert("argv", value(argv.iter().map(String::as_str).collect::<toml_edit::Array>()));
    if let Some(within) = rule.within.as_deref().map(str::trim).filter(|within| !within.is_empty()) {
        table.insert("within", value(within));
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(effect: Decision, command: &str) -> CommandRule {
        CommandRule { effect, command: command.to_owned(), within: Some("~/projects".to_owned()) }
    }

    #[test]
    fn what_could_be_anything_is_never_allowed_for_good() {
        for command in [
            "bash -c id",
            "rm -r old",
            "sudo ls",
            "env ls",
            "git log *",
            "ls | sh",
            "echo $HOME",
            "",
            "find .",
        ] {
            table(&rule(Decision::Allow, command)).expect_err(command);
        }
        for command in ["rm -r old", "sudo ls", "git push"] {
            table(&rule(Decision::Deny, command)).unwrap();
        }
    }

    #[test]
    fn a_rule_of_the_form_is_read_as_it_was_meant() {
        let made = rule(Decision::Allow, "npm test 'a b'");
        let mut document = DocumentMut::new();
        let mut tables = ArrayOfTables::new();
        tables.push(table(&made).unwrap());
        document.insert("rule", Item::ArrayOfTables(tables));
        let rules = Rules::parse(&document.to_string()).unwrap();
        assert_eq!(editable(&rules.summaries()[0]), Some(made));
    }

    #[test]
    fn what_only_the_file_says_is_not_edited_here() {
        let text = "[[rule]]\neffect = \"allow\"\nargv = [\"git\", \"log\", \"*\"]\n[[rule]]\neffect = \"deny\"\ntool = \"url\"\npattern = \"https://.*\"\n";
        let rules = Rules::parse(text).unwrap();
        assert!(listed(&rules).iter().all(|rule| rule.command.is_none()));
    }
}
