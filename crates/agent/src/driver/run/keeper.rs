//! The write-ahead entry of a file: its state before and after a change, durable before the file is touched.

use crate::core::Core;
use async_trait::async_trait;
use deputy_messages::Phrase;
use deputy_protocol::{
    AbsentFile, CallId, FileChange, FileKept, FileState, FileTime, KeptFile, KeptFolder, TaskEvent, TaskId,
};
use deputy_tools::{KeepError, Keeper};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Saves files for one call.
pub(super) struct JournalKeeper {
    pub(super) core: Arc<Core>,
    pub(super) task: TaskId,
    pub(super) call: CallId,
    /// The task's folder for temporary files, which undo does not cover.
    pub(super) temporary: Option<PathBuf>,
}

#[async_trait]
impl Keeper for JournalKeeper {
    async fn keep(&self, path: &Path, after: FileState) -> Result<FileChange, KeepError> {
        let (core, standing) = (self.core.clone(), path.to_owned());
        // A large file is copied, and nothing else should wait for that.
        let look = move || (modified(&standing), self::standing(&core, &standing));
        let looked = tokio::task::spawn_blocking(look).await;
        let (before_modified, before) = looked.map_err(|error| failed(path, error.to_string()))?;
        let before = before?;
        let text = path.to_str().ok_or_else(|| failed(path, deputy_messages::tools::name_not_utf_8()))?;
        let change = FileChange { path: text.to_owned(), before, after, before_modified };
        if self.temporary.as_ref().is_some_and(|temporary| path.starts_with(temporary)) {
            return Ok(change);
        }
        // Appended directly to the journal: the driver waits for the call and emits nothing in the meantime, and its
        // machine only needs these events when it is replayed after a crash.
        let event = TaskEvent::FileKept(FileKept { call: self.call.clone(), change: change.clone() });
        let appended = self.core.store.append(&self.task, self.core.now_ms(), vec![event]).await;
        appended.map_err(|error| failed(path, error))?;
        Ok(change)
    }

    fn keep_blob(&self, content: &[u8]) -> Result<KeptFile, KeepError> {
        let blob = self.core.store.keep_blob(content);
        blob.map_err(|error| KeepError::Blob { digest: "of a new content".to_owned(), reason: error.into() })
    }

    fn keep_output(&self, output: &[u8]) -> Result<KeptFile, KeepError> {
        let shown = String::from_utf8_lossy(output);
        self.keep_blob(crate::redact::text(&shown).as_bytes())
    }
}

/// Returns the current state of a path. Saves the content of a file.
fn standing(core: &Core, path: &Path) -> Result<FileState, KeepError> {
    match std::fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => Ok(FileState::Folder(KeptFolder::default())),
        Ok(_) => core.store.keep_file(path).map(FileState::File).map_err(|error| failed(path, error)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(FileState::Absent(AbsentFile {})),
        Err(error) => Err(failed(path, error.to_string())),
    }
}

/// Returns when a regular file was last modified.
fn modified(path: &Path) -> Option<FileTime> {
    let meta = path.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
    Some(FileTime { secs: meta.mtime(), nanos: u32::try_from(meta.mtime_nsec()).ok()? })
}

fn failed(path: &Path, reason: impl Into<Phrase>) -> KeepError {
    KeepError::File { path: path.to_owned(), reason: reason.into() }
}
