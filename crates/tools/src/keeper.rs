//! The interface to the journal, which stores what is at a path before a tool changes it.

use async_trait::async_trait;
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_protocol::{FileChange, FileState, KeptFile};
use std::path::{Path, PathBuf};

/// Write-ahead storage for undo. Stores the current state of a file and journals it together with the new state. Both
/// are durable when the call returns.
#[async_trait]
pub trait Keeper: Send + Sync {
    /// Stores what is at `path` and journals that it is about to become `after`.
    async fn keep(&self, path: &Path, after: FileState) -> Result<FileChange, KeepError>;

    /// Stores content as a blob.
    fn keep_blob(&self, content: &[u8]) -> Result<KeptFile, KeepError>;

    /// Stores the output of a command as a blob, in a form that may be shown.
    fn keep_output(&self, output: &[u8]) -> Result<KeptFile, KeepError> {
        self.keep_blob(output)
    }
}

/// Why something could not be stored. The change that it was for must not happen.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// The file at a path could not be stored or journaled.
    File {
        /// The path.
        path: PathBuf,
        /// The reason.
        reason: Phrase,
    },
    /// The copy of a file is missing or damaged.
    Lost,
    /// A blob could not be written or read.
    Blob {
        /// The digest of the blob, if it is known.
        digest: String,
        /// The reason.
        reason: Phrase,
    },
}

impl KeepError {
    /// Returns the message for people.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::File { path, reason } => say::cannot_keep(path.display(), reason),
            Self::Lost => say::undo_copy_lost(),
            Self::Blob { digest, reason } => say::cannot_use_kept(digest, reason),
        }
    }
}

deputy_messages::said_by_phrase!(KeepError);
