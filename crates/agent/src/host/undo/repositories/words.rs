//! What undo and redo say about a repository.

use crate::repositories::unit::{Target, Unit};
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use std::collections::BTreeSet;

/// The maximum number of references that are named.
const NAMED: usize = 5;

/// Returns what changes from one state to another.
pub(super) fn changes(from: &Unit, to: &Unit, moved: &BTreeSet<String>) -> Phrase {
    let mut parts = Vec::new();
    for name in moved.iter().take(NAMED) {
        let shown = short_name(name);
        parts.push(match (from.refs.get(name), to.refs.get(name)) {
            (None, Some(target)) => say::git_created(short(target), shown),
            (_, None) => say::git_removed(shown),
            (Some(_), Some(target)) => say::git_moved(short(target), shown),
        });
    }
    if moved.len() > NAMED {
        parts.push(say::git_and_more(moved.len() - NAMED));
    }
    for (name, tree) in &to.trees {
        if from.trees.get(name).map(|tree| &tree.head) != Some(&tree.head) {
            parts.push(match &tree.head {
                Target::Reference(name) => say::git_checked_out(short_name(name)),
                Target::Object(_) => say::git_detached(short(&tree.head)),
            });
        }
    }
    if from.stash != to.stash {
        parts.push(say::git_stash());
    }
    if parts.is_empty() {
        parts.push(say::git_staged());
    }
    deputy_messages::series(parts)
}

/// Returns a reference as people call it.
pub(super) fn short_name(name: &str) -> String {
    let prefixes = ["refs/heads/", "refs/tags/", "refs/remotes/"];
    prefixes.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name).to_owned()
}

fn short(target: &Target) -> String {
    match target {
        Target::Object(object) => object.chars().take(7).collect(),
        Target::Reference(name) => short_name(name),
    }
}
