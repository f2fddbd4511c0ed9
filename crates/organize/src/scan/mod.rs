//! Scans folders in parallel, without changing anything or following links.
//!
//! A scan reads each folder once and the first bytes of each file, which determine its kind, its date and, for a small
//! file, its whole content. Only files whose size and beginning are equal to another's are read completely.

mod busy;
mod dates;
mod duplicates;
mod kind;
mod near;
mod sniff;
mod twins;
mod walk;

pub(crate) use dates::dates_in;
pub use dates::{DateSource, Dated, Picture, date_in_name, date_of, picture_of, taken_at};
pub(crate) use kind::ending;
pub use kind::{FileKind, is_screenshot, kind_by_name};
pub use near::{Marks, core_of};
pub(crate) use sniff::open_file;
pub use twins::Twin;

use crate::standing::Moment;
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The maximum number of files in a scan.
pub const MOST_FILES: usize = 2_000_000;

/// The maximum number of reasons to store. Further ones are only counted.
const MOST_REASONS: usize = 50;

/// The callbacks that restrict, watch and cancel a scan.
pub struct Watch<'a> {
    /// Returns whether to skip a file or folder, such as a secret. Called on any thread.
    pub passes_by: &'a (dyn Fn(&Path) -> bool + Sync),
    /// Called regularly on any thread.
    pub is_cancelled: &'a (dyn Fn() -> bool + Sync),
    /// Called regularly on any thread.
    pub progress: &'a (dyn Fn(ScanProgress) + Sync),
}

/// The progress of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanProgress {
    /// The current phase.
    pub phase: ScanPhase,
    /// The number of files done.
    pub done: usize,
    /// The total number of files, if known.
    pub total: Option<usize>,
}

/// The phase of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanPhase {
    /// Finding files and reading their beginnings.
    Looking,
    /// Reading possible copies completely.
    Comparing,
}

/// Why a scan failed.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// A folder cannot be read.
    Root {
        /// The folder.
        folder: PathBuf,
        /// The reason.
        reason: Phrase,
    },
    /// A folder is under version control.
    IsProject(PathBuf),
    /// There are too many files.
    TooMany,
    /// The scan took too long.
    TooLong {
        /// The duration, in minutes.
        minutes: u64,
    },
    /// The scan was cancelled.
    Cancelled,
}

impl ScanError {
    /// Returns the message for people.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Root { folder, reason } => say::cannot_scan(folder.display(), reason),
            Self::IsProject(folder) => say::is_project(folder.display()),
            Self::TooMany => say::too_many_files(MOST_FILES as u64),
            Self::TooLong { minutes } => say::scan_took_too_long(*minutes),
            Self::Cancelled => say::scan_stopped(),
        }
    }
}

deputy_messages::said_by_phrase!(ScanError);

/// The index of a file in [`Scan::files`].
pub type FileId = u32;

/// The index of a folder in [`Scan::folders`].
pub type FolderId = u32;

/// The content of some folders.
#[derive(Debug, Default)]
pub struct Scan {
    /// The real paths of the scanned folders.
    pub roots: Vec<PathBuf>,
    /// Every folder that was walked, and every project, sorted by path.
    pub folders: Vec<ScannedFolder>,
    /// Every file outside of projects, sorted by path.
    pub files: Vec<ScannedFile>,
    /// Files with the same content, each group sorted by path.
    pub duplicates: Vec<Vec<FileId>>,
    /// Groups of files whose names differ only in what people and programs add to copies and versions.
    pub near_names: Vec<Vec<FileId>>,
    /// Archives next to the folder that they were extracted to.
    pub twins: Vec<Twin>,
    /// What was left out.
    pub left_out: LeftOut,
}

/// What a scan left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// The number of hidden files and folders, which belong to programs.
    pub hidden: usize,
    /// The number of files and folders that the user's rules exclude. The caller sets it, because only the caller knows
    /// the rules.
    pub closed: usize,
    /// The number of links and special files.
    pub special: usize,
    /// The number of names that are not valid UTF-8, which a plan cannot contain.
    pub unnameable: usize,
    /// The number of files and folders that could not be read.
    pub unreadable: usize,
    /// Some of the unreadable paths, with the reason.
    pub reasons: Vec<(PathBuf, String)>,
}

