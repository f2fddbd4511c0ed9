//! Lists everything below some folders by handles. Does not follow links, and visits folders with generated files last.

use super::Ground;
use crate::files::{folder_at, kind_name};
use deputy_policy::path::HEAVY_FOLDERS;
use deputy_protocol::FileTime;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat, openat, readlinkat, statat};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use std::collections::{HashSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The folder in which git stores contents, in thousands of small files.
const GIT_OBJECTS: &str = "objects";
/// The maximum depth. Deeper folders are not listed.
const DEEPEST: usize = 200;

/// Metadata that changes whenever the content, name or mode of a file changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Stamp {
    device: u64,
    inode: u64,
    pub(super) size: u64,
    changed: (i64, i64),
    /// The change time (ctime) in seconds and nanoseconds. The kernel sets it at every change, and programs cannot set
    /// it back.
    pub(super) touched: (i64, i64),
}

impl Stamp {
    /// Returns when the entry was last modified.
    pub(super) fn modified(&self) -> Option<FileTime> {
        Some(FileTime { secs: self.changed.0, nanos: u32::try_from(self.changed.1).ok()? })
    }

    #[allow(
        clippy::useless_conversion,
        clippy::unnecessary_cast,
        reason = "the fields differ between systems"
    )]
    pub(super) fn of(stat: &Stat) -> Self {
        Self {
            device: stat.st_dev as u64,
            inode: stat.st_ino as u64,
            size: u64::try_from(stat.st_size).unwrap_or(0),
            changed: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            touched: (stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        }
    }
}

/// An existing entry.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) path: PathBuf,
    pub(super) kind: Kind,
    pub(super) stamp: Stamp,
    /// The permission bits.
    pub(super) mode: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File {
        is_readable: bool,
    },
    Folder,
    Link {
        target: Vec<u8>,
    },
    /// A pipe, socket or device.
    Special {
        what: &'static str,
    },
    /// A secret. The content of a secret folder is not listed.
    Secret {
        is_folder: bool,
    },
}

/// The entries that were found. A folder comes before its content, except for the folders that are listed first.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) entries: Vec<Entry>,
    /// Folders that were not listed, because the limit was reached or they are unreadable.
    pub(super) unseen: Vec<PathBuf>,
    /// Folders with build output, which were not listed.
    pub(super) output: Vec<PathBuf>,
}

/// Lists what is below the ground's folders, about `most` entries at most, and the folders in `first` before everything
/// else. Does not enter the folders in `skip`, and of build output lists only what is in `first`.
pub(super) fn walk(
    ground: &Ground<'_>,
    most: usize,
    skip: &HashSet<PathBuf>,
    first: &[PathBuf],
    is_output: &dyn Fn(&Path) -> bool,
) -> Found {
    let (found, later, listed) = (Found::default(), VecDeque::new(), HashSet::new());
    let mut walk = Walk { ground, most, skip, is_output, found, later, listed };
    for folder in first {
        walk.first(folder);
    }
    for root in outermost(&ground.roots) {
        walk.root(&root);
    }
    while let Some(folder) = walk.later.pop_front() {
        match folder_at(&folder) {
            Ok(handle) => walk.inside(&handle, &folder, true, 1),
            Err(_) => walk.found.unseen.push(folder),
        }
    }
    walk.without_lost()
}

/// Returns the roots without those inside another root, sorted.
pub fn outermost(roots: &[PathBuf]) -> Vec<PathBuf> {
    let mut roots = roots.to_vec();
    roots.sort();
    roots.dedup_by(|inner, outer| inner.starts_with(outer));
    roots
}

struct Walk<'a> {
    ground: &'a Ground<'a>,
    most: usize,
    skip: &'a HashSet<PathBuf>,
    /// Returns whether a folder contains only build output.
    is_output: &'a dyn Fn(&Path) -> bool,
    found: Found,
    /// Folders with generated files, to be listed after everything else.
    later: VecDeque<PathBuf>,
    /// The folders that were listed first.
    listed: HashSet<PathBuf>,
}

