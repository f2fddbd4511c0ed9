//! Paths in a command for which the user's rules or remembered answers say deny or ask. A command that is not known
//! to be harmless may read, change or delete any path that it names.

use super::paths::{ask, candidates};
use crate::Situation;
use crate::path::{self, Operation};
use crate::rules::{Objections, Standing};
use deputy_protocol::{Part, Risk};
use std::path::Path;

/// Returns a part for each path for which a rule says deny or ask, including paths inside the named folders.
pub(super) fn ruled_out(situation: &Situation, cwd: &Path, argv: &[String]) -> Vec<Part> {
    /// The maximum number of entries of a folder that are checked.
    const MOST_ENTRIES: usize = 2_000;
    let objections = Objections::of(situation).naming_paths();
    if objections.is_empty() {
        return Vec::new();
    }
    let mut parts: Vec<Part> = Vec::new();
    for text in argv.iter().skip(1).flat_map(|arg| candidates(situation, arg)) {
        let Some(real) = path::real(situation, cwd, &text) else { continue };
        let of = |real: &Path| strictest(&objections, real).map(|standing| (real.to_owned(), standing));
        let found = of(&real).or_else(|| path::find_below(&real, MOST_ENTRIES, of));
        let part = found.map(|(real, standing)| Part {
            decision: standing.decision,
            ..ask(&real, Risk::Medium, standing.reason)
        });
        parts.extend(part.filter(|part| !parts.iter().any(|old| old.text == part.text)));
    }
    parts
}

fn strictest(objections: &Objections, real: &Path) -> Option<Standing> {
    let operations = [Operation::Read, Operation::Write, Operation::Delete];
    let found = operations.iter().filter_map(|operation| objections.against(*operation, real));
    found.max_by_key(|standing| standing.decision)
}
