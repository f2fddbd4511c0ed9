//! What was there before a command ran: the list itself, and keeping the contents that it names.

use super::Ground;
use super::survey::Survey;
use super::walk::{Entry, Kind, Stamp};
use crate::files::{FileError, folder_at, open_entry};
use crate::keeper::KeepError;
use deputy_messages::tools as say;
use deputy_protocol::{CallId, Digest, FileState, KeptFile, KeptFolder, KeptLink};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Where contents are kept.
pub trait Contents: Send + Sync {
    /// Keeps what an open file holds. Durable only after [`Contents::sync`].
    fn keep(&self, file: &File) -> Result<KeptFile, KeepError>;

    /// Whether this content is kept.
    fn holds(&self, digest: &Digest) -> bool;

    /// Makes everything that was kept durable.
    fn sync(&self) -> Result<(), KeepError>;
}

/// Contents that were kept before, by the stamp of their file: an unchanged file is not read again.
#[derive(Default)]
pub struct KnownFiles(Mutex<HashMap<Stamp, Digest>>);

/// This many files are remembered; more start anew.
const MOST_KNOWN: usize = 200_000;
/// A file that was changed less than this ago could be changed again without a sign: clocks of file systems are coarse.
const SETTLES_AFTER: Duration = Duration::from_secs(2);

impl KnownFiles {
    fn get(&self, stamp: &Stamp) -> Option<Digest> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(stamp).cloned()
    }

    /// `looked` is a time before the file was read.
    fn note(&self, stamp: Stamp, looked: SystemTime, digest: &Digest) {
        if !has_settled(&stamp, looked) {
            return;
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(stamp, digest.clone());
    }
}

/// Whether an equal stamp later on means an equal content.
fn has_settled(stamp: &Stamp, looked: SystemTime) -> bool {
    let touched = u64::try_from(stamp.touched.0).ok().map(|secs| UNIX_EPOCH + Duration::from_secs(secs + 1));
    touched.is_some_and(|touched| touched + SETTLES_AFTER <= looked)
}

/// What was below some folders.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// Makes each manifest a blob of its own, so that dropping one takes nothing from another call.
    call: CallId,
    pub(super) roots: Vec<PathBuf>,
    pub(super) kept: Vec<KeptEntry>,
    /// What was there and is not kept, lossy where a name is not valid UTF-8.
    pub(super) left: Vec<(String, Stamp)>,
    /// Folders that were not looked into; nothing in them is known.
    pub(super) unseen: Vec<PathBuf>,
}

/// One thing that is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct KeptEntry {
    pub(super) path: String,
    pub(super) state: FileState,
    pub(super) stamp: Stamp,
    /// Whether an equal stamp means an equal content.
    pub(super) has_settled: bool,
}

impl Manifest {
    /// As a blob.
    pub fn to_bytes(&self) -> Result<Vec<u8>, KeepError> {
        serde_json::to_vec(self).map_err(manifest_error)
    }

    /// From a blob.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KeepError> {
        serde_json::from_slice(bytes).map_err(manifest_error)
    }

    /// How many files are kept, and their size together.
    pub fn size(&self) -> (u64, u64) {
        let files = self.kept.iter().filter_map(|entry| match &entry.state {
            FileState::File(file) => Some(file.size_bytes),
            _ => None,
        });
        files.fold((0, 0), |(files, bytes), size| (files + 1, bytes + size))
    }
}

fn manifest_error(error: impl std::fmt::Display) -> KeepError {
    KeepError::Blob { digest: "of a list of files".to_owned(), reason: error.to_string().into() }
}

