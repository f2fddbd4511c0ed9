//! After a crash: whether a change that was journalled beforehand happened, read off the disk.

use crate::files::{Standing, Target, leftover_name, standing_at};
use deputy_protocol::{FileChange, FileState};
use std::path::Path;

/// Whether a change happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// What is there is what was there before.
    NotDone,
    /// What is there is what was to be there.
    Done,
    /// Something else is there, or it cannot be read: only a person can tell.
    Neither,
}

/// Looks at the disk whether `change` happened. A temporary file that the crash left next to it is removed, as it was
/// never visible under the name it was made for. Not to be called while the call still runs.
pub fn settle(change: &FileChange) -> Settled {
    let path = Path::new(&change.path);
    if let (FileState::File(after), Some(name)) = (&change.after, path.file_name()) {
        let leftover = path.with_file_name(leftover_name(name, &after.digest));
        if let Ok(leftover) = Target::at(&leftover) {
            // Not there is the usual case, and a leftover that cannot be removed harms nothing.
            let _ = leftover.remove_file();
        }
    }
    match standing_at(path) {
        Ok(standing) if stands(&standing, &change.after) => Settled::Done,
        Ok(standing) if standing.is(&change.before) => Settled::NotDone,
        _ => Settled::Neither,
    }
}

/// A change of nothing but the mode is done when the mode is the new one.
fn stands(standing: &Standing, after: &FileState) -> bool {
    match (standing, after) {
        (Standing::State(FileState::File(stands)), FileState::File(after)) => stands == after,
        _ => standing.is(after),
    }
}
