//! File access by handle. Every path of a call is opened below a folder that the call was given, so that swapping in a
//! link between the decision and the use has no effect.
//!
//! The folders are the workspace and the readable roots. Links below them are followed as long as they stay below. A
//! path outside of all of them was approved by its real path: it is opened from `/` on, component by component, and any
//! link on the way is rejected with the real path as a hint for the next call.

mod error;
mod near;
mod pending;
mod resolve;
mod state;
mod target;

pub(crate) use error::FileError;
pub(crate) use pending::Pending;
pub(crate) use state::{Standing, digest_of, leftover_name, standing_at};
pub(crate) use target::Target;

use crate::text::{own_error, shown};
use crate::tool::{CallContext, Place};
use deputy_messages::tools as say;
use deputy_policy::Situation;
use deputy_policy::path::{Bounds, Operation, OutOfScope, setting_names};
use deputy_policy::rules::Standing as Rule;
use deputy_protocol::Decision;
use resolve::{Links, from_slash, resolve};
use rustix::fs::{CWD, FileType, MemfdFlags, Mode, OFlags, Stat, memfd_create, openat};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{Seek, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

/// Flags to open a folder only for resolving paths below it.
const FOLDER_HANDLE: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
/// Flags to open a file for reading, without waiting for the writer of a pipe or acquiring a controlling terminal.
const READ: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// The folders that a call may reach, and the paths inside them that it may not see or change.
pub(crate) struct Files {
    place: Place,
    roots: Vec<Root>,
    /// The checks for paths that the call does not name but finds.
    bounds: Bounds,
    hidden: HashSet<PathBuf>,
    /// Device and inode of secret files that have several hard links.
    hidden_files: HashSet<(u64, u64)>,
    /// Secrets of which only the names of settings are read.
    masked: HashSet<PathBuf>,
    frozen: HashSet<PathBuf>,
    /// Whether the bounds are the call's own, so that other names may be suggested for a missing one.
    suggests: bool,
}

struct Root {
    path: PathBuf,
    handle: OwnedFd,
}

/// A file or folder found at a path. It is held by a handle and not yet open for reading.
pub(crate) struct Found {
    handle: OwnedFd,
    stat: Stat,
    real: PathBuf,
    given: String,
    /// Whether only the names of its settings are read.
    is_masked: bool,
}

impl Files {
    /// Returns the files that a running call may reach.
    pub(crate) fn of(cx: &CallContext) -> Result<Self, FileError> {
        let files = Self::new(&cx.place, &cx.readable, &cx.hidden, &cx.frozen, Bounds::of(&cx.situation))?;
        Ok(Self { suggests: true, masked: cx.masked.iter().cloned().collect(), ..files })
    }

    /// Returns the files of a workspace whose names a task may see.
    pub(crate) fn for_names(place: &Place, situation: &Situation) -> Result<Self, FileError> {
        Self::new(place, &[], &[], &[], Bounds::of(situation))
    }

    /// Returns the files below a folder that a person chose, except the hidden ones.
    pub(crate) fn of_folder(place: &Place, hidden: &[PathBuf]) -> Result<Self, FileError> {
        Self::new(place, &[], hidden, &[], usual_bounds(place))
    }

    /// Returns the files that facts may read to show a change: the workspace, and paths named by their real path.
    pub(crate) fn preview(place: &Place) -> Result<Self, FileError> {
        Self::new(place, &[], &[], &[], usual_bounds(place))
    }

    fn new(
        place: &Place,
        readable: &[PathBuf],
        hidden: &[PathBuf],
        frozen: &[PathBuf],
        bounds: Bounds,
    ) -> Result<Self, FileError> {
        let workspace = Root {
            handle: openat(CWD, &place.workspace, FOLDER_HANDLE, Mode::empty())
                .map_err(|e| FileError::io(say::cannot_open_workspace, &place.workspace, e))?,
            path: place.workspace.clone(),
        };
        let mut roots = vec![workspace];
        for path in readable {
            // A root that is missing or is a file is reached by its real path, like any other path.
            if let Ok(handle) = openat(CWD, path, FOLDER_HANDLE, Mode::empty()) {
                roots.push(Root { path: path.clone(), handle });
            }
        }
        let hidden = real_paths(hidden);
        let hidden_files = hidden.iter().flat_map(|path| linked_files(path)).collect();
        Ok(Self {
            place: place.clone(),
            roots,
            bounds,
            hidden,
            hidden_files,
            masked: HashSet::new(),
            frozen: real_paths(frozen),
            suggests: false,
        })
    }

    /// Finds what is at a path. Follows links as far as allowed.
    pub(crate) fn find(&self, given: &str) -> Result<Found, FileError> {
        let absolute = self.place.absolute(given);
        let handle = self.handle(given, &absolute).map_err(|error| match error {
            FileError::NotFound { path, twin, .. } if self.suggests => {
                FileError::NotFound { path, twin, near: self.near(&absolute) }
            }
            error => error,
        })?;
        let stat = rustix::fs::fstat(&handle).map_err(|e| FileError::io(say::cannot_look_at, given, e))?;
        let real = real_path(&handle).map_err(|e| FileError::io(say::cannot_find_real_path, given, e))?;
        if self.is_hidden(&real) || self.hidden_files.contains(&(stat.st_dev, stat.st_ino)) {
            return Err(FileError::Hidden { path: shown(given.as_ref()) });
        }
        let kind = FileType::from_raw_mode(stat.st_mode);
        if let Err(scope) = self.in_scope(&real, kind) {
            return Err(FileError::OutOfScope { path: shown(given.as_ref()), scope });
        }
        self.not_denied(given, looking_at(kind), &real)?;
        let is_masked = self.masked.contains(&real);
        Ok(Found { handle, stat, real, given: given.to_owned(), is_masked })
    }

    /// Returns the existing path that a missing one may mean: another name in its folder, with the same rest.
    fn near(&self, missing: &Path) -> Option<PathBuf> {
        let place = missing.ancestors().find(|path| path.parent().is_some_and(Path::is_dir))?;
        let folder = place.parent()?.canonicalize().ok()?;
        self.roots.iter().find(|root| folder.starts_with(&root.path))?;
        let is_open = |real: &Path, kind| !self.is_hidden(real) && !self.is_closed(real, kind, None);
        let found = folder.join(near::name(&folder, place.file_name()?, is_open)?);
        let whole = found.join(missing.strip_prefix(place).ok()?);
        let near = if whole.exists() { whole } else { found };
        Some(near.strip_prefix(&self.place.workspace).map(Path::to_owned).unwrap_or(near))
    }

    /// Returns a handle of `absolute` for resolving and `fstat`, not for reading.
    fn handle(&self, given: &str, absolute: &Path) -> Result<OwnedFd, FileError> {
        if given.is_empty() || given.contains('\0') {
            return Err(FileError::NotAPath { path: shown(given.as_ref()) });
        }
        // `../sibling` is not below the workspace, whatever it begins with.
        let clean = without_parents(absolute);
        let root = self
            .roots
            .iter()
            .filter(|root| clean.starts_with(&root.path))
            .filter_map(|root| Some((root, absolute.strip_prefix(&root.path).ok()?)))
            .max_by_key(|(root, _)| root.path.as_os_str().len());
        let resolved = match root {
            Some((root, below)) => resolve(root.handle.as_fd(), &root.path, below, Links::Below),
            None => from_slash(absolute),
        };
        resolved.map_err(|error| error.named(given, absolute))
    }

    /// Returns whether a real path is a secret or inside one. Checks the list of the call and then policy's current
    /// rules, because the list is limited and may be outdated. Deputy's own folder is in the list, but the task's
    /// temporary files in it are the task's.
    pub(crate) fn is_hidden(&self, real: &Path) -> bool {
        let is_temporary = self.place.temporary.as_ref().is_some_and(|folder| real.starts_with(folder));
        !is_temporary && within(&self.hidden, real) || self.bounds.is_secret(real)
    }

    /// Returns the rule that asked about the start of a walk, which a person approved.
    pub(crate) fn agreed(&self, start: &Path) -> Option<Rule> {
        self.bounds.ruled_out(Operation::List, start)
    }

    /// Returns whether a walk must skip this real path as a secret. Assumes that walks never enter a secret.
    pub(crate) fn is_hidden_entry(&self, real: &Path, kind: FileType) -> bool {
        self.hidden.contains(real) || (kind == FileType::Directory && self.bounds.is_secret(real))
    }

    /// Returns whether the user's rules or the task's scope exclude this real path from a walk. `agreed` is the rule
    /// that a person approved for the start of the walk.
    pub(crate) fn is_closed(&self, real: &Path, kind: FileType, agreed: Option<&Rule>) -> bool {
        self.in_scope(real, kind).is_err()
            || self.bounds.ruled_out(looking_at(kind), real).is_some_and(|rule| agreed != Some(&rule))
    }

    /// Checks that no rule denies a path that a call names. Rules that ask are handled before the call runs.
    fn not_denied(&self, given: &str, operation: Operation, real: &Path) -> Result<(), FileError> {
        match self.bounds.ruled_out(operation, real) {
            Some(rule) if rule.decision == Decision::Deny => {
                Err(FileError::Denied { path: shown(given.as_ref()), rule: rule.reason })
            }
            _ => Ok(()),
        }
    }

    /// Checks that the task's scope covers reading a file or listing a folder.
    fn in_scope(&self, real: &Path, kind: FileType) -> Result<(), OutOfScope> {
        self.bounds.in_scope(looking_at(kind), real)
    }

    /// Opens an entry of a folder during a walk. Does not follow links. Fails if the entry is no longer a regular file,
    /// is a secret, or is a hard link to one.
    pub(crate) fn open_entry(&self, folder: impl AsFd, name: &OsStr, real: &Path) -> std::io::Result<File> {
        if self.bounds.is_secret(real) {
            return Err(own_error(say::is_secret()));
        }
        self.in_scope(real, FileType::RegularFile).map_err(|scope| own_error(scope.reason()))?;
        let file = open_entry(folder, name)?;
        let stat = rustix::fs::fstat(&file)?;
        if self.hidden_files.contains(&(stat.st_dev, stat.st_ino)) {
            return Err(own_error(say::other_name_of_secret()));
        }
        if self.masked.contains(real) {
            return masked(file)?.ok_or_else(|| own_error(say::is_secret()));
        }
        Ok(file)
    }
}

impl Found {
    /// Returns the file type.
    pub(crate) fn kind(&self) -> FileType {
        FileType::from_raw_mode(self.stat.st_mode)
    }

    /// Returns the result of `fstat`.
    pub(crate) fn stat(&self) -> &Stat {
        &self.stat
    }

    /// Returns the real path.
    pub(crate) fn real(&self) -> &Path {
        &self.real
    }

    /// Returns the size in bytes.
    pub(crate) fn size(&self) -> u64 {
        u64::try_from(self.stat.st_size).unwrap_or(0)
    }

    /// Returns the path as given.
    pub(crate) fn given(&self) -> &str {
        &self.given
    }

    /// Opens the file for reading. Refuses anything but a regular file without opening it.
    pub(crate) fn file(&self) -> Result<File, FileError> {
        if self.kind() != FileType::RegularFile {
            return Err(FileError::NotAFile {
                path: shown(self.given.as_ref()),
                kind: kind_name(self.kind()),
            });
        }
        // Reopen the handle instead of the path, so that the file cannot be swapped.
        let again = format!("/proc/self/fd/{}", self.handle.as_raw_fd());
        let file = openat(CWD, again, READ, Mode::empty())
            .map_err(|e| FileError::io(say::cannot_open, self.given.as_str(), e))?;
        let file = File::from(file);
        if !self.is_masked {
            return Ok(file);
        }
        masked(file)
            .map_err(|e| FileError::io(say::cannot_open, self.given.as_str(), e))?
            .ok_or_else(|| FileError::NoNames { path: shown(self.given.as_ref()) })
    }

    /// Returns whether only the names of the file's settings are read.
    pub(crate) fn is_masked(&self) -> bool {
        self.is_masked
    }

    /// Opens the folder for listing.
    pub(crate) fn folder(&self) -> Result<OwnedFd, FileError> {
        if self.kind() != FileType::Directory {
            return Err(FileError::NotAFolder {
                path: shown(self.given.as_ref()),
                kind: kind_name(self.kind()),
            });
        }
        openat(&self.handle, ".", READ | OFlags::DIRECTORY, Mode::empty())
            .map_err(|e| FileError::io(say::cannot_open_folder, self.given.as_str(), e))
    }
}

/// Returns a file in memory that has the settings of a file without their values. `None` if it has anything else.
fn masked(file: File) -> std::io::Result<Option<File>> {
    let Some(names) = setting_names(file) else { return Ok(None) };
    let mut memory = File::from(memfd_create("setting names", MemfdFlags::CLOEXEC)?);
    memory.write_all(names.as_bytes())?;
    memory.rewind()?;
    Ok(Some(memory))
}

/// Returns the bounds without the user's settings. Deputy's own folder is among the hidden paths.
fn usual_bounds(place: &Place) -> Bounds {
    Bounds::of(&Situation::new(place.home.clone(), place.workspace.clone(), PathBuf::new()))
}

/// Returns the operation that reads an entry of this type.
fn looking_at(kind: FileType) -> Operation {
    if kind == FileType::Directory { Operation::List } else { Operation::Read }
}

/// Opens a folder for listing by its real path. Does not follow links.
pub(crate) fn folder_at(path: &Path) -> Result<OwnedFd, FileError> {
    let io = |errno: rustix::io::Errno| FileError::io(say::cannot_open_folder, path, errno);
    let handle = from_slash(path).map_err(|error| error.named(&path.to_string_lossy(), path))?;
    openat(&handle, ".", READ | OFlags::DIRECTORY, Mode::empty()).map_err(io)
}

/// Opens an entry of an open folder. Does not follow links, and fails if the entry is not a regular file.
pub(crate) fn open_entry(folder: impl AsFd, name: &OsStr) -> std::io::Result<File> {
    let handle = openat(folder, name, READ | OFlags::NOFOLLOW, Mode::empty())?;
    let stat = rustix::fs::fstat(&handle)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(own_error(say::no_regular_file_any_more()));
    }
    Ok(File::from(handle))
}

