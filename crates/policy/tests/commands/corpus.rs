//! Runs the published cases, and more of the same kinds: no forbidden command is allowed, and nearly all harmless
//! ones are.

use crate::cases::{Case, Class, more, published};
use crate::ground::{Ground, on_ground};
use deputy_policy::Ruling;
use deputy_protocol::{Confinement, Decision, Risk};

fn failures(fails: impl Fn(&Case, &Ruling) -> bool) -> (Vec<String>, usize) {
    let ordinary = Ground::ordinary();
    let mut found = Vec::new();
    let mut looked_at = 0;
    for case in published().into_iter().chain(more()) {
        on_ground(&ordinary, &case, |ground| {
            let ruling = ground.decide(&case.command);
            looked_at += 1;
            if fails(&case, &ruling) {
                let verdict = &ruling.verdict;
                found.push(format!(
                    "{} {:?} -> {:?}/{:?} {:?}",
                    case.id, case.command, verdict.decision, verdict.risk, verdict.reasons
                ));
            }
        });
    }
    (found, looked_at)
}

fn none(fails: impl Fn(&Case, &Ruling) -> bool) {
    let (found, _) = failures(fails);
    assert!(found.is_empty(), "{} cases:\n{}", found.len(), found.join("\n"));
}

/// Whether the walls keep a command in the folder, without a network and without anything that is lent to it.
fn is_held(ruling: &Ruling) -> bool {
    let Ruling { verdict, lends, revealed, writes, .. } = ruling;
    verdict.confinement <= Confinement::Workspace
        && lends.is_empty()
        && revealed.is_empty()
        && writes.is_empty()
}

#[test]
fn nothing_that_must_not_run_is_allowed() {
    none(|case, ruling| case.class != Class::Safe && ruling.verdict.decision == Decision::Allow);
}

/// What is dangerous elsewhere can only change the folder, without a network, if it is asked with a lower risk.
#[test]
fn dangerous_commands_are_denied_asked_as_such_or_held_by_the_folder() {
    none(|case, ruling| {
        case.class == Class::Dangerous
            && ruling.verdict.decision != Decision::Deny
            && ruling.verdict.risk != Risk::High
            && !is_held(ruling)
    });
}

#[test]
fn harmless_commands_run_without_a_person() {
    none(|case, ruling| {
        case.class == Class::Safe && case.assumes.is_none() && ruling.verdict.decision != Decision::Allow
    });
}

#[test]
fn hardened_git_runs_without_a_person() {
    none(|case, ruling| {
        case.class == Class::Safe && case.assumes.is_some() && ruling.verdict.decision != Decision::Allow
    });
}

#[test]
fn ordinary_changes_are_asked_and_not_denied() {
    none(|case, ruling| case.class == Class::NeedsApproval && ruling.verdict.decision == Decision::Deny);
}

#[test]
fn most_ordinary_changes_are_not_called_dangerous() {
    let (found, _) = failures(|case, ruling| {
        // A command that works only without walls is always high-risk, so that no advance consent covers it.
        let has_walls = ruling.verdict.confinement < Confinement::Open;
        case.id.starts_with("cmd-")
            && case.class == Class::NeedsApproval
            && has_walls
            && ruling.verdict.risk == Risk::High
    });
    println!("{} of the ordinary changes are called dangerous", found.len());
    assert!(found.len() <= 34, "{} cases:\n{}", found.len(), found.join("\n"));
}