/// A folder in a scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScannedFolder {
    /// The absolute path.
    pub path: Box<Path>,
    /// Whether it is a project, whose content was not scanned.
    pub is_project: bool,
}

/// A file in a scan.
#[derive(Clone, Debug)]
pub struct ScannedFile {
    /// The folder that contains it.
    pub folder: FolderId,
    /// The name.
    pub name: Box<str>,
    /// The kind, by content and name.
    pub kind: FileKind,
    /// The date, from the content, the name or the modification time, in this order.
    pub dated: Dated,
    /// Whether it is open in a process or was changed within the last minute.
    pub is_busy: bool,
    /// The size in bytes.
    pub size_bytes: u64,
    /// The modification time.
    pub modified: Moment,
    /// Device and inode. Names with the same pair are hard links to one file.
    pub(crate) identity: (u64, u64),
    /// The digest of the beginning, which is the whole content of a small file.
    pub(crate) head: [u8; 32],
    /// Whether most of the file is holes without disk blocks.
    pub(crate) is_sparse: bool,
}

impl Scan {
    /// Returns the absolute path of a file.
    pub fn path(&self, file: FileId) -> PathBuf {
        let file = &self.files[file as usize];
        self.folders[file.folder as usize].path.join(&*file.name)
    }

    /// Returns the names of the files in a folder.
    pub(crate) fn names_in(&self, folder: FolderId) -> impl Iterator<Item = &str> {
        let first = self.files.partition_point(|file| file.folder < folder);
        let files = self.files[first..].iter().take_while(move |file| file.folder == folder);
        files.map(|file| &*file.name)
    }

    /// Returns the innermost scanned folder that contains a path.
    pub fn root_of(&self, path: &Path) -> Option<&Path> {
        let roots = self.roots.iter().filter(|root| path.starts_with(root));
        roots.max_by_key(|root| root.as_os_str().len()).map(PathBuf::as_path)
    }

    /// Finds a folder by path.
    pub fn folder(&self, path: &Path) -> Option<FolderId> {
        let found = self.folders.binary_search_by(|folder| folder.path.as_ref().cmp(path)).ok()?;
        u32::try_from(found).ok()
    }

    /// Finds a file by folder and name.
    pub fn file(&self, folder: FolderId, name: &OsStr) -> Option<FileId> {
        let name = name.to_str()?;
        let found =
            self.files.binary_search_by(|file| (file.folder, &*file.name).cmp(&(folder, name))).ok()?;
        u32::try_from(found).ok()
    }
}

/// Scans folders. Reports what could not be read and continues, unless one of the folders themselves cannot be read.
pub fn scan(folders: &[PathBuf], watch: &Watch<'_>) -> Result<Scan, ScanError> {
    let roots = real_roots(folders)?;
    let mut scan = walk::walk(roots, watch)?;
    busy::mark(&mut scan);
    scan.duplicates = duplicates::find(&scan, watch)?;
    scan.near_names = near::find(&scan.files);
    scan.twins = twins::find(&scan);
    Ok(scan)
}

/// Returns the real paths, sorted, without those inside another.
fn real_roots(folders: &[PathBuf]) -> Result<Vec<PathBuf>, ScanError> {
    let mut roots: Vec<PathBuf> = Vec::new();
    for folder in folders {
        let fail = |reason| ScanError::Root { folder: folder.clone(), reason };
        let real = folder.canonicalize().map_err(|error| fail(error.to_string().into()))?;
        if !real.is_dir() {
            return Err(fail(say::is_not_a_folder()));
        }
        roots.push(real);
    }
    roots.sort();
    let mut outer: Vec<PathBuf> = Vec::new();
    for root in roots {
        if !outer.last().is_some_and(|before| root.starts_with(before)) {
            outer.push(root);
        }
    }
    for root in &outer {
        if [".git", ".hg", ".svn", ".jj"].iter().any(|marker| root.join(marker).symlink_metadata().is_ok()) {
            return Err(ScanError::IsProject(root.clone()));
        }
    }
    Ok(outer)
}