/// Resolves each `..` in the path textually.
fn without_parents(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(clean.pop()),
            other => clean.push(other),
        }
    }
    clean
}

/// Returns the kernel's path of an open handle.
fn real_path(handle: &OwnedFd) -> Result<PathBuf, rustix::io::Errno> {
    use std::os::unix::ffi::OsStringExt;
    let name = rustix::fs::readlink(format!("/proc/self/fd/{}", handle.as_raw_fd()), Vec::new())?;
    Ok(PathBuf::from(std::ffi::OsString::from_vec(name.into_bytes())))
}

/// Returns the paths as given and with links resolved. The real path of a handle can begin with either.
fn real_paths(paths: &[PathBuf]) -> HashSet<PathBuf> {
    let real = paths.iter().filter_map(|path| std::fs::canonicalize(path).ok());
    paths.iter().cloned().chain(real).collect()
}

/// The number of entries of a secret folder that are checked for hard links.
const MOST_LINKED: usize = 1000;

/// Returns device and inode of the files at a secret path, or in that folder, that have other hard links.
fn linked_files(secret: &Path) -> Vec<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let entries = std::fs::read_dir(secret).into_iter().flatten().flatten().take(MOST_LINKED);
    std::iter::once(std::fs::symlink_metadata(secret))
        .chain(entries.map(|entry| entry.metadata()))
        .flatten()
        .filter(|stat| stat.is_file() && stat.nlink() > 1)
        .map(|stat| (stat.dev(), stat.ino()))
        .collect()
}

fn within(set: &HashSet<PathBuf>, real: &Path) -> bool {
    !set.is_empty() && real.ancestors().any(|ancestor| set.contains(ancestor))
}

/// Returns the everyday name of a file type.
pub(crate) fn kind_name(kind: FileType) -> &'static str {
    match kind {
        FileType::RegularFile => "file",
        FileType::Directory => "folder",
        FileType::Symlink => "link",
        FileType::Fifo => "pipe",
        FileType::Socket => "socket",
        FileType::CharacterDevice | FileType::BlockDevice => "device",
        FileType::Unknown => "unknown",
    }
}
