//! The safety net under commands: what a command could change is kept before it runs, and what it did change is worked
//! out from that afterwards, so that undo covers commands too.
//!
//! A [`Survey`] looks at the folders without reading a file, and settles within the [`TreeLimits`] what is kept. [`keep`]
//! reads what is not known already and makes the [`Manifest`]. [`differences`] holds the disk against a manifest: after
//! the command, or after a crash.

mod difference;
mod manifest;
mod survey;
mod walk;

pub use difference::{Differences, differences};
pub use manifest::{Contents, KnownFiles, Manifest, keep};
pub use survey::Survey;

use std::path::{Path, PathBuf};

/// How much is kept before a command runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeLimits {
    /// Files.
    pub max_files: u64,
    /// Bytes over all files.
    pub max_bytes: u64,
}

impl Default for TreeLimits {
    /// A large project without what its tools have made.
    fn default() -> Self {
        Self { max_files: 20_000, max_bytes: 256 * 1024 * 1024 }
    }
}

/// The folders that a command may change, and what in them is not to be copied.
pub struct Ground<'a> {
    /// Real paths; a file is its own tree.
    pub roots: Vec<PathBuf>,
    /// Whether a real path is a secret: no copy of it is ever made.
    pub is_secret: &'a (dyn Fn(&Path) -> bool + Sync),
    /// Whether the command can change a secret; where the walls hide it, it cannot, and it needs no mention.
    pub is_open: &'a (dyn Fn(&Path) -> bool + Sync),
}
