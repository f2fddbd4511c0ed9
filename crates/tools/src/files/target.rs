//! The target of a write: the handle of a folder and a name in it.

use super::resolve::from_slash;
use super::{FOLDER_HANDLE, FileError, Files, kind_name, real_path, within};
use crate::text::shown;
use deputy_messages::tools as say;
use deputy_policy::path::Operation;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat, fsync, mkdirat, openat, statat, unlinkat};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// A path to write to. `missing` holds the parent folders that do not exist yet, outermost first.
pub(crate) struct Target {
    pub(super) folder: OwnedFd,
    folder_path: PathBuf,
    missing: Vec<OsString>,
    pub(super) name: OsString,
    given: String,
}

impl Files {
    /// Resolves the target of a write. Refuses secrets and frozen paths.
    pub(crate) fn target(&self, given: &str) -> Result<Target, FileError> {
        self.target_of(Operation::Write, given)
    }

    /// Resolves the target of a removal, like that of a write.
    pub(crate) fn target_to_remove(&self, given: &str) -> Result<Target, FileError> {
        self.target_of(Operation::Delete, given)
    }

    fn target_of(&self, operation: Operation, given: &str) -> Result<Target, FileError> {
        let absolute = self.place.absolute(given);
        let not_a_path = || FileError::NotAPath { path: shown(given.as_ref()) };
        let Some(Component::Normal(name)) = absolute.components().next_back() else {
            return Err(not_a_path());
        };
        let mut parent = absolute.parent().ok_or_else(not_a_path)?;
        let mut missing = Vec::new();
        let folder = loop {
            match self.handle(given, parent) {
                Ok(folder) => break folder,
                Err(FileError::NotFound { .. }) => {
                    let Some(Component::Normal(name)) = parent.components().next_back() else {
                        return Err(not_a_path());
                    };
                    missing.insert(0, name.to_owned());
                    parent = parent.parent().ok_or_else(not_a_path)?;
                }
                Err(error) => return Err(error.below(&missing, name)),
            }
        };
        let folder_path =
            real_path(&folder).map_err(|e| FileError::io(say::cannot_find_real_path, parent, e))?;
        let target = Target { folder, folder_path, missing, name: name.to_owned(), given: given.to_owned() };
        let real = target.real();
        if self.is_hidden(&real) {
            return Err(FileError::Hidden { path: shown(given.as_ref()) });
        }
        if let Err(scope) = self.bounds.in_scope(operation, &real) {
            return Err(FileError::OutOfScope { path: shown(given.as_ref()), scope });
        }
        self.not_denied(given, operation, &real)?;
        if within(&self.frozen, &real) {
            return Err(FileError::Frozen { path: shown(given.as_ref()) });
        }
        Ok(target)
    }
}

impl Target {
    /// Resolves a target for undo, which knows the real path. Does not follow links; all parent folders must exist.
    pub(crate) fn at(path: &Path) -> Result<Self, FileError> {
        let given = path.to_string_lossy().into_owned();
        let not_a_path = || FileError::NotAPath { path: shown(path.as_os_str()) };
        let name = path.file_name().ok_or_else(not_a_path)?;
        let parent = path.parent().ok_or_else(not_a_path)?;
        let folder = from_slash(parent).map_err(|error| error.named(&given, path))?;
        Ok(Self { folder, folder_path: parent.to_owned(), missing: Vec::new(), name: name.to_owned(), given })
    }

    /// Returns the real path that the target will have.
    pub(crate) fn real(&self) -> PathBuf {
        let mut real = self.folder_path.clone();
        real.extend(&self.missing);
        real.push(&self.name);
        real
    }

    /// Returns the path as given, escaped for display.
    pub(crate) fn given(&self) -> String {
        shown(self.given.as_ref())
    }

    /// Returns the real path of the next missing parent folder.
    pub(crate) fn next_missing(&self) -> Option<PathBuf> {
        self.missing.first().map(|name| self.folder_path.join(name))
    }

    /// Creates the next missing parent folder and moves the handle into it.
    pub(crate) fn make_next_missing(&mut self) -> Result<(), FileError> {
        if self.missing.is_empty() {
            return Ok(());
        }
        let name = self.missing.remove(0);
        let path = self.folder_path.join(&name);
        make_folder(&self.folder, &name).map_err(|e| FileError::io(say::cannot_create_folder, &path, e))?;
        self.folder = openat(&self.folder, &name, FOLDER_HANDLE | OFlags::NOFOLLOW, Mode::empty())
            .map_err(|e| FileError::io(say::cannot_open_folder, &path, e))?;
        self.folder_path = path;
        Ok(())
    }

    /// Creates the target as a folder.
    pub(crate) fn make_folder(&self) -> Result<(), FileError> {
        make_folder(&self.folder, &self.name)
            .map_err(|e| FileError::io(say::cannot_create_folder, self.given.as_str(), e))
    }

    /// Creates the target as a symbolic link to `to`.
    pub(crate) fn make_link(&self, to: &str) -> Result<(), FileError> {
        rustix::fs::symlinkat(to, &self.folder, &self.name)
            .and_then(|()| self.sync_folder())
            .map_err(|e| FileError::io(say::cannot_make_link, self.given.as_str(), e))
    }