impl Walk<'_> {
    /// Lists a folder before everything else, if it is inside the ground and not in a secret folder.
    fn first(&mut self, folder: &Path) {
        let Some(root) = self.ground.roots.iter().find(|root| folder.starts_with(root)) else { return };
        let between = || folder.ancestors().take_while(|part| part != root);
        if folder == root || between().any(|part| (self.ground.is_secret)(part)) {
            return;
        }
        // The folders around it are not listed, so it is recorded itself.
        if between().skip(1).any(self.is_output)
            && let (Some(parent), Some(name)) = (folder.parent(), folder.file_name())
            && let Ok(parent) = folder_at(parent)
        {
            self.entry(&parent, name, folder.to_owned());
        }
        if let Ok(handle) = folder_at(folder) {
            self.inside(&handle, folder, false, 1);
            self.listed.insert(folder.to_owned());
        }
    }

    /// Returns what was found. What was listed first is left out if a folder above it was not listed: it would look as if
    /// it were gone later.
    fn without_lost(self) -> Found {
        let Self { mut found, listed, .. } = self;
        let is_lost = |folder: &PathBuf| {
            found.unseen.iter().any(|unseen| folder != unseen && folder.starts_with(unseen))
        };
        let lost: Vec<PathBuf> = listed.into_iter().filter(is_lost).collect();
        found.entries.retain(|entry| !lost.iter().any(|folder| entry.path.starts_with(folder)));
        found
    }

    fn root(&mut self, root: &Path) {
        let (Some(parent), Some(name)) = (root.parent(), root.file_name()) else {
            self.found.unseen.push(root.to_owned());
            return;
        };
        match (folder_at(root), folder_at(parent)) {
            (Ok(folder), _) => self.inside(&folder, root, false, 1),
            // A root that is a single file.
            (Err(_), Ok(parent)) => drop(self.entry(&parent, name, root.to_owned())),
            _ => self.found.unseen.push(root.to_owned()),
        }
    }

    fn inside(&mut self, folder: &OwnedFd, path: &Path, is_heavy: bool, depth: usize) {
        if self.found.entries.len() >= self.most || depth > DEEPEST || self.skip.contains(path) {
            self.found.unseen.push(path.to_owned());
            return;
        }
        let Ok(names) = names(folder) else {
            self.found.unseen.push(path.to_owned());
            return;
        };
        let start = self.found.entries.len();
        for name in names {
            if self.found.entries.len() >= self.most.saturating_mul(2) {
                // A partial listing would be useless, so skip the whole folder.
                self.found.entries.truncate(start);
                self.found.unseen.retain(|unseen| !unseen.starts_with(path));
                self.found.output.retain(|output| !output.starts_with(path));
                self.later.retain(|later| !later.starts_with(path));
                self.found.unseen.push(path.to_owned());
                return;
            }
            let below = path.join(&name);
            if self.entry(folder, &name, below.clone()) != Some(FileType::Directory)
                || self.listed.contains(&below)
            {
                continue;
            }
            if (self.is_output)(&below) {
                self.found.entries.pop();
                self.found.output.push(below);
                continue;
            }
            // Files that tools can generate or download again come last, so that they never displace a person's own
            // files.
            let is_known_heavy =
                || HEAVY_FOLDERS.iter().chain([&GIT_OBJECTS]).any(|heavy| OsStr::new(heavy) == name);
            if !is_heavy && is_known_heavy() {
                self.later.push_back(below);
                continue;
            }
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            match openat(folder, &name, flags, Mode::empty()) {
                Ok(inner) => self.inside(&inner, &below, is_heavy, depth + 1),
                Err(Errno::NOENT) => {}
                Err(_) => self.found.unseen.push(below),
            }
        }
    }

    /// Records an entry. Returns `Some(Directory)` if the caller should enter it.
    fn entry(&mut self, folder: &OwnedFd, name: &OsStr, path: PathBuf) -> Option<FileType> {
        // Ignore an entry that was deleted after it was listed.
        let stat = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        let file_type = FileType::from_raw_mode(stat.st_mode);
        let is_secret = (self.ground.is_secret)(&path);
        let kind = match file_type {
            _ if is_secret => Kind::Secret { is_folder: file_type == FileType::Directory },
            FileType::RegularFile => Kind::File { is_readable: is_readable(folder, name) },
            FileType::Directory => Kind::Folder,
            FileType::Symlink => {
                Kind::Link { target: readlinkat(folder, name, Vec::new()).ok()?.into_bytes() }
            }
            special => Kind::Special { what: kind_name(special) },
        };
        let mode = stat.st_mode & 0o7777;
        self.found.entries.push(Entry { path, kind, stamp: Stamp::of(&stat), mode });
        (!is_secret).then_some(file_type)
    }
}

fn is_readable(folder: &OwnedFd, name: &OsStr) -> bool {
    rustix::fs::accessat(folder, name, rustix::fs::Access::READ_OK, AtFlags::EACCESS).is_ok()
}

/// Returns the names in a folder, in byte order.
fn names(folder: &OwnedFd) -> rustix::io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            names.push(OsString::from_vec(name.to_vec()));
        }
    }
    names.sort_unstable_by(|a, b| a.as_bytes().cmp(b.as_bytes()));
    Ok(names)
}
