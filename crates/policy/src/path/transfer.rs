//! Moving and copying. Both ends are judged together, because each can be harmless while the pair is not.

use super::roots::Roots;
use super::{
    Found, Operation, Refused, examine_in, guarded, part, protected, ruled_below, scope, unlike_others,
};
use crate::Situation;
use crate::rules::Objections;
use deputy_messages::policy as say;
use deputy_protocol::{Part, Risk};
use std::path::Path;

/// A way to transfer something from one path to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transfer {
    /// Removes the source.
    Move,
    /// Keeps the source.
    Copy,
}

/// Judges both ends of a move or a copy, relative to the situation's working directory. Returns the source first.
pub fn judge_transfer(situation: &Situation, kind: Transfer, from: &str, to: &str) -> Vec<Part> {
    let (source, target) = examine_transfer(situation, &situation.cwd, kind, from, to);
    let operation = if kind == Transfer::Move { Operation::Delete } else { Operation::Read };
    let is_plain_move = kind == Transfer::Move && source.is_ok();
    let mut from = part(situation, operation, from, source);
    if is_plain_move {
        from.reason = say::moves_something_workspace();
    }
    vec![from, part(situation, Operation::Create, to, target)]
}

/// Examines both ends of a move or a copy, relative to `cwd`.
pub(crate) fn examine_transfer(
    situation: &Situation,
    cwd: &Path,
    kind: Transfer,
    from: &str,
    to: &str,
) -> (Result<Found, Refused>, Result<Found, Refused>) {
    let operation = if kind == Transfer::Move { Operation::Delete } else { Operation::Read };
    let source =
        examine_in(situation, cwd, operation, from, |real| scope::in_scope(situation, operation, real))
            .and_then(|found| source_tree(situation, kind, found));
    // A file that the scope includes by path or tag may get a new name. Only the scope's folders restrict its
    // destination.
    let target = examine_in(situation, cwd, Operation::Create, to, |real| {
        let mut folders_only = situation.clone();
        folders_only.scope.only_files.clear();
        folders_only.scope.only_tags.clear();
        scope::in_scope(&folders_only, Operation::Create, real)
    });
    let moved = if kind == Transfer::Move { real_of(&source) } else { None };
    let target = target.and_then(|found| unlike_others(Operation::Create, found, moved));
    let is_into_itself = match (real_of(&source), real_of(&target)) {
        (Some(source), Some(target)) => target.starts_with(source),
        _ => false,
    };
    let target = match target {
        Ok(found) if is_into_itself => {
            Err(Refused::deny(Risk::Low, say::something_cannot_put_into()).at(&found.real))
        }
        target => target,
    };
    (source, target)
}

fn real_of(outcome: &Result<Found, Refused>) -> Option<&Path> {
    match outcome {
        Ok(found) => Some(&found.real),
        Err(refused) => refused.real.as_deref(),
    }
}

/// Checks the further requirements of a source: it must exist, and everything below it must be plain.
fn source_tree(situation: &Situation, kind: Transfer, found: Found) -> Result<Found, Refused> {
    if !found.is_present {
        return Err(Refused::ask(Risk::Low, say::nothing_stands_there()).at(&found.real));
    }
    if kind == Transfer::Move {
        return Ok(found);
    }
    let roots = Roots::of(situation);
    let held = || found.real.is_dir().then(|| protected::in_tree(&roots, &found.real)).flatten();
    match guarded::protected(&roots, &found.real).or_else(held) {
        Some(reason) => Err(Refused::ask(Risk::Medium, reason).at(&found.real)),
        None => match ruled_below(&Objections::of(situation), Operation::Read, &found.real) {
            Some(standing) => Err(Refused::of(standing).at(&found.real)),
            None => Ok(found),
        },
    }
}