    /// Sets the permissions of the existing folder.
    pub(crate) fn set_folder_mode(&self, mode: u32) -> Result<(), FileError> {
        let is_folder =
            self.stat()?.is_some_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Directory);
        if !is_folder {
            return Err(FileError::Changed { path: self.given() });
        }
        let mode = Mode::from_raw_mode(mode);
        rustix::fs::chmodat(&self.folder, &self.name, mode, AtFlags::empty())
            .map_err(|e| FileError::io(say::cannot_set_permissions, self.given.as_str(), e))
    }

    /// Returns the metadata of what exists at the target, without following a link.
    pub(crate) fn stat(&self) -> Result<Option<Stat>, FileError> {
        if !self.missing.is_empty() {
            return Ok(None);
        }
        match statat(&self.folder, &self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat)),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(FileError::io(say::cannot_look_at, self.given.as_str(), errno)),
        }
    }

    /// Returns the metadata of the file that would be replaced. `None` if nothing exists. Fails if it may not be
    /// replaced.
    pub(crate) fn replaced(&self) -> Result<Option<Stat>, FileError> {
        let Some(stat) = self.stat()? else { return Ok(None) };
        let kind = FileType::from_raw_mode(stat.st_mode);
        if kind != FileType::RegularFile {
            return Err(FileError::InTheWay { path: self.given(), kind: kind_name(kind) });
        }
        if stat.st_nlink > 1 {
            return Err(FileError::ManyNames { path: self.given(), names: stat.st_nlink });
        }
        Ok(Some(stat))
    }

    /// Returns the metadata of the existing file, which is to be removed or moved. Fails if it may not be, or if there is
    /// none.
    pub(crate) fn existing_file(&self) -> Result<Stat, FileError> {
        let none = || FileError::NotFound { path: self.given(), twin: None, near: None };
        self.replaced()?.ok_or_else(none)
    }

    /// Fails unless what exists at the target is what was there when `before` was taken.
    pub(crate) fn check_unchanged(&self, before: Option<&Stat>) -> Result<(), FileError> {
        let identity =
            |stat: &Stat| (stat.st_dev, stat.st_ino, stat.st_ctime, stat.st_ctime_nsec, stat.st_size);
        if self.stat()?.as_ref().map(identity) != before.map(identity) {
            return Err(FileError::Changed { path: self.given() });
        }
        Ok(())
    }

    /// Opens the existing file for reading. Does not follow a link.
    pub(crate) fn open(&self) -> Result<std::fs::File, FileError> {
        super::open_entry(&self.folder, &self.name)
            .map_err(|e| FileError::io(say::cannot_open, self.given.as_str(), e))
    }

    /// Makes changes of the folder's entries durable.
    pub(super) fn sync_folder(&self) -> Result<(), Errno> {
        sync_folder(&self.folder)
    }

    /// Moves the existing file to another target, where nothing may exist.
    pub(crate) fn rename_to(&self, to: &Self) -> Result<(), FileError> {
        super::pending::rename_new(&self.folder, &self.name, &to.folder, &to.name)
            .and_then(|()| to.sync_folder())
            .and_then(|()| self.sync_folder())
            .map_err(|e| FileError::io(say::cannot_move, self.given.as_str(), e))
    }

    /// Returns whether the existing folder is empty.
    pub(crate) fn is_empty_folder(&self) -> Result<bool, FileError> {
        let is_other = |name: &[u8]| name != b"." && name != b"..";
        openat(&self.folder, &self.name, FOLDER_READ | OFlags::NOFOLLOW, Mode::empty())
            .and_then(|folder| {
                for entry in Dir::read_from(&folder)? {
                    if is_other(entry?.file_name().to_bytes()) {
                        return Ok(false);
                    }
                }
                Ok(true)
            })
            .map_err(|e| FileError::io(say::cannot_open_folder, self.given.as_str(), e))
    }

    /// Removes the existing file.
    pub(crate) fn remove_file(&self) -> Result<(), FileError> {
        unlinkat(&self.folder, &self.name, AtFlags::empty())
            .and_then(|()| self.sync_folder())
            .map_err(|e| FileError::io(say::cannot_remove, self.given.as_str(), e))
    }

    /// Removes the existing empty folder.
    pub(crate) fn remove_folder(&self) -> Result<(), FileError> {
        unlinkat(&self.folder, &self.name, AtFlags::REMOVEDIR)
            .and_then(|()| self.sync_folder())
            .map_err(|e| FileError::io(say::cannot_remove_folder, self.given.as_str(), e))
    }

    /// Removes the existing folder with everything in it.
    pub(crate) fn remove_folder_and_content(&self) -> Result<(), FileError> {
        remove_all(&self.folder, &self.name)
            .and_then(|()| self.sync_folder())
            .map_err(|e| FileError::io(say::cannot_remove_folder, self.given.as_str(), e))
    }
}

/// How a folder is opened to list and remove what is in it.
const FOLDER_READ: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Removes a folder with everything in it. Does not follow links.
fn remove_all(parent: &OwnedFd, name: &OsStr) -> Result<(), Errno> {
    let folder = openat(parent, name, FOLDER_READ | OFlags::NOFOLLOW, Mode::empty())?;
    for entry in Dir::read_from(&folder)? {
        let entry = entry?;
        let inner = OsStr::from_bytes(entry.file_name().to_bytes());
        if inner == "." || inner == ".." {
            continue;
        }
        match unlinkat(&folder, inner, AtFlags::empty()) {
            // Linux answers with the first error for a folder, other systems with the second.
            Err(Errno::ISDIR | Errno::PERM) => remove_all(&folder, inner)?,
            removed => removed?,
        }
    }
    unlinkat(parent, name, AtFlags::REMOVEDIR)
}

fn make_folder(folder: &OwnedFd, name: &OsStr) -> Result<(), Errno> {
    mkdirat(folder, name, Mode::from_raw_mode(0o777))?;
    sync_folder(folder)
}

fn sync_folder(folder: &OwnedFd) -> Result<(), Errno> {
    fsync(openat(folder, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)
}
