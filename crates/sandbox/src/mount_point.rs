//! Mount points in a folder for temporary files. What is lent to one command from the real `/tmp` is mounted into the
//! folder that the command sees as `/tmp`. Without a mount point, bubblewrap would make one and leave it, and the next
//! command would find the lent file empty.
//!
//! Commands can write in that folder, so every step opens a real folder by its handle and follows no link.
//!
//! The sticky bit marks a mount point, because commands seldom set it. Policy ignores files and folders with this mark.
//! If Deputy is killed, the next one removes the remaining mount points before it uses the folder again.

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, mkdirat, openat, statat, unlinkat};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of commands that use each mount point of this process, by its folder for temporary files and its path in
/// it.
static USERS: Mutex<BTreeMap<(PathBuf, PathBuf), usize>> = Mutex::new(BTreeMap::new());

fn users() -> MutexGuard<'static, BTreeMap<(PathBuf, PathBuf), usize>> {
    USERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The mount points of a command. They are removed when their last user is done, if they are still empty.
#[derive(Debug, Default)]
pub(crate) struct MountPoints(Vec<(PathBuf, PathBuf)>);

impl MountPoints {
    /// Creates a mount point at a path inside a folder, with the folders on the way, where nothing is there yet.
    pub(crate) fn hold(&mut self, root: &Path, inside: &Path, is_folder: bool) -> io::Result<()> {
        let mut users = users();
        let mut folder = open_folder(root)?;
        let mut parts = inside.iter().peekable();
        let mut path = PathBuf::new();
        while let Some(name) = parts.next() {
            path.push(name);
            let is_last = parts.peek().is_none();
            let made = match is_last && !is_folder {
                true => {
                    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
                    openat(&folder, name, flags, Mode::RUSR | Mode::WUSR | Mode::SVTX).map(drop)
                }
                false => mkdirat(&folder, name, Mode::RWXU | Mode::SVTX),
            };
            let key = (root.to_owned(), path.clone());
            match made {
                Ok(()) => drop(users.insert(key.clone(), 0)),
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            if let Some(count) = users.get_mut(&key) {
                *count += 1;
                self.0.push(key);
            }
            if !is_last {
                folder = openat(&folder, name, FOLDER, Mode::empty())?;
            }
        }
        Ok(())
    }
}

/// Removes the mount points that a killed process left in a folder, as far as they are empty. No command may be using
/// the folder.
pub(crate) fn remove_left(root: &Path) -> rustix::io::Result<()> {
    remove_left_in(&open_folder(root)?)
}

fn remove_left_in(folder: &OwnedFd) -> rustix::io::Result<()> {
    for entry in Dir::read_from(folder)?.flatten() {
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let found = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
        if found.st_mode & Mode::SVTX.as_raw_mode() == 0 {
            continue;
        }
        match rustix::fs::FileType::from_raw_mode(found.st_mode) {
            rustix::fs::FileType::Directory => {
                remove_left_in(&openat(folder, name, FOLDER, Mode::empty())?)?;
                // It stays if it is not empty.
                let _ = unlinkat(folder, name, AtFlags::REMOVEDIR);
            }
            rustix::fs::FileType::RegularFile if found.st_size == 0 => {
                unlinkat(folder, name, AtFlags::empty())?;
            }
            _ => {}
        }
    }
    Ok(())
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

fn open_folder(path: &Path) -> rustix::io::Result<OwnedFd> {
    openat(CWD, path, FOLDER, Mode::empty())
}

impl Drop for MountPoints {
    fn drop(&mut self) {
        let mut users = users();
        // Deepest first: the content of a folder must be removed before the folder.
        for key in self.0.drain(..).rev() {
            let Some(count) = users.get_mut(&key) else { continue };
            *count -= 1;
            if *count == 0 {
                users.remove(&key);
                let (root, path) = key;
                if let Err(error) = remove_if_empty(&root, &path) {
                    tracing::warn!(path = %root.join(&path).display(), %error, "a mount point stays");
                }
            }
        }
    }
}

/// Removes an empty file or folder. Anything that is not empty belongs to a command.
fn remove_if_empty(root: &Path, path: &Path) -> rustix::io::Result<()> {
    let mut folder = open_folder(root)?;
    for part in path.parent().into_iter().flat_map(Path::iter) {
        folder = openat(&folder, part, FOLDER, Mode::empty())?;
    }
    let Some(name) = path.file_name() else { return Ok(()) };
    let found = statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    let removed = match rustix::fs::FileType::from_raw_mode(found.st_mode) {
        rustix::fs::FileType::Directory => unlinkat(&folder, name, AtFlags::REMOVEDIR),
        rustix::fs::FileType::RegularFile if found.st_size == 0 => unlinkat(&folder, name, AtFlags::empty()),
        _ => Ok(()),
    };
    match removed {
        Err(Errno::NOTEMPTY) => Ok(()),
        removed => removed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn mount_points_go_with_their_folders_and_leave_what_was_there() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path();
        fs::create_dir(root.join("own")).unwrap();
        let (mut first, mut second) = (MountPoints::default(), MountPoints::default());
        first.hold(root, Path::new("own/deep/file"), false).unwrap();
        second.hold(root, Path::new("own/deep/folder"), true).unwrap();
        assert!(root.join("own/deep/file").is_file() && root.join("own/deep/folder").is_dir());
        fs::write(root.join("own/deep/note"), "a command's own").unwrap();
        drop(first);
        assert!(!root.join("own/deep/file").exists() && root.join("own/deep/folder").is_dir());
        drop(second);
        assert!(!root.join("own/deep/folder").exists() && root.join("own/deep/note").exists());
    }

    #[test]
    fn mount_points_of_a_killed_process_are_removed_and_nothing_else() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path();
        let mut left = MountPoints::default();
        left.hold(root, Path::new("lent/deep/file"), false).unwrap();
        left.hold(root, Path::new("used/folder"), true).unwrap();
        std::mem::forget(left);
        fs::create_dir(root.join("own")).unwrap();
        fs::write(root.join("own/empty"), "").unwrap();
        fs::write(root.join("used/note"), "a command's own").unwrap();
        remove_left(root).unwrap();
        assert!(!root.join("lent").exists() && !root.join("used/folder").exists());
        assert!(root.join("own/empty").exists() && root.join("used/note").exists());
        users().retain(|(folder, _), _| folder != root);
    }

    #[test]
    fn a_link_that_a_command_left_leads_nowhere() {
        let (home, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(other.path(), home.path().join("link")).unwrap();
        let mut points = MountPoints::default();
        assert!(points.hold(home.path(), Path::new("link/deep/file"), false).is_err());
        assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0);

        points.hold(home.path(), Path::new("swapped/file"), false).unwrap();
        fs::write(other.path().join("file"), "").unwrap();
        fs::remove_dir_all(home.path().join("swapped")).unwrap();
        std::os::unix::fs::symlink(other.path(), home.path().join("swapped")).unwrap();
        drop(points);
        assert!(other.path().join("file").exists(), "removal follows no link either");
    }
}
