//! The port to the journal: what is at a path is kept before a tool changes it.

use async_trait::async_trait;
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_protocol::{FileChange, FileState, KeptFile};
use std::path::{Path, PathBuf};

/// Write-ahead for undo: keeps what a file is, and journals it together with what it will be, durable before it
/// returns.
#[async_trait]
pub trait Keeper: Send + Sync {
    /// Keeps what is at `path` and journals that it is about to become `after`.
    async fn keep(&self, path: &Path, after: FileState) -> Result<FileChange, KeepError>;

    /// Keeps a content as a blob.
    fn keep_blob(&self, content: &[u8]) -> Result<KeptFile, KeepError>;

    /// Keeps what a command wrote as a blob, as it may be shown.
    fn keep_output(&self, output: &[u8]) -> Result<KeptFile, KeepError> {
        self.keep_blob(output)
    }
}

/// Why something could not be kept; the change it was for must not happen.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// What is at a path could not be kept or journalled.
    File {
        /// The path.
        path: PathBuf,
        /// Why.
        reason: Phrase,
    },
    /// A blob could not be written or read.
    Blob {
        /// Its digest, as far as it is known.
        digest: String,
        /// Why.
        reason: Phrase,
    },
}

impl KeepError {
    /// What it says to people.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::File { path, reason } => say::cannot_keep(path.display(), reason),
            Self::Blob { digest, reason } => say::cannot_use_kept(digest, reason),
        }
    }
}

deputy_messages::said_by_phrase!(KeepError);
