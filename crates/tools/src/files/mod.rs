//! Files by handle: every path of a call is opened below a folder that the call was given, so that a link swapped
//! between the decision and the use gains nothing.
//!
//! The folders are the workspace and the readable roots. Below them links are followed as long as they stay
//! below. A path outside of all of them was approved by its real path: it is opened from `/` on, component by
//! component, and any link on the way is refused with the real path as the hint for the next call.

mod error;
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
use deputy_policy::path::{Operation, OutOfScope, in_scope, is_secret};
use deputy_protocol::Scope;
use resolve::{Links, from_slash, resolve};
use rustix::fs::{CWD, FileType, Mode, OFlags, Stat, openat};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

/// Opens a folder only to resolve below it.
const FOLDER_HANDLE: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
/// Opens a file to read: never waits for a writer of a pipe, never becomes the owner of a terminal.
const READ: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// The folders a call may reach, and what it may not see or change inside of them.
pub(crate) struct Files {
    place: Place,
    roots: Vec<Root>,
    /// What policy tells a secret by.
    situation: Situation,
    hidden: HashSet<PathBuf>,
    /// The secret files that have more names than one.
    hidden_files: HashSet<(u64, u64)>,
    frozen: HashSet<PathBuf>,
}

struct Root {
    path: PathBuf,
    handle: OwnedFd,
}

/// Something that is at a path, held by its handle; not opened for reading yet.
pub(crate) struct Found {
    handle: OwnedFd,
    stat: Stat,
    real: PathBuf,
    given: String,
}

impl Files {
    /// The files that a running call may reach.
    pub(crate) fn of(cx: &CallContext) -> Result<Self, FileError> {
        Self::new(&cx.place, &cx.readable, &cx.hidden, &cx.frozen, &cx.scope)
    }

    /// The files below a folder that a person named, but for what is hidden.
    pub(crate) fn of_folder(place: &Place, hidden: &[PathBuf]) -> Result<Self, FileError> {
        Self::new(place, &[], hidden, &[], &Scope::default())
    }

    /// The files that facts look at to show a change: the workspace, and what is named by its real path.
    pub(crate) fn preview(place: &Place) -> Result<Self, FileError> {
        Self::new(place, &[], &[], &[], &Scope::default())
    }

    fn new(
        place: &Place,
        readable: &[PathBuf],
        hidden: &[PathBuf],
        frozen: &[PathBuf],
        scope: &Scope,
    ) -> Result<Self, FileError> {
        let workspace = Root {
            handle: openat(CWD, &place.workspace, FOLDER_HANDLE, Mode::empty())
                .map_err(|e| FileError::io(say::cannot_open_workspace, &place.workspace, e))?,
            path: place.workspace.clone(),
        };
        let mut roots = vec![workspace];
        for path in readable {
            // A root that does not exist, or is a file, is reached like any other path: by its real path.
            if let Ok(handle) = openat(CWD, path, FOLDER_HANDLE, Mode::empty()) {
                roots.push(Root { path: path.clone(), handle });
            }
        }
        let hidden = real_paths(hidden);
        let hidden_files = hidden.iter().flat_map(|path| linked_files(path)).collect();
        let situation = Situation { scope: scope.clone(), ..situation(place, readable) };
        Ok(Self { place: place.clone(), roots, situation, hidden, hidden_files, frozen: real_paths(frozen) })
    }

    /// What is at a path, links followed as far as they may be.
    pub(crate) fn find(&self, given: &str) -> Result<Found, FileError> {
        let handle = self.handle(given, &self.place.absolute(given))?;
        let stat = rustix::fs::fstat(&handle).map_err(|e| FileError::io(say::cannot_look_at, given, e))?;
        let real = real_path(&handle).map_err(|e| FileError::io(say::cannot_find_real_path, given, e))?;
        if self.is_hidden(&real) || self.hidden_files.contains(&(stat.st_dev, stat.st_ino)) {
            return Err(FileError::Hidden { path: shown(given.as_ref()) });
        }
        if let Err(scope) = self.in_scope(&real, FileType::from_raw_mode(stat.st_mode)) {
            return Err(FileError::OutOfScope { path: shown(given.as_ref()), scope });
        }
        Ok(Found { handle, stat, real, given: given.to_owned() })
    }

