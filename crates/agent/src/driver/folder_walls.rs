//! What stays closed to a command that runs under the yes for its folder, in addition to what every command finds closed:
//! what undo could not restore, git's past, and settings that later commands would find.
//!
//! A person did not see the text of such a command, so it may only do what undo can take back. A request in the middle
//! of the command can open all but git's past.

use crate::tool_caches;
use deputy_messages::agent as say;
use deputy_policy::path::{Openable, forged_reference, is_git_history};
use deputy_protocol::{Phrase, Risk};
use deputy_tools::tree::is_below;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The additional walls of one command.
pub(in crate::driver) struct FolderWalls {
    /// What undo could not restore. Sorted and outside each other.
    pub(in crate::driver) not_kept: Vec<PathBuf>,
    /// Deputy's own folders for the downloads of tools.
    pub(in crate::driver) caches: Vec<PathBuf>,
    /// When the task began. What is younger was made by the task.
    pub(in crate::driver) began: SystemTime,
}

impl FolderWalls {
    /// Returns why the command may not create or change the path. `is_folder` is whether it is or becomes a folder.
    pub(in crate::driver) fn closes(&self, real: &Path, is_folder: bool) -> Option<Phrase> {
        if is_below(real, &self.not_kept) {
            return Some(say::undo_could_not_restore());
        }
        if self.caches.iter().filter_map(|cache| real.strip_prefix(cache).ok()).any(tool_caches::decides) {
            return Some(say::setting_of_later_commands());
        }
        let repository = forged_reference(real).filter(|_| !is_folder)?;
        self.was_there(&repository).then(say::reference_of_another_repository)
    }

    /// Returns why the command may not remove, replace or move the path.
    pub(in crate::driver) fn history(&self, real: &Path, is_folder: bool) -> Option<Phrase> {
        (is_git_history(real, is_folder) && self.was_there(real)).then(say::history_of_git)
    }

    /// Returns the consequences of opening a path that is closed here.
    pub(in crate::driver) fn openable(&self, real: &Path) -> Option<Openable> {
        let why = self.closes(real, real.is_dir())?;
        Some(Openable { risk: Risk::High, reasons: vec![why] })
    }

    /// Whether a path is older than the task. One whose age is not known counts as older.
    fn was_there(&self, real: &Path) -> bool {
        real.symlink_metadata().is_ok_and(|meta| meta.created().map_or(true, |made| made < self.began))
    }
}
