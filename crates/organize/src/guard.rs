//! Paths that no plan may touch, even with approval.

use crate::check::Bounds;
use crate::names::fold;
use crate::problem::Wrong;
use crate::scope::ScopeFolders;
use deputy_messages::organize as say;
use std::ffi::OsStr;
use std::path::Path;

/// Folders that contain version history, or settings that make other programs run something.
const GUARDED: [&str; 6] = [".git", ".hg", ".svn", ".jj", ".vscode", ".idea"];

/// Returns whether a folder of this name is protected on any system.
pub(crate) fn is_guarded(name: &OsStr) -> bool {
    // Check the dot first: few names begin with it, and this is called for every component of every path.
    name.as_encoded_bytes().first() == Some(&b'.')
        && GUARDED.contains(&fold(&name.to_string_lossy()).as_str())
}

/// Returns whether a folder of this name is a trash folder.
fn is_trash(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name == ".Trash" || name.starts_with(".Trash-"))
}

/// Fails if a path must be neither source nor destination.
pub(crate) fn guard(path: &Path, scope: &ScopeFolders, bounds: &Bounds<'_>) -> Result<(), Wrong> {
    let protected = |reason| Err(Wrong::Protected { path: path.to_owned(), reason });
    if scope.holds_itself(path) {
        return Err(Wrong::ScopeItself(path.to_owned()));
    }
    if path.iter().any(is_guarded) {
        return protected(say::belongs_to_project());
    }
    let is_ours =
        [&bounds.trash.home, &bounds.trash.quarantine].into_iter().any(|trash| path.starts_with(trash));
    if is_ours || path.iter().any(is_trash) {
        return protected(say::is_in_trash());
    }
    match (bounds.protected)(path) {
        Some(reason) => protected(reason.into()),
        None => Ok(()),
    }
}
