//! What is in some folders: walked in parallel, nothing changed, no link followed.
//!
//! A walk reads each folder once and of each file its first bytes, which tell its kind, its date and, of a small file,
//! its whole content. Only files whose size and beginning are another's, too, are read to their end.

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

/// Files in one scan, at most.
pub const MOST_FILES: usize = 2_000_000;

/// Reasons that are kept one by one; more of them are only counted.
const MOST_REASONS: usize = 50;

/// How a scan is bounded, watched and stopped.
pub struct Watch<'a> {
    /// Which files and folders it passes by, such as secrets; asked on any thread.
    pub passes_by: &'a (dyn Fn(&Path) -> bool + Sync),
    /// Asked now and then, on any thread.
    pub is_cancelled: &'a (dyn Fn() -> bool + Sync),
    /// Called now and then, on any thread.
    pub progress: &'a (dyn Fn(ScanProgress) + Sync),
}

/// How far a scan got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanProgress {
    /// What it is doing.
    pub phase: ScanPhase,
    /// Files behind it.
    pub done: usize,
    /// Files altogether, where that is known.
    pub total: Option<usize>,
}

/// What a scan is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanPhase {
    /// Finding and looking into files.
    Looking,
    /// Reading files to their end that may be copies.
    Comparing,
}

/// Why a scan could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// A folder cannot be read.
    Root {
        /// Which.
        folder: PathBuf,
        /// Why.
        reason: Phrase,
    },
    /// A folder is under version control.
    IsProject(PathBuf),
    /// There is too much.
    TooMany,
    /// It took too long.
    TooLong {
        /// How long it took.
        minutes: u64,
    },
    /// It was asked to stop.
    Cancelled,
}

impl ScanError {
    /// What it says to people.
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

/// A file's place in [`Scan::files`].
pub type FileId = u32;

/// A folder's place in [`Scan::folders`].
pub type FolderId = u32;

/// What is in some folders.
#[derive(Debug, Default)]
pub struct Scan {
    /// Real paths of the folders that were asked for.
    pub roots: Vec<PathBuf>,
    /// Every folder that was walked, and every project, sorted by path.
    pub folders: Vec<ScannedFolder>,
    /// Every file outside of projects, sorted by path.
    pub files: Vec<ScannedFile>,
    /// Files with the same content, each group sorted by path.
    pub duplicates: Vec<Vec<FileId>>,
    /// Files whose names differ only in what people and programs add to copies and versions.
    pub near_names: Vec<Vec<FileId>>,
    /// Archives alongside the folder that they were extracted to.
    pub twins: Vec<Twin>,
    /// What was left out.
    pub left_out: LeftOut,
}

/// What a scan left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Hidden files and folders, which belong to programs.
    pub hidden: usize,
    /// Links and special files.
    pub special: usize,
    /// Names that are not valid UTF-8, which a plan cannot name.
    pub unnameable: usize,
    /// Files and folders that could not be read.
    pub unreadable: usize,
    /// Some of those, with the reason.
    pub reasons: Vec<(PathBuf, String)>,
}

/// A folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScannedFolder {
    /// Its absolute path.
    pub path: Box<Path>,
    /// Whether it is somebody's project, whose content was not looked at.
    pub is_project: bool,
}

/// A file.
#[derive(Clone, Debug)]
pub struct ScannedFile {
    /// The folder it is in.
    pub folder: FolderId,
    /// Its name.
    pub name: Box<str>,
    /// Its kind, by content and name.
    pub kind: FileKind,
    /// Its date, by the first of its content, its name and its own time that tells one.
    pub dated: Dated,
    /// Whether somebody has it open, or changed it within the last minute.
    pub is_busy: bool,
    /// Size in bytes.
    pub size_bytes: u64,
    /// When it last changed.
    pub modified: Moment,
    /// Device and inode: names with the same pair are one file.
    pub(crate) identity: (u64, u64),
    /// Digest of its beginning, which of a small file is everything.
    pub(crate) head: [u8; 32],
    /// Whether most of it is not on the disk at all.
    pub(crate) is_sparse: bool,
}

impl Scan {
    /// A file's absolute path.
    pub fn path(&self, file: FileId) -> PathBuf {
        let file = &self.files[file as usize];
        self.folders[file.folder as usize].path.join(&*file.name)
    }

    /// The one of the scanned folders that a path is in; of several the innermost.
    pub fn root_of(&self, path: &Path) -> Option<&Path> {
        let roots = self.roots.iter().filter(|root| path.starts_with(root));
        roots.max_by_key(|root| root.as_os_str().len()).map(PathBuf::as_path)
    }

    /// A folder by its path.
    pub fn folder(&self, path: &Path) -> Option<FolderId> {
        let found = self.folders.binary_search_by(|folder| folder.path.as_ref().cmp(path)).ok()?;
        u32::try_from(found).ok()
    }

    /// A file by its folder and name.
    pub fn file(&self, folder: FolderId, name: &OsStr) -> Option<FileId> {
        let name = name.to_str()?;
        let found =
            self.files.binary_search_by(|file| (file.folder, &*file.name).cmp(&(folder, name))).ok()?;
        u32::try_from(found).ok()
    }
}

/// Scans folders. Names what could not be read instead of giving up, except where a folder itself cannot be.
pub fn scan(folders: &[PathBuf], watch: &Watch<'_>) -> Result<Scan, ScanError> {
    let roots = real_roots(folders)?;
    let mut scan = walk::walk(roots, watch)?;
    busy::mark(&mut scan);
    scan.duplicates = duplicates::find(&scan, watch)?;
    scan.near_names = near::find(&scan.files);
    scan.twins = twins::find(&scan);
    Ok(scan)
}

/// Real paths, sorted, without those that lie in another.
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