/// Looks at the folders and keeps what is in them. Durable when it returns. Blocks while it reads.
pub fn keep(
    call: &CallId,
    ground: &Ground<'_>,
    survey: Survey,
    contents: &dyn Contents,
    known: &KnownFiles,
) -> Result<Manifest, KeepError> {
    let looked = SystemTime::now();
    let mut keeping = Keeping { contents, known, looked, folder: None, has_new: false };
    let mut manifest = Manifest {
        call: call.clone(),
        roots: ground.roots.clone(),
        kept: Vec::with_capacity(survey.kept.len()),
        left: Vec::new(),
        unseen: survey.unseen,
    };
    for entry in survey.kept {
        match keeping.state(&entry) {
            Ok(Some(state)) => manifest.kept.push(KeptEntry {
                has_settled: has_settled(&entry.stamp, looked),
                stamp: entry.stamp,
                path: entry.path.to_string_lossy().into_owned(),
                state,
            }),
            Ok(None) => manifest.left.push((entry.path.to_string_lossy().into_owned(), entry.stamp)),
            Err(error) => return Err(error),
        }
    }
    for entry in survey.left.into_iter().map(|left| left.entry).chain(survey.secrets) {
        if entry.kind == (Kind::Secret { is_folder: true }) {
            manifest.unseen.push(entry.path.clone());
        }
        manifest.left.push((entry.path.to_string_lossy().into_owned(), entry.stamp));
    }
    if keeping.has_new {
        contents.sync()?;
    }
    Ok(manifest)
}

struct Keeping<'a> {
    contents: &'a dyn Contents,
    known: &'a KnownFiles,
    looked: SystemTime,
    /// The folder of the last file: most files have it in common with the one before.
    folder: Option<(PathBuf, OwnedFd)>,
    has_new: bool,
}

impl Keeping<'_> {
    /// What is there, its content kept; `None` where it cannot be read or is gone, which is then not kept.
    fn state(&mut self, entry: &Entry) -> Result<Option<FileState>, KeepError> {
        Ok(Some(match &entry.kind {
            Kind::Folder => FileState::Folder(KeptFolder { mode: Some(entry.mode) }),
            Kind::Link { target } => {
                FileState::Link(KeptLink { target: String::from_utf8_lossy(target).into_owned() })
            }
            Kind::File { .. } => match self.file(entry)? {
                Some(file) => FileState::File(file),
                None => return Ok(None),
            },
            Kind::Special { .. } | Kind::Secret { .. } => return Ok(None),
        }))
    }

    fn file(&mut self, entry: &Entry) -> Result<Option<KeptFile>, KeepError> {
        let known = self.known.get(&entry.stamp).filter(|digest| self.contents.holds(digest));
        if let Some(digest) = known {
            return Ok(Some(KeptFile { digest, size_bytes: entry.stamp.size, mode: entry.mode }));
        }
        let Ok(file) = self.open(&entry.path) else { return Ok(None) };
        // It may be another one by now, and may change while it is read; then it is not kept, and said to be so.
        let stamp = |file: &File| rustix::fs::fstat(file).map(|stat| Stamp::of(&stat)).ok();
        if stamp(&file) != Some(entry.stamp) {
            return Ok(None);
        }
        let kept = self.contents.keep(&file)?;
        self.has_new = true;
        if stamp(&file) != Some(entry.stamp) {
            return Ok(None);
        }
        self.known.note(entry.stamp, self.looked, &kept.digest);
        Ok(Some(KeptFile { mode: entry.mode, ..kept }))
    }

    fn open(&mut self, path: &Path) -> Result<File, FileError> {
        open_below(&mut self.folder, path)
    }
}

/// Opens a file by the handle of its folder, which is kept for the next one.
pub(super) fn open_below(last: &mut Option<(PathBuf, OwnedFd)>, path: &Path) -> Result<File, FileError> {
    let io = |error| FileError::io(say::cannot_open, path, error);
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(FileError::NotAPath { path: path.display().to_string() });
    };
    if last.as_ref().is_none_or(|(folder, _)| folder != parent) {
        *last = Some((parent.to_owned(), folder_at(parent)?));
    }
    match last {
        Some((_, folder)) => open_entry(folder, name).map_err(io),
        None => Err(io(std::io::ErrorKind::NotFound.into())),
    }
}
