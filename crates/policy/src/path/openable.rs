//! The paths that the user may be asked to open while an approved command runs: those that the walls block, and that
//! no setting, rule or scope denies.

use super::guarded::Guards;
use super::protected::{may_be_disclosed, secret};
use super::roots::Roots;
use super::scope::in_scope;
use super::{Operation, fold, text};
use crate::rules;
use crate::subject::Subject;
use crate::{Refusal, Situation};
use deputy_messages::policy as say;
use deputy_protocol::{Decision, PathOperation, Phrase, Risk};
use std::path::Path;

/// The consequences of opening a path to a running command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Openable {
    /// How much harm it could do.
    pub risk: Risk,
    /// The reasons why the path is blocked, the strictest first.
    pub reasons: Vec<Phrase>,
}

/// Returns the consequences of opening a real path for reading, or for changes if `changes` is true. `None` if nobody
/// may be asked: for Deputy's own data, system places, paths that the user's list, rules or the task's scope deny,
/// and, outside the open folders (`is_outside`), settings that programs can do without.
pub fn openable(situation: &Situation, real: &Path, changes: bool, is_outside: bool) -> Option<Openable> {
    let roots = Roots::of(situation);
    let operation = if changes { Operation::Write } else { Operation::Read };
    // A path that cannot be displayed exactly cannot be asked about.
    let shown = real.to_str()?;
    if !text::can_be_shown(shown) {
        return None;
    }
    if !may_be_disclosed(&roots, real) || in_scope(situation, operation, real).is_err() {
        return None;
    }
    let (tool, of) = match changes {
        true => ("write", PathOperation::Write),
        false => ("read", PathOperation::Read),
    };
    let subject = Subject::Path { operation: of, real: real.to_owned() };
    let standing = rules::standing(situation, tool, &subject);
    if standing.as_ref().is_some_and(|standing| standing.decision == Decision::Deny) {
        return None;
    }
    let mut reasons: Vec<Phrase> = secret(&roots, real).into_iter().collect();
    reasons.extend(
        standing.filter(|standing| standing.decision == Decision::Ask).map(|standing| standing.reason),
    );
    if changes {
        if is_outside || roots.outside(Operation::Write, real).is_some() {
            return None;
        }
        reasons.extend(situation.refused.against_tree(real).map(Refusal::reason));
        reasons.extend(Guards::of(situation).stop(real, real.is_dir()));
    }
    if !reasons.is_empty() {
        return Some(Openable { risk: Risk::High, reasons });
    }
    if changes || !is_outside || is_setting(&roots, real) {
        return None;
    }
    let reason = say::lies_outside_folders_may();
    Some(Openable { risk: Risk::Medium, reasons: vec![reason] })
}

/// Whether the path is one of the hidden files below the home directory that programs read on their own initiative.
fn is_setting(roots: &Roots, real: &Path) -> bool {
    let parts = fold::path(real);
    roots.below_home(&parts).any(|below| below.first().is_some_and(|first| first.starts_with('.')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_protocol::Scope;

    fn situation() -> Situation {
        Situation::new("/home/u", "/work/p", "/home/u/.deputy")
    }

    fn asked(situation: &Situation, real: &str, changes: bool, is_outside: bool) -> Option<Risk> {
        openable(situation, Path::new(real), changes, is_outside).map(|openable| openable.risk)
    }

    #[test]
    fn secrets_and_what_starts_programs_are_asked_with_high_risk() {
        let situation = situation();
        for (real, changes) in [
            ("/work/p/.env", false),
            ("/work/p/.env", true),
            ("/work/p/deep/server.key", false),
            ("/home/u/.aws/credentials", false),
            ("/work/p/.git/config", true),
            ("/work/p/.vscode/tasks.json", true),
            ("/work/p/.git/hooks/pre-commit", true),
        ] {
            assert_eq!(asked(&situation, real, changes, false), Some(Risk::High), "{real}");
        }
        assert_eq!(asked(&situation, "/home/u/.aws/credentials", false, true), Some(Risk::High));
        assert_eq!(asked(&situation, "/home/u/data/a.csv", false, true), Some(Risk::Medium));
        assert_eq!(asked(&situation, "/srv/data/a.csv", false, true), Some(Risk::Medium));
    }

    #[test]
    fn certificates_of_authorities_are_no_secrets() {
        let is_secret = |real: &str| crate::path::is_secret(&situation(), Path::new(real));
        for real in [
            "/etc/ssl/certs/authority.pem",
            "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
            "/work/p/.venv/lib/python3.12/site-packages/certifi/cacert.pem",
        ] {
            assert!(!is_secret(real), "{real}");
        }
        for real in
            ["/etc/ssl/private/site.pem", "/etc/ssl/certs/site.key", "/work/p/authority.pem", "/etc/site.pem"]
        {
            assert!(is_secret(real), "{real}");
        }
    }

    #[test]
    fn what_is_denied_outright_is_never_offered() {
        let mut situation = situation();
        for real in [
            "/home/u/.deputy/deputy.db",
            "/home/u/.config/deputy/config.toml",
            "/etc/shadow",
            "/run/secrets/token",
            "/etc/nginx/server.key",
            "/home/u/a\u{202e}b.key",
        ] {
            for changes in [false, true] {
                assert_eq!(asked(&situation, real, changes, false), None, "{real}");
            }
        }
        for real in ["/var/lib/x/data", "/usr/share/x", "/home/u/.gitconfig", "/home/u/.config/app/settings"]
        {
            assert_eq!(asked(&situation, real, false, true), None, "{real}");
        }
        assert_eq!(asked(&situation, "/srv/data/a.csv", true, true), None, "changes outside");
        assert_eq!(asked(&situation, "/work/p/a.txt", false, false), None, "nothing guards it");
        situation.scope = Scope { only_files: vec!["/work/p/a.txt".into()], ..Scope::default() };
        assert_eq!(asked(&situation, "/work/p/.env", false, false), None, "outside of the scope");
    }
}
