//! Manifests: lists of what existed before a command ran. Also stores the contents that a manifest refers to.

use super::survey::Survey;
use super::walk::{Entry, Kind, Stamp};
use super::{BuildOutput, Ground};
use crate::files::{FileError, folder_at, open_entry};
use crate::keeper::KeepError;
use deputy_messages::tools as say;
use deputy_protocol::{CallId, Digest, FileState, FileTime, KeptFile, KeptFolder, KeptLink};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The storage of contents.
pub trait Contents: Send + Sync {
    /// Stores the content of an open file. It is durable only after [`Contents::sync`].
    fn keep(&self, file: &File) -> Result<KeptFile, KeepError>;

    /// Returns whether this content is stored.
    fn holds(&self, file: &KeptFile) -> bool;

    /// Makes everything that was stored durable.
    fn sync(&self) -> Result<(), KeepError>;
}

/// Contents that were stored before, by the stamp of their file, so that an unchanged file is not read again.
#[derive(Default)]
pub struct KnownFiles(Mutex<HashMap<Stamp, Digest>>);

/// The maximum number of remembered files. When it is exceeded, the map is cleared.
const MOST_KNOWN: usize = 200_000;
/// The age from which a change is settled. A file that changed more recently could change again with the same stamp,
/// because file system clocks are coarse.
const SETTLES_AFTER: Duration = Duration::from_secs(2);

impl KnownFiles {
    fn get(&self, stamp: &Stamp) -> Option<Digest> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(stamp).cloned()
    }

    /// Remembers the digest of a file. `looked` is a time before the file was read.
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

/// Returns whether an equal stamp later on implies equal content.
fn has_settled(stamp: &Stamp, looked: SystemTime) -> bool {
    let touched = u64::try_from(stamp.touched.0).ok().map(|secs| UNIX_EPOCH + Duration::from_secs(secs + 1));
    touched.is_some_and(|touched| touched + SETTLES_AFTER <= looked)
}

/// What existed below some folders. Fields with a default are absent in the manifests of older versions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// Makes the blob of each manifest unique, so that deleting one does not affect another call.
    call: CallId,
    pub(super) roots: Vec<PathBuf>,
    pub(super) kept: Vec<KeptEntry>,
    /// What existed and was not stored. Paths are lossy if a name is not valid UTF-8.
    pub(super) left: Vec<(String, Stamp)>,
    /// Folders that were not listed. Nothing inside them is known.
    pub(super) unseen: Vec<PathBuf>,
    /// When the folders were listed, in milliseconds since 1970.
    #[serde(default)]
    pub(super) looked_ms: u64,
    /// What is build output.
    #[serde(default)]
    pub(super) build_output: BuildOutput,
    /// The folders with build output that existed.
    #[serde(default)]
    pub(super) output: Vec<PathBuf>,
    /// Whether the command could change nothing outside of the roots.
    #[serde(default)]
    pub(super) is_walled: bool,
    /// What the command names, which is compared also if it is build output.
    #[serde(default)]
    pub(super) named: Vec<PathBuf>,
}

/// An entry whose state is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct KeptEntry {
    pub(super) path: String,
    pub(super) state: FileState,
    pub(super) stamp: Stamp,
    /// Whether an equal stamp implies equal content.
    pub(super) has_settled: bool,
}

impl KeptEntry {
    /// Returns when a regular file was last modified.
    pub(super) fn modified(&self) -> Option<FileTime> {
        matches!(self.state, FileState::File(_)).then(|| self.stamp.modified())?
    }
}

impl Manifest {
    /// Serializes the manifest to a blob.
    pub fn to_bytes(&self) -> Result<Vec<u8>, KeepError> {
        serde_json::to_vec(self).map_err(manifest_error)
    }

    /// Reads a manifest from a blob.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KeepError> {
        serde_json::from_slice(bytes).map_err(manifest_error)
    }

    /// Returns the number of stored files and their total size in bytes.
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

/// Lists the folders and stores their content. The result is durable when this returns. Blocks while it reads.
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
        looked_ms: millis(looked),
        build_output: ground.output.clone(),
        output: survey.output,
        is_walled: ground.is_walled,
        named: survey.first,
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

/// Returns a time in milliseconds since 1970.
pub(super) fn millis(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

struct Keeping<'a> {
    contents: &'a dyn Contents,
    known: &'a KnownFiles,
    looked: SystemTime,
    /// The folder of the last file. Consecutive files are mostly in the same folder.
    folder: Option<(PathBuf, OwnedFd)>,
    has_new: bool,
}

impl Keeping<'_> {
    /// Stores the content of an entry and returns its state. `None` if the entry is gone or cannot be read; it is then
    /// not stored.
    fn state(&mut self, entry: &Entry) -> Result<Option<FileState>, KeepError> {
        Ok(Some(match &entry.kind {
            Kind::Folder => FileState::Folder(KeptFolder { mode: Some(entry.mode), output: None }),
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
        let known = self.known.get(&entry.stamp);
        let known = known.map(|digest| KeptFile { digest, size_bytes: entry.stamp.size, mode: entry.mode });
        if let Some(kept) = known.filter(|kept| self.contents.holds(kept)) {
            return Ok(Some(kept));
        }
        let Ok(file) = self.open(&entry.path) else { return Ok(None) };
        // The file may have been replaced, or may change while it is read. In that case it is not stored and is listed
        // as such.
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

/// Opens a file by the handle of its folder. Remembers the handle for the next file.
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