    /// A handle of `absolute` that is good for resolving and looking at, not for reading.
    fn handle(&self, given: &str, absolute: &Path) -> Result<OwnedFd, FileError> {
        if given.is_empty() || given.contains('\0') {
            return Err(FileError::NotAPath { path: shown(given.as_ref()) });
        }
        // `../sibling` is not a path below the workspace, however it begins.
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

    /// Whether a real path is a secret or is inside of one: by the list the call was given, or, as that list is
    /// bounded and a moment old, by what policy takes for a secret now.
    pub(crate) fn is_hidden(&self, real: &Path) -> bool {
        within(&self.hidden, real) || is_secret(&self.situation, real)
    }

    /// Whether a walk, which never enters a secret, is to leave out this real path.
    pub(crate) fn is_hidden_entry(&self, real: &Path, kind: FileType) -> bool {
        self.hidden.contains(real)
            || (kind == FileType::Directory && is_secret(&self.situation, real))
            || self.in_scope(real, kind).is_err()
    }

    /// Whether the task's scope covers reading a file, or listing a folder.
    fn in_scope(&self, real: &Path, kind: FileType) -> Result<(), OutOfScope> {
        let operation = match kind {
            FileType::Directory => Operation::List,
            _ => Operation::Read,
        };
        in_scope(&self.situation, operation, real)
    }

    /// Opens an entry of a folder that is being walked. A link is not followed; what is not a regular file any more, is
    /// a secret or another name of one, is left alone.
    pub(crate) fn open_entry(&self, folder: impl AsFd, name: &OsStr, real: &Path) -> std::io::Result<File> {
        if is_secret(&self.situation, real) {
            return Err(own_error(say::is_secret()));
        }
        self.in_scope(real, FileType::RegularFile).map_err(|scope| own_error(scope.reason()))?;
        let file = open_entry(folder, name)?;
        let stat = rustix::fs::fstat(&file)?;
        if self.hidden_files.contains(&(stat.st_dev, stat.st_ino)) {
            return Err(own_error(say::other_name_of_secret()));
        }
        Ok(file)
    }
}

impl Found {
    /// What it is.
    pub(crate) fn kind(&self) -> FileType {
        FileType::from_raw_mode(self.stat.st_mode)
    }

    /// What the file system says of it.
    pub(crate) fn stat(&self) -> &Stat {
        &self.stat
    }

    /// Its real path.
    pub(crate) fn real(&self) -> &Path {
        &self.real
    }

    /// Its size in bytes.
    pub(crate) fn size(&self) -> u64 {
        u64::try_from(self.stat.st_size).unwrap_or(0)
    }

    /// The path as it was given.
    pub(crate) fn given(&self) -> &str {
        &self.given
    }

    /// Opens it for reading; anything but a regular file is refused without being opened.
    pub(crate) fn file(&self) -> Result<File, FileError> {
        if self.kind() != FileType::RegularFile {
            return Err(FileError::NotAFile {
                path: shown(self.given.as_ref()),
                kind: kind_name(self.kind()),
            });
        }
        // The handle itself is opened anew, not its path: nothing can come between.
        let again = format!("/proc/self/fd/{}", self.handle.as_raw_fd());
        let file = openat(CWD, again, READ, Mode::empty())
            .map_err(|e| FileError::io(say::cannot_open, self.given.as_str(), e))?;
        Ok(File::from(file))
    }

    /// Opens it for listing.
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

/// What policy needs to know to tell a secret by its path.
fn situation(place: &Place, readable: &[PathBuf]) -> Situation {
    Situation {
        roots: readable.to_vec(),
        // Deputy's own folder is among the hidden paths of every call.
        ..Situation::new(place.home.clone(), place.workspace.clone(), PathBuf::new())
    }
}

/// Opens a folder by its real path for listing; no link on the way is followed.
pub(crate) fn folder_at(path: &Path) -> Result<OwnedFd, FileError> {
    let io = |errno: rustix::io::Errno| FileError::io(say::cannot_open_folder, path, errno);
    let handle = from_slash(path).map_err(|error| error.named(&path.to_string_lossy(), path))?;
    openat(&handle, ".", READ | OFlags::DIRECTORY, Mode::empty()).map_err(io)
}

/// Opens an entry of a folder by its handle. A link is not followed, and what is not a regular file is left alone.
pub(crate) fn open_entry(folder: impl AsFd, name: &OsStr) -> std::io::Result<File> {
    let handle = openat(folder, name, READ | OFlags::NOFOLLOW, Mode::empty())?;
    let stat = rustix::fs::fstat(&handle)?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(own_error(say::no_regular_file_any_more()));
    }
    Ok(File::from(handle))
}

/// The path with each `..` taken as text.
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

/// The kernel's own name of what a handle holds.
fn real_path(handle: &OwnedFd) -> Result<PathBuf, rustix::io::Errno> {
    use std::os::unix::ffi::OsStringExt;
    let name = rustix::fs::readlink(format!("/proc/self/fd/{}", handle.as_raw_fd()), Vec::new())?;
    Ok(PathBuf::from(std::ffi::OsString::from_vec(name.into_bytes())))
}

/// The paths as given and with links resolved: either may be what a handle's real path begins with.
fn real_paths(paths: &[PathBuf]) -> HashSet<PathBuf> {
    let real = paths.iter().filter_map(|path| std::fs::canonicalize(path).ok());
    paths.iter().cloned().chain(real).collect()
}

/// How many entries of a secret folder are looked at for files with more names than one.
const MOST_LINKED: usize = 1000;

/// The files at a secret path, or in that folder, that other names could lead to.
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

/// What people call a kind of file.
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
