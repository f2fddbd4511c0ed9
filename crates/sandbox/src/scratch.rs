//! Private temporary folders. The process that creates one locks it, so an unlocked folder belongs to a Deputy process
//! that was killed. The next Deputy removes it.
//!
//! A folder that its user keeps through restarts is prepared here, and its size is measured here.

use crate::mount_point;
use rustix::fs::{FlockOperation, flock};
use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use tempfile::TempDir;

/// The prefix of their names.
const PREFIX: &str = "deputy-scratch-";
/// How many times to retry when another Deputy removes a new folder before it is locked.
const TRIES: usize = 100;

/// A new folder that only this user can read, removed when dropped.
#[derive(Debug)]
pub struct ScratchFolder {
    folder: TempDir,
    /// Held while the folder is in use. Child processes don't inherit it.
    _lock: File,
}

impl ScratchFolder {
    /// Creates a folder in the system's temporary folder.
    pub fn new() -> io::Result<Self> {
        Self::new_in(&std::env::temp_dir())
    }

    fn new_in(place: &Path) -> io::Result<Self> {
        for _ in 0..TRIES {
            let folder = tempfile::Builder::new()
                .prefix(PREFIX)
                .permissions(Permissions::from_mode(0o700))
                .tempdir_in(place)?;
            if let Some(lock) = locked(folder.path()) {
                return Ok(Self { folder, _lock: lock });
            }
        }
        Err(io::Error::other("another Deputy keeps removing new folders for temporary files"))
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Creates a folder for temporary files that only this user can read. If it exists, removes the mount points that remain
/// from a killed process. No command may be using the folder.
///
/// # Errors
///
/// If the folder cannot be created or read.
pub fn lasting_scratch(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    Ok(mount_point::remove_left(folder)?)
}

/// Returns the disk space that the files below a folder use, in bytes. Does not follow links. What cannot be read counts
/// as nothing.
pub(crate) fn space_used(folder: &Path) -> u64 {
    const BLOCK_BYTES: u64 = 512;
    let (mut bytes, mut folders) = (0_u64, vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            // Does not follow a link.
            let Ok(found) = entry.metadata() else { continue };
            bytes = bytes.saturating_add(found.blocks().saturating_mul(BLOCK_BYTES));
            if found.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    bytes
}

/// Removes folders left behind by this user's killed Deputy processes.
pub fn remove_abandoned_scratch() {
    remove_abandoned_in(&std::env::temp_dir());
}

fn remove_abandoned_in(place: &Path) {
    let user = rustix::process::geteuid().as_raw();
    for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX))
            && entry.metadata().is_ok_and(|found| found.is_dir() && found.uid() == user);
        if !is_ours {
            continue;
        }
        if let Some(_lock) = locked(&entry.path())
            && let Err(error) = std::fs::remove_dir_all(entry.path())
        {
            tracing::warn!(path = %entry.path().display(), %error, "a folder for temporary files could not be removed");
        }
    }
}

/// Locks a folder, unless another process holds the lock or the folder is gone.
fn locked(folder: &Path) -> Option<File> {
    let flags = (rustix::fs::OFlags::DIRECTORY | rustix::fs::OFlags::NOFOLLOW).bits();
    let lock = OpenOptions::new().read(true).custom_flags(i32::try_from(flags).ok()?).open(folder).ok()?;
    flock(&lock, FlockOperation::NonBlockingLockExclusive).ok()?;
    let (held, there) = (lock.metadata().ok()?, folder.symlink_metadata().ok()?);
    (held.dev() == there.dev() && held.ino() == there.ino()).then_some(lock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_abandoned_folders_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let used = ScratchFolder::new_in(place.path()).unwrap();
        let left = place.path().join(format!("{PREFIX}left"));
        std::fs::create_dir_all(left.join("build/deep")).unwrap();
        std::fs::write(left.join("build/deep/a.o"), "x").unwrap();
        let other = place.path().join("somebodys");
        std::fs::create_dir(&other).unwrap();
        let link = place.path().join(format!("{PREFIX}link"));
        std::os::unix::fs::symlink(&other, &link).unwrap();

        remove_abandoned_in(place.path());

        assert!(used.path().is_dir());
        assert!(!left.exists());
        assert!(other.is_dir() && link.is_symlink());
        let path = used.path().to_owned();
        drop(used);
        assert!(!path.exists());
    }

    #[test]
    fn folders_made_while_others_are_removed_are_never_lost() {
        let place = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            let making = scope.spawn(|| {
                for _ in 0..300 {
                    let made = ScratchFolder::new_in(place.path()).unwrap();
                    std::fs::write(made.path().join("a"), "x").unwrap();
                }
            });
            while !making.is_finished() {
                remove_abandoned_in(place.path());
            }
        });
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    }
}
