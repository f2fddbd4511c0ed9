//! The contents of files that are kept for undo, as the tools read and store them.

use deputy_protocol::{Digest, KeptFile};
use deputy_store::{Store, StoreError};
use deputy_tools::{Blobs, KeepError};

/// Reads and stores contents in the store.
#[derive(Clone)]
pub(crate) struct StoreBlobs(pub(crate) Store);

impl StoreBlobs {
    /// Returns the content of a blob. `None` if it is lost.
    pub(crate) fn blob(&self, digest: &Digest) -> Option<Vec<u8>> {
        self.0.blob(digest).ok()
    }
}

impl Blobs for StoreBlobs {
    fn read(&self, file: &KeptFile) -> Result<Vec<u8>, KeepError> {
        self.0.blob(&file.digest).map_err(|error| match error {
            StoreError::UnknownBlob { .. } | StoreError::DamagedBlob { .. } => KeepError::Lost,
            error => KeepError::Blob { digest: file.digest.to_string(), reason: error.into() },
        })
    }

    fn holds(&self, file: &KeptFile) -> bool {
        self.0.holds_blob(file)
    }

    fn keep(&self, content: &[u8]) -> Result<KeptFile, KeepError> {
        let kept = self.0.keep_blob(content);
        kept.map_err(|error| KeepError::Blob {
            digest: "of what undo removes".to_owned(),
            reason: error.into(),
        })
    }
}
