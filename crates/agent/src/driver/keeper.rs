//! The write-ahead entry of a file: what it is and what it will be, durable before it is touched.

use crate::core::Core;
use async_trait::async_trait;
use deputy_protocol::{CallId, FileChange, FileKept, FileState, KeptFile, TaskEvent, TaskId};
use deputy_tools::{KeepError, Keeper};
use std::path::Path;
use std::sync::Arc;

/// Keeps files for one call.
pub(super) struct JournalKeeper {
    pub(super) core: Arc<Core>,
    pub(super) task: TaskId,
    pub(super) call: CallId,
}

#[async_trait]
impl Keeper for JournalKeeper {
    async fn keep(&self, path: &Path, after: FileState) -> Result<FileChange, KeepError> {
        let failed = |message: String| KeepError { path: path.to_owned(), message };
        let before = self.core.store.keep_path(path).map_err(|error| failed(error.to_string()))?;
        let text = path.to_str().ok_or_else(|| failed("its name is not valid UTF-8".to_owned()))?;
        let change = FileChange { path: text.to_owned(), before, after };
        // Appended straight to the journal: the driver waits for the call and emits nothing meanwhile, and its machine
        // needs these only when it is replayed after a crash.
        let event = TaskEvent::FileKept(FileKept { call: self.call.clone(), change: change.clone() });
        let appended = self.core.store.append(&self.task, self.core.now_ms(), vec![event]).await;
        appended.map_err(|error| failed(error.to_string()))?;
        Ok(change)
    }

    fn keep_blob(&self, content: &[u8]) -> Result<KeptFile, KeepError> {
        self.core
            .store
            .keep_blob(content)
            .map_err(|error| KeepError { path: self.core.home.join("blobs"), message: error.to_string() })
    }
}
