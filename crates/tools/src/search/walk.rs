//! Walks the tree below a folder by handles. Does not follow links or enter excluded folders, and opens every folder below the
//! handle of its parent, so that nothing outside is ever visible even if folders are swapped during the walk.

use super::filter::Filter;
use super::ignores::Ignores;
use crate::budget::Budget;
use crate::files::{FileError, Files, Found};
use deputy_policy::rules::Standing as Rule;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat, openat, statat};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

/// The maximum depth below the start. Deeper folders count as left out. A handle is held for each level.
const DEEPEST: usize = 200;
/// The maximum number of entries that a call visits, which limits time and memory. Further entries count as left out.
const MOST_ENTRIES: u64 = 2_000_000;

/// Flags to open a folder for listing without following a link.
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// What a walk includes.
#[derive(Clone, Copy, Default)]
pub(crate) struct WalkOptions {
    /// Whether to include names that begin with a dot.
    pub(crate) hidden: bool,
    /// Whether to include what ignore files exclude.
    pub(crate) no_ignore: bool,
    /// The maximum depth below the start. `None` for no limit.
    pub(crate) depth: Option<usize>,
}

impl WalkOptions {
    /// Returns the options that a filter asks for.
    pub(crate) fn of(filter: &Filter) -> Self {
        let depth = filter.depth.map(|depth| depth.max(1) as usize);
        Self { hidden: filter.hidden, no_ignore: filter.no_ignore, depth }
    }

    /// Returns the options that a filter or its call asks for.
    pub(crate) fn with(filter: &Filter, hidden: bool, no_ignore: bool) -> Self {
        let own = Self::of(filter);
        Self { hidden: own.hidden || hidden, no_ignore: own.no_ignore || no_ignore, ..own }
    }
}

/// An entry that the walk visits.
pub(crate) struct Entry<'a> {
    files: &'a Files,
    folder: &'a OwnedFd,
    /// The name.
    pub(crate) name: &'a OsStr,
    real: &'a Path,
    /// The path below the start.
    pub(crate) below: &'a Path,
    /// The type of the entry.
    pub(crate) kind: FileType,
    /// The depth below the start, from 1.
    pub(crate) depth: usize,
}

