//! The lock of a home. The process that holds it is the host.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The lock of a home. Released on drop, and by the system when the process dies.
#[derive(Debug)]
pub struct HomeLock {
    _file: File,
}

/// The reason why the lock cannot be taken.
#[derive(Debug, thiserror::Error)]
#[error("Deputy's folder {} cannot be used: {source}", path.display())]
pub struct LockError {
    /// The folder or the lock file.
    pub path: PathBuf,
    /// The cause.
    pub source: std::io::Error,
}

impl HomeLock {
    /// Takes the lock of a home. `None` if another process holds it. Creates the home if it does not exist.
    pub fn try_take(home: &Path) -> Result<Option<Self>, LockError> {
        Self::try_take_named(home, "host.lock")
    }

    /// Takes a lock with this name in a home. `None` if another process holds it.
    pub fn try_take_named(home: &Path, name: &str) -> Result<Option<Self>, LockError> {
        Self::try_lock(home, name, File::try_lock)
    }

    /// Returns whether a process holds the lock with this name. Several processes may look at the same time; a process
    /// that tries to take the lock at that moment does not get it.
    pub fn is_held(home: &Path, name: &str) -> Result<bool, LockError> {
        Ok(Self::try_lock(home, name, File::try_lock_shared)?.is_none())
    }

    fn try_lock(
        home: &Path,
        name: &str,
        lock: impl FnOnce(&File) -> Result<(), TryLockError>,
    ) -> Result<Option<Self>, LockError> {
        let error = |path: &Path| {
            let path = path.to_owned();
            move |source| LockError { path, source }
        };
        DirBuilder::new().recursive(true).mode(0o700).create(home).map_err(error(home))?;
        let path = home.join(name);
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true).mode(0o600);
        let file = options.open(&path).map_err(error(&path))?;
        match lock(&file) {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(LockError { path, source }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn one_holder_at_a_time_and_the_home_is_private() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("a/b");
        let first = HomeLock::try_take(&home).unwrap().unwrap();
        assert!(HomeLock::try_take(&home).unwrap().is_none());
        assert!(HomeLock::is_held(&home, "host.lock").unwrap());
        drop(first);
        assert!(!HomeLock::is_held(&home, "host.lock").unwrap());
        assert!(HomeLock::try_take(&home).unwrap().is_some());
        assert_eq!(home.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_home_that_cannot_be_names_itself() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), "").unwrap();
        let error = HomeLock::try_take(&folder.path().join("file/home")).unwrap_err().to_string();
        assert!(error.contains("file/home"), "{error}");
    }
}
