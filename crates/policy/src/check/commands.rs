//! Cases about commands: texts for bash, and remembered answers about a command.

use super::case::{Case, Malformed};
use super::grants::{Remembered, attempt, covered, respond};
use super::{CheckAnswer, CheckDecision, Outcome};
use crate::path::real_folder;
use crate::rules::split;
use crate::unseen::escape;
use crate::{SHELL_TOOL, Situation, decide, digest, offers};
use deputy_protocol::{Access, ArgvRule, Decision, Effect, Facts, GrantRule, Risk, ShellAccess};

pub(super) fn outcome(case: &Case) -> Result<Outcome, Malformed> {
    let verdict = decide(&case.situation()?, &facts(case.text("input")?)).verdict;
    let reasons = verdict.reasons.iter().map(|reason| escape(reason)).collect();
    Ok(Outcome { decision: verdict.decision, risk: verdict.risk, reasons })
}

/// Whether a remembered answer covers a later command.
pub(super) fn remembered(case: &Case) -> Result<CheckAnswer, Malformed> {
    let remembered = Remembered::of(case)?;
    let attempt = attempt(case)?;
    let mut situation = case.situation()?;
    let is_same = is_same_command(remembered.value, attempt);
    if remembered.decision == Decision::Deny {
        if let Some(argv) = split(remembered.value) {
            let rule = GrantRule::Argv(ArgvRule { argv, prefix: true });
            situation.grants = vec![remembered.grant(&situation, rule)];
        }
        let verdict = decide(&situation, &facts(attempt)).verdict;
        return Ok(if is_same || verdict.decision == Decision::Deny {
            respond(case, CheckDecision::Deny, verdict.risk, "the remembered refusal covers it")
        } else {
            covered(case, None)
        });
    }
    let verdict = decide(&situation, &facts(attempt)).verdict;
    let is_covered =
        is_same && is_same_place(&situation) && case.is_same_run() && verdict.decision != Decision::Deny;
    Ok(if is_covered {
        respond(case, CheckDecision::Allow, verdict.risk, "it is what was remembered, in the same folder")
    } else {
        covered(case, None)
    })
}

/// Whether "always allow" would be offered for a command. The answer is `no_rule` if it must not be offered.
pub(super) fn offered(case: &Case) -> Result<CheckAnswer, Malformed> {
    let attempt = attempt(case)?;
    let situation = case.situation()?;
    let facts = facts(attempt);
    let verdict = decide(&situation, &facts).verdict;
    let parameters = serde_json::json!({ "command": attempt });
    let digest = digest(SHELL_TOOL, &parameters, &situation.cwd, verdict.confinement);
    let is_offered = offers(&situation, &facts, &verdict, &digest).iter().any(|offer| offer.rule.is_some());
    Ok(if is_offered {
        respond(case, CheckDecision::Ask, verdict.risk, "it is asked, and the answer may be remembered")
    } else {
        respond(case, CheckDecision::NoRule, verdict.risk, "it is asked every time")
    })
}

/// Whether two commands have the same text, or the same words if both are simple commands without shell features.
fn is_same_command(remembered: &str, attempt: &str) -> bool {
    remembered == attempt || split(remembered).is_some_and(|words| split(attempt) == Some(words))
}

/// Whether the attempt is made in the place where the answer was given: the same folder and environment.
fn is_same_place(situation: &Situation) -> bool {
    real_folder(&situation.cwd) == real_folder(&situation.workspace) && situation.env.is_empty()
}

fn facts(command: &str) -> Facts {
    Facts {
        effect: Effect::Mutating,
        accesses: vec![Access::Shell(ShellAccess { command: command.to_owned() })],
        summary: escape(command).into(),
        diff: None,
        plan: None,
        risk: Risk::Low,
    }
}
