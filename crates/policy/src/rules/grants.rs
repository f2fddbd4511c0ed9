//! Remembered answers: whether an answer still applies here and now, and what it covers.

use super::Standing;
use super::argv::{ArgvPattern, More};
use crate::Situation;
use crate::command::commits::commits;
use crate::path::{fold, real, real_folder, runs_elsewhere};
use crate::subject::Subject;
use deputy_messages::policy as say;
use deputy_protocol::{Decision, Grant, GrantRule, Lifetime, PathOperation};
use std::path::Path;

/// Whether the grant applies to this workspace, task and session at this time.
pub(super) fn holds(situation: &Situation, grant: &Grant) -> bool {
    let is_current =
        grant.revoked_at_ms.is_none() && grant.expires_at_ms.is_none_or(|end| situation.now_ms < end);
    is_current && lifetime_holds(situation, grant) && is_same_workspace(situation, grant)
}

fn lifetime_holds(situation: &Situation, grant: &Grant) -> bool {
    match &grant.lifetime {
        // An answer for a single call is used up by that call.
        Lifetime::Once(_) | Lifetime::Names(_) => false,
        Lifetime::Task(lifetime) => situation.task.as_ref() == Some(&lifetime.task),
        Lifetime::Session(lifetime) => situation.session.as_ref() == Some(&lifetime.session),
        Lifetime::Minutes(lifetime) => {
            let end = grant.created_at_ms.saturating_add(i64::from(lifetime.minutes) * 60_000);
            // Setting the clock back must not extend a grant.
            (grant.created_at_ms..end).contains(&situation.now_ms)
        }
        Lifetime::Always(_) => true,
    }
}

fn is_same_workspace(situation: &Situation, grant: &Grant) -> bool {
    Path::new(&grant.workspace) == real_folder(&situation.workspace)
}

/// Whether the grant covers the subject.
pub(super) fn covers(situation: &Situation, grant: &Grant, subject: &Subject) -> bool {
    match (&grant.rule, subject) {
        (GrantRule::Call(rule), Subject::Call { digest }) => rule.digest == *digest,
        (GrantRule::Argv(rule), Subject::Command { argv }) => {
            !rule.argv.is_empty()
                && ArgvPattern {
                    words: rule.argv.clone(),
                    more: if rule.prefix { More::Plain } else { More::Nothing },
                }
                .covers(grant.decision, argv)
                && (grant.decision > Decision::Allow
                    || !rule.prefix
                    || stay_below(situation, argv, rule.argv.len()))
        }
        (GrantRule::Path(rule), Subject::Path { operation, real }) => {
            if grant.decision > Decision::Allow {
                return is_about_path(grant, *operation, real);
            }
            let path = Path::new(&rule.path);
            let is_below = || rule.below && real.starts_with(path) && !is_apart(situation, path, real);
            rule.operation == *operation && (real == path || is_below())
        }
        (GrantRule::Path(rule), Subject::Command { argv }) => {
            rule.commits
                && grant.decision == Decision::Allow
                && commits(situation, argv, Path::new(&rule.path))
        }
        (GrantRule::Origin(rule), Subject::Origin { origin }) => rule.origin == *origin,
        // A yes for the folder covers calls as a whole, and not what they are made of.
        (
            GrantRule::Call(_)
            | GrantRule::Argv(_)
            | GrantRule::Path(_)
            | GrantRule::Origin(_)
            | GrantRule::Folder(_),
            _,
        ) => false,
    }
}

/// Whether an answer other than "allow" covers an operation on a path.
pub(super) fn is_about_path(grant: &Grant, operation: PathOperation, real: &Path) -> bool {
    let GrantRule::Path(rule) = &grant.rule else { return false };
    let path = Path::new(&rule.path);
    // A denial covers the path as a person reads it, regardless of case and composition.
    rule.operation == operation
        && fold::is_below(real, path)
        && (rule.below || real.components().count() == path.components().count())
}

/// Whether a file in an allowed folder is not covered by the grant: other machines run it after it is pushed, and the
/// user was not shown that.
fn is_apart(situation: &Situation, folder: &Path, real: &Path) -> bool {
    runs_elsewhere(situation, real) && !runs_elsewhere(situation, folder)
}

/// Whether the further words, which a wider answer allows, are names and paths below the folder, with links followed.
fn stay_below(situation: &Situation, argv: &[String], first: usize) -> bool {
    let workspace = real_folder(&situation.workspace);
    argv.iter()
        .skip(first)
        .all(|word| real(situation, &situation.cwd, word).is_some_and(|real| real.starts_with(&workspace)))
}

pub(super) fn standing(grant: &Grant) -> Standing {
    let reason = match grant.decision {
        Decision::Allow => say::you_allowed_before(),
        Decision::Ask => say::you_want_asked_about(),
        Decision::Deny => say::you_denied_before(),
    };
    Standing {
        decision: grant.decision,
        reason: reason.to_owned(),
        grant: Some(grant.id.clone()),
        confinement: None,
    }
}
