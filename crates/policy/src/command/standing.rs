//! Applies the user's rules and grants to a simple command.

use super::effects::normal;
use super::judge::Judge;
use super::words::Argv;
use crate::rules;
use crate::shell::script::Simple;
use crate::subject::Subject;
use crate::{SHELL_TOOL, Situation};
use deputy_protocol::Decision;
use std::path::Path;

impl Judge<'_> {
    /// Returns the decision of the rules and grants. Those that allow must match exactly these words; the others also
    /// match the normal form.
    pub(super) fn standing(&mut self, simple: &Simple, argv: &Argv, folder: &Path) -> Option<Decision> {
        // Paths among the words are relative to the folder in which the command runs.
        let there;
        let situation = if folder == self.situation.cwd {
            self.situation
        } else {
            there = Situation { cwd: folder.to_owned(), ..self.situation.clone() };
            &there
        };
        let exact = argv.doubts.is_empty()
            && simple.assignments.is_empty()
            && !argv.words.is_empty()
            && self.depth == 0;
        let mut decision = None;
        if exact
            && let Some(standing) =
                rules::standing(situation, SHELL_TOOL, &Subject::Command { argv: argv.words.clone() })
        {
            if standing.decision == Decision::Allow {
                self.judgement.grant = standing.grant.or(self.judgement.grant.take());
                self.judgement.by_person = true;
                self.judgement.ruled = self.judgement.ruled.max(standing.confinement);
            }
            decision = Some(standing.decision);
        }
        let normal = Subject::Command { argv: normal(&argv.words) };
        let strict = rules::standing(situation, SHELL_TOOL, &normal)
            .map(|standing| standing.decision)
            .filter(|decision| *decision > Decision::Allow);
        decision.max(strict)
    }
}
