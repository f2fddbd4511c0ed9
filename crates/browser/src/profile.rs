//! The profile folder of a browser: temporary, or a permanent one that the person wants to keep.

use crate::BrowserError;
use deputy_messages::browser as say;
use deputy_sandbox::ScratchFolder;
use std::fs::{DirBuilder, File, TryLockError};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The lock file, which is locked while a browser uses the profile.
const LOCK: &str = "deputy.lock";

/// A profile folder.
pub(crate) enum Profile {
    /// A temporary profile, deleted when its last owner is dropped.
    Fresh(ScratchFolder),
    /// A permanent profile. Only one browser can use it at a time.
    Kept { folder: PathBuf, _lock: File },
}

impl Profile {
    /// Creates a temporary profile.
    pub(crate) fn fresh() -> Result<Arc<Self>, BrowserError> {
        let made = ScratchFolder::new();
        made.map(|folder| Arc::new(Self::Fresh(folder)))
            .map_err(|error| BrowserError::starting(say::no_profile, error))
    }

    /// Opens the profile in a folder, creating it if missing. `None` while another browser uses it.
    pub(crate) fn kept(folder: &Path) -> Result<Option<Arc<Self>>, BrowserError> {
        let opened = || -> io::Result<Option<File>> {
            DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            let lock = File::create(folder.join(LOCK))?;
            match lock.try_lock() {
                Ok(()) => Ok(Some(lock)),
                Err(TryLockError::WouldBlock) => Ok(None),
                Err(TryLockError::Error(error)) => Err(error),
            }
        };
        let lock = opened().map_err(|error| BrowserError::starting(say::no_profile, error))?;
        Ok(lock.map(|lock| Arc::new(Self::Kept { folder: folder.to_owned(), _lock: lock })))
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Fresh(folder) => folder.path(),
            Self::Kept { folder, .. } => folder,
        }
    }
}