impl Entry<'_> {
    /// Returns the metadata.
    pub(crate) fn stat(&self) -> std::io::Result<Stat> {
        Ok(statat(self.folder, self.name, AtFlags::SYMLINK_NOFOLLOW)?)
    }

    /// Returns the size in bytes.
    pub(crate) fn size(&self) -> std::io::Result<u64> {
        Ok(u64::try_from(self.stat()?.st_size).unwrap_or(0))
    }

    /// Returns the tags that a desktop attached.
    pub(crate) fn tags(&self) -> Vec<String> {
        // A link has no tags, and its target is not read.
        let is_link = self.kind == FileType::Symlink;
        if is_link { Vec::new() } else { deputy_policy::path::tags(self.real) }
    }

    /// Returns whether the folder has no entries, not even hidden ones.
    pub(crate) fn is_empty_folder(&self) -> std::io::Result<bool> {
        let folder = openat(self.folder, self.name, FOLDER, Mode::empty())?;
        for entry in Dir::read_from(&folder)? {
            if !matches!(entry?.file_name().to_bytes(), b"." | b"..") {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Opens a regular file for reading.
    pub(crate) fn open(&self) -> std::io::Result<File> {
        self.files.open_entry(self.folder, self.name, self.real)
    }
}

/// What a walk skipped.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passed {
    /// The number of hidden or ignored entries.
    pub(crate) left_out: u64,
    /// The paths of the first secrets, below the start, and how many more there are. They exist, and are not read.
    pub(crate) protected: Vec<PathBuf>,
    pub(crate) more_protected: u64,
    /// The number of entries that the user's rules or the task's scope exclude.
    pub(crate) closed: u64,
    /// The number of folders and files that could not be read.
    pub(crate) unreadable: u64,
    /// Whether the walk ended early because of a limit.
    pub(crate) is_partial: bool,
    /// Whether the call was cancelled.
    pub(crate) is_cancelled: bool,
}

impl Passed {
    fn protect(&mut self, path: PathBuf) {
        const NAMED: usize = 5;
        if self.protected.len() < NAMED { self.protected.push(path) } else { self.more_protected += 1 }
    }
}

/// Visits everything below `start`: folders before their content, names in byte order.
pub(crate) fn walk(
    files: &Files,
    start: &Found,
    options: WalkOptions,
    budget: &Budget,
    visit: &mut dyn FnMut(&Entry<'_>),
) -> Result<Passed, FileError> {
    let folder = start.folder()?;
    let ignores = match options.no_ignore {
        true => Ignores::none(),
        false => Ignores::above(start.real()),
    };
    let agreed = files.agreed(start.real());
    let mut walk = Walk { files, agreed, options, budget, visit, passed: Passed::default(), seen: 0 };
    walk.folder(&folder, start.real(), Path::new(""), 1, &ignores);
    walk.passed.is_cancelled = budget.is_cancelled();
    Ok(walk.passed)
}

struct Walk<'a> {
    files: &'a Files,
    /// The rule that asked about the start, which a person approved.
    agreed: Option<Rule>,
    options: WalkOptions,
    budget: &'a Budget,
    visit: &'a mut dyn FnMut(&Entry<'_>),
    passed: Passed,
    seen: u64,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &OwnedFd, real: &Path, below: &Path, depth: usize, ignores: &Ignores) {
        let Ok(entries) = entries(folder, MOST_ENTRIES.saturating_sub(self.seen), self.budget) else {
            self.passed.unreadable += 1;
            return;
        };
        let inner;
        let ignores = match self.options.no_ignore {
            true => ignores,
            false => {
                inner =
                    ignores.entering(folder, real, entries.names.iter().map(|(name, _)| name.as_os_str()));
                inner.as_ref().unwrap_or(ignores)
            }
        };
        self.passed.is_partial |= entries.is_partial;
        for (name, kind) in &entries.names {
            if self.budget.is_over() {
                return;
            }
            if self.seen >= MOST_ENTRIES {
                self.passed.is_partial = true;
                return;
            }
            self.seen += 1;
            let path = real.join(name);
            if self.files.is_hidden_entry(&path, *kind) {
                self.passed.protect(below.join(name));
                continue;
            }
            let is_dotted = name.as_encoded_bytes().starts_with(b".");
            let is_folder = *kind == FileType::Directory;
            if (is_dotted && !self.options.hidden) || ignores.leaves_out(real, name, is_folder) {
                self.passed.left_out += 1;
                continue;
            }
            let real = path;
            if self.files.is_closed(&real, *kind, self.agreed.as_ref()) {
                self.passed.closed += 1;
                continue;
            }
            let below = below.join(name);
            (self.visit)(&Entry {
                files: self.files,
                folder,
                name,
                real: &real,
                below: &below,
                kind: *kind,
                depth,
            });
            if is_folder {
                self.enter(folder, name, &real, &below, depth + 1, ignores);
            }
        }
    }

    fn enter(
        &mut self,
        folder: &OwnedFd,
        name: &OsStr,
        real: &Path,
        below: &Path,
        depth: usize,
        ignores: &Ignores,
    ) {
        if self.options.depth.is_some_and(|most| depth > most) {
            return;
        }
        if depth > DEEPEST {
            self.passed.is_partial = true;
            return;
        }
        match openat(folder, name, FOLDER, Mode::empty()) {
            Ok(inner) => self.folder(&inner, real, below, depth, ignores),
            Err(_) => self.passed.unreadable += 1,
        }
    }
}

struct Entries {
    names: Vec<(OsString, FileType)>,
    is_partial: bool,
}

/// Returns at most `most` entries of a folder, in byte order.
fn entries(folder: &OwnedFd, most: u64, budget: &Budget) -> rustix::io::Result<Entries> {
    let mut names = Vec::new();
    let mut is_partial = false;
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name == b"." || name == b".." {
            continue;
        }
        if names.len() as u64 >= most {
            is_partial = true;
            break;
        }
        if budget.is_over() {
            break;
        }
        let name = OsString::from_vec(name.to_vec());
        let kind = match entry.file_type() {
            // Some file systems do not report the type in the listing.
            FileType::Unknown => statat(folder, &name, AtFlags::SYMLINK_NOFOLLOW)
                .map_or(FileType::Unknown, |stat| FileType::from_raw_mode(stat.st_mode)),
            kind => kind,
        };
        names.push((name, kind));
    }
    names.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    Ok(Entries { names, is_partial })
}

/// Returns the path of an entry as shown in results. It starts with the given path, so that calls accept it.
pub(crate) fn path_of(given: &str, below: &Path) -> PathBuf {
    let named = Path::new(given).components().filter(|part| !matches!(part, Component::CurDir));
    named.chain(below.components()).collect()
}
