//! Cases about remembered answers: whether an answer covers a later attempt, and whether it would be offered at all.

use super::case::{Case, Malformed};
use super::{CheckAnswer, CheckDecision, commands};
use crate::Situation;
use crate::path::{Operation, judge_from, real, real_folder};
use crate::rules::{Standing, standing};
use crate::subject::Subject;
use crate::unseen::escape;
use crate::url;
use deputy_protocol::{
    AlwaysLifetime, Decision, Grant, GrantId, GrantRule, Lifetime, OriginRule, PathOperation, PathRule, Risk,
};
use std::path::{Component, Path, PathBuf};

pub(super) fn answer(case: &Case) -> Result<CheckAnswer, Malformed> {
    case.understood()?;
    match case.text("kind")? {
        "domain" => domain(case),
        "file" => file(case),
        "command" => commands::remembered(case),
        "offer" => commands::offered(case),
        kind => Err(Malformed::Unknown { what: "kind", value: kind.to_owned() }),
    }
}

/// The answer that the user stored.
pub(super) struct Remembered<'a> {
    pub(super) decision: Decision,
    pub(super) value: &'a str,
}

impl<'a> Remembered<'a> {
    pub(super) fn of(case: &'a Case) -> Result<Self, Malformed> {
        let remembered =
            case.get("remembered").ok_or(Malformed::Field { field: "remembered", expected: "an object" })?;
        let text = |field: &'static str| {
            remembered
                .get(field)
                .and_then(|value| value.as_str())
                .ok_or(Malformed::Field { field, expected: "a text" })
        };
        let decision = match text("decision")? {
            "always_allow" => Decision::Allow,
            "always_deny" => Decision::Deny,
            other => return Err(Malformed::Unknown { what: "decision", value: other.to_owned() }),
        };
        Ok(Self { decision, value: text("value")? })
    }

    pub(super) fn grant(&self, situation: &Situation, rule: GrantRule) -> Grant {
        Grant {
            id: GrantId::new("remembered"),
            decision: self.decision,
            rule,
            lifetime: Lifetime::Always(AlwaysLifetime {}),
            workspace: real_folder(&situation.workspace).to_string_lossy().into_owned(),
            request: None,
            created_at_ms: 0,
            expires_at_ms: None,
            revoked_at_ms: None,
        }
    }
}

/// Returns the later attempt.
pub(super) fn attempt(case: &Case) -> Result<&str, Malformed> {
    case.text("input").or_else(|_| case.text("attempt"))
}

pub(super) fn respond(
    case: &Case,
    decision: CheckDecision,
    risk: Risk,
    reason: impl Into<String>,
) -> CheckAnswer {
    CheckAnswer { id: case.id(), decision, risk, reasons: vec![escape(&reason.into())] }
}

/// Returns the answer if only the remembered decision counts: anything that it does not cover asks.
pub(super) fn covered(case: &Case, standing: Option<Standing>) -> CheckAnswer {
    match standing {
        Some(standing) if standing.decision == Decision::Allow && !case.is_same_run() => {
            respond(case, CheckDecision::Ask, Risk::Medium, "it was remembered for another run")
        }
        Some(standing) => respond(case, standing.decision.into(), Risk::Low, standing.reason),
        None => respond(case, CheckDecision::Ask, Risk::Medium, "what was remembered does not cover it"),
    }
}

fn domain(case: &Case) -> Result<CheckAnswer, Malformed> {
    let remembered = Remembered::of(case)?;
    let mut situation = case.situation().or_else(|_| case.placeless())?;
    let Some(origin) = url::origin(remembered.value) else {
        return Ok(respond(case, CheckDecision::Ask, Risk::Medium, "what was remembered is not an origin"));
    };
    situation.grants = vec![remembered.grant(&situation, GrantRule::Origin(OriginRule { origin }))];
    // Every address of the attempt is opened, so each must be covered. The strictest answer counts.
    let hops = case.texts("redirects")?;
    let mut strictest: Option<CheckAnswer> = None;
    for address in std::iter::once(attempt(case)?).chain(hops.iter().map(String::as_str)) {
        let answer = match url::origin(address) {
            Some(origin) => covered(case, standing(&situation, "url", &Subject::Origin { origin })),
            None => respond(case, CheckDecision::Ask, Risk::High, "the address is refused for its text"),
        };
        let rank = |answer: &CheckAnswer| match answer.decision {
            CheckDecision::Allow => 0,
            CheckDecision::Ask | CheckDecision::NoRule => 1,
            CheckDecision::Deny => 2,
        };
        if strictest.as_ref().is_none_or(|strict| rank(&answer) > rank(strict)) {
            strictest = Some(answer);
        }
    }
    strictest.ok_or(Malformed::Field { field: "input", expected: "an address" })
}

fn file(case: &Case) -> Result<CheckAnswer, Malformed> {
    let remembered = Remembered::of(case)?;
    let mut situation = case.situation()?;
    let (Some((operation, path)), Some((tried, text))) = (verb(remembered.value), verb(attempt(case)?))
    else {
        return Ok(respond(
            case,
            CheckDecision::Ask,
            Risk::Medium,
            "only `read`, `write` and `delete` are remembered",
        ));
    };
    // The path was below the workspace, without links, when the answer was remembered. Later links do not change its
    // meaning.
    let (path, below) = match path.strip_suffix("/**") {
        Some(folder) => (folder, true),
        None => (path, false),
    };
    let path = lexical(&real_folder(&situation.workspace).join(path)).to_string_lossy().into_owned();
    let rule = PathRule { operation: of(operation), path, below, commits: false };
    situation.grants = vec![remembered.grant(&situation, GrantRule::Path(rule))];
    let Some(real) = real(&situation, &situation.cwd, text) else {
        return Ok(respond(case, CheckDecision::Ask, Risk::Medium, "the path leads nowhere"));
    };
    let standing = standing(&situation, "file", &Subject::Path { operation: of(tried), real });
    let part = judge_from(&situation, &situation.cwd, tried, text);
    let is_liftable = part.decision != Decision::Deny && part.risk < Risk::High;
    Ok(match standing {
        Some(standing) if standing.decision == Decision::Allow && !is_liftable => {
            respond(case, CheckDecision::Ask, part.risk, part.reason)
        }
        standing => covered(case, standing),
    })
}

/// Parses `read docs/a.md` as an operation and a path.
fn verb(text: &str) -> Option<(Operation, &str)> {
    let (verb, path) = text.split_once(' ')?;
    let operation = match verb {
        "read" => Operation::Read,
        "list" => Operation::List,
        "write" => Operation::Write,
        "delete" => Operation::Delete,
        _ => return None,
    };
    Some((operation, path))
}

fn of(operation: Operation) -> PathOperation {
    match operation {
        Operation::Read | Operation::List => PathOperation::Read,
        Operation::Write | Operation::Create => PathOperation::Write,
        Operation::Delete => PathOperation::Delete,
    }
}

/// Resolves `.` and `..` in the path by its text alone.
fn lexical(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut path, component| {
        match component {
            Component::ParentDir => {
                path.pop();
            }
            Component::CurDir => {}
            other => path.push(other),
        }
        path
    })
}
