//! The safety net for commands. Deputy stores what a command could change before it runs, and afterwards finds what it
//! did change, so that undo also covers commands. Build output is not stored: it is only known whether it changed.
//!
//! A [`Survey`] lists the folders without reading a file and selects what to store within the [`TreeLimits`]. [`keep`]
//! reads the files that are not known yet and creates the [`Manifest`]. [`differences`] compares the disk with a
//! manifest, after the command or after a crash.

mod built;
mod difference;
mod manifest;
mod repository;
mod survey;
mod walk;

pub use built::{BuildOutput, Committed, is_cache};
pub(crate) use built::{changed_after, moved_in};
pub use difference::{Differences, differences};
pub use manifest::{Contents, KnownFiles, Manifest, keep};
pub use repository::{
    GitPart, RepositoryState, RepositoryStates, UNFINISHED, changed_repositories, git_part,
};
pub use survey::{AtStake, Survey, is_below, is_gits};
pub use walk::outermost;

use std::path::{Path, PathBuf};

/// The limits of what is stored before a command runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeLimits {
    /// The maximum number of files.
    pub max_files: u64,
    /// The maximum total size, in bytes.
    pub max_bytes: u64,
}

impl Default for TreeLimits {
    /// Fits a large project without build output and downloads.
    fn default() -> Self {
        Self { max_files: 20_000, max_bytes: 256 * 1024 * 1024 }
    }
}

/// The folders that a command may change, and what must not be copied from them.
pub struct Ground<'a> {
    /// Real paths. A root can also be a single file.
    pub roots: Vec<PathBuf>,
    /// Returns whether a real path is a secret. Secrets are never copied.
    pub is_secret: &'a (dyn Fn(&Path) -> bool + Sync),
    /// Returns whether the command can change a secret. If the sandbox hides the secret, the command cannot, and the
    /// secret is not reported.
    pub is_open: &'a (dyn Fn(&Path) -> bool + Sync),
    /// The folders with build output, whose files are neither stored nor compared, except for those that a command names.
    pub output: &'a BuildOutput,
    /// Whether the command can change nothing outside of the roots. If it can, what appears in them may come from
    /// elsewhere.
    pub is_walled: bool,
}
