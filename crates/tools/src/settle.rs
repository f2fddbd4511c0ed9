//! Recovery after a crash: finds out from the disk whether a journaled change happened.

use crate::files::{Standing, Target, leftover_name, standing_at};
use deputy_protocol::{FileChange, FileState};
use std::path::Path;

/// Whether a change happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// The disk has the state from before the change.
    NotDone,
    /// The disk has the state from after the change.
    Done,
    /// The disk has some other state or cannot be read. Only a person can decide.
    Neither,
}

/// Checks on the disk whether `change` happened.
///
/// Also removes a temporary file that the crash left next to it; such a file was never visible under its final name.
/// Must not be called while the call is still running.
pub fn settle(change: &FileChange) -> Settled {
    let path = Path::new(&change.path);
    if let (FileState::File(after), Some(name)) = (&change.after, path.file_name()) {
        let leftover = path.with_file_name(leftover_name(name, &after.digest));
        if let Ok(leftover) = Target::at(&leftover) {
            // Usually the file does not exist, and a leftover that cannot be removed is harmless.
            let _ = leftover.remove_file();
        }
    }
    match standing_at(path) {
        Ok(standing) if stands(&standing, &change.after) => Settled::Done,
        Ok(standing) if standing.is(&change.before) => Settled::NotDone,
        _ => Settled::Neither,
    }
}

/// Returns whether the disk has the new state. For a change of the mode only, the mode decides.
fn stands(standing: &Standing, after: &FileState) -> bool {
    match (standing, after) {
        (Standing::State(FileState::File(stands)), FileState::File(after)) => stands == after,
        _ => standing.is(after),
    }
}
