//! The rules and remembered answers that restrict paths, prepared for checking many paths.

use super::{Rule, Standing, grants, named};
use crate::Situation;
use crate::path::Operation;
use crate::subject::Subject;
use deputy_protocol::{Decision, Grant, GrantRule};
use std::path::Path;

/// The rules and answers that apply in a situation and deny paths or ask about them. An invalid rules file is
/// reported elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Objections {
    rules: Vec<Rule>,
    grants: Vec<Grant>,
}

impl Objections {
    /// Returns the rules and answers that apply in the situation.
    pub(crate) fn of(situation: &Situation) -> Self {
        const TOOLS: [&str; 6] = ["read", "list", "write", "delete", "move", "copy"];
        let is_meant = |rule: &&Rule| rule.effect > Decision::Allow && TOOLS.contains(&rule.tool.as_str());
        let rules = situation.rules.rules.iter().filter(is_meant).filter(|rule| rule.holds(situation));
        let is_strict =
            |grant: &&Grant| grant.decision > Decision::Allow && matches!(grant.rule, GrantRule::Path(_));
        let answers = situation.grants.iter().filter(is_strict);
        let answers = answers.filter(|grant| grants::holds(situation, grant));
        Self { rules: rules.cloned().collect(), grants: answers.cloned().collect() }
    }

    /// Keeps only those that name paths. Used for words that may not be paths at all.
    pub(crate) fn naming_paths(mut self) -> Self {
        self.rules.retain(|rule| rule.what.is_some());
        self
    }

    /// Whether there are no rules and answers.
    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.grants.is_empty()
    }

    /// Returns the strictest rule or answer for an operation on a real path.
    pub(crate) fn against(&self, operation: Operation, real: &Path) -> Option<Standing> {
        if self.is_empty() {
            return None;
        }
        let (tool, operation) = named(operation);
        let subject = Subject::Path { operation, real: real.to_owned() };
        let rules = self.rules.iter().filter(|rule| rule.is_about(tool, &subject)).map(Rule::standing);
        let answers = self.grants.iter().filter(|grant| grants::is_about_path(grant, operation, real));
        let all = rules.chain(answers.map(grants::standing));
        // Among equally strict ones, the first is reported.
        all.reduce(|strictest, next| if next.decision > strictest.decision { next } else { strictest })
    }
}
