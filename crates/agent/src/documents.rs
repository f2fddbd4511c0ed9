//! Documents in folders that the user made recallable: keeps the index up to date, and recalls passages that a task may
//! use.

use crate::core::Core;
use crate::lineage::relatives;
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_policy::Situation;
use deputy_policy::path::{Bounds, Operation};
use deputy_protocol::TaskSpec;
use deputy_store::{
    DocumentFolder, DocumentStamp, Passage, ReadDocument, RecallQuery, Recollection, StoreError,
};
use deputy_tools::documents::{Documents, DocumentsError, TextPassage, is_as_read};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The number of documents that are read and stored together.
const BATCH: usize = 16;
/// How long a scan counts as recent: for a task that begins, and while nothing runs.
const FRESH_FOR_TASK: Duration = Duration::from_secs(5);
const FRESH_IN_QUIET: Duration = Duration::from_secs(60);
/// How long a task waits for folders to be scanned. Documents that are not read by then are available later.
const PATIENCE: Duration = Duration::from_secs(2);

/// When this process last scanned each folder. Locked during a scan, so that no document is read twice.
#[derive(Default)]
pub(crate) struct LookedAt(tokio::sync::Mutex<HashMap<i64, Instant>>);

/// The outcome of scanning a folder.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Looked {
    /// The number of documents that were read.
    pub(crate) read: u64,
    /// The number of documents that were deleted.
    pub(crate) gone: u64,
    /// Whether the folder has more documents than are examined.
    pub(crate) is_partial: bool,
}

/// The reason why a folder could not be scanned.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LookError {
    Documents(#[from] DocumentsError),
    Store(#[from] StoreError),
    CutOff(#[from] tokio::task::JoinError),
}

impl LookError {
    /// Returns the message for this error.
    pub(crate) fn phrase(&self) -> Phrase {
        match self {
            Self::Documents(error) => error.phrase(),
            Self::Store(error) => error.phrase(),
            Self::CutOff(error) => say::reading_cut_off(error),
        }
    }
}

deputy_messages::said_by_phrase!(LookError);

/// The limits of a recall: the number of memories, their total length, and the length of each, in characters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecallBounds {
    pub(crate) limit: usize,
    pub(crate) budget_chars: usize,
    pub(crate) most_chars_each: usize,
}

impl Core {
    /// Reads new and changed documents of a folder, and removes deleted ones from the index.
    pub(crate) async fn look_through(&self, folder: i64, path: &str) -> Result<Looked, LookError> {
        let mut looked_at = self.looked_at.0.lock().await;
        let looked = self.read_folder(folder, path).await;
        looked_at.insert(folder, Instant::now());
        looked
    }

    async fn read_folder(&self, folder: i64, path: &str) -> Result<Looked, LookError> {
        let (root, user_home, hidden) = (PathBuf::from(path), self.user_home.clone(), self.home.clone());
        let hidden = [hidden.canonicalize().unwrap_or(hidden)];
        let listing = tokio::task::spawn_blocking(move || {
            let documents = Documents::below(&root, &user_home, &hidden)?;
            let listed = documents.list()?;
            Ok::<_, DocumentsError>((documents, listed))
        });
        let (documents, (files, is_partial)) = listing.await??;
        let mut before = self.store.document_stamps(folder)?;
        let mut changed = Vec::new();
        for file in files {
            let stamp = DocumentStamp { size: file.size, changed_ns: file.changed_ns };
            if before.remove(&file.path) != Some(stamp) {
                changed.push((file.path, stamp));
            }
        }
        let (read, documents) = (changed.len() as u64, Arc::new(documents));
        for batch in changed.chunks(BATCH) {
            let (documents, batch) = (documents.clone(), batch.to_vec());
            let reading = tokio::task::spawn_blocking(move || {
                batch.into_iter().map(|(path, stamp)| read_document(&documents, path, stamp)).collect()
            });
            self.store.keep_documents(folder, reading.await?).await?;
        }
        // Documents that the scan did not reach may still exist.
        let gone: Vec<String> = if is_partial { Vec::new() } else { before.into_keys().collect() };
        let looked = Looked { read, gone: gone.len() as u64, is_partial };
        self.store.looked_through(folder, gone, self.now_ms()).await?;
        Ok(looked)
    }

    /// Scans the folders that were not scanned recently, within the time limit.
    async fn look_for_task(&self) {
        if tokio::time::timeout(PATIENCE, self.look_again(FRESH_FOR_TASK)).await.is_err() {
            tracing::info!("documents are still being read; the task begins without those");
        }
    }

    /// Scans the folders in a quiet moment, without a time limit.
    pub(crate) async fn look_in_quiet(&self) {
        self.look_again(FRESH_IN_QUIET).await;
    }

    async fn look_again(&self, fresh: Duration) {
        let folders = match self.store.document_folders() {
            Ok(folders) => folders,
            Err(error) => return tracing::warn!("documents cannot be looked at: {error}"),
        };
        for DocumentFolder { id, path, .. } in folders {
            let at = self.looked_at.0.lock().await.get(&id).copied();
            if at.is_none_or(|at| at.elapsed() >= fresh)
                && let Err(error) = self.look_through(id, &path).await
            {
                tracing::info!("the documents of {path} cannot be looked at: {error}");
            }
        }
    }

    /// Recalls memories and passages that are relevant to a text and that the task may use. What other tasks of its tree
    /// say is left out: they are at work on the same thing, and each has its own part. Passages must be within the scope
    /// of the task, and their document must be unchanged since it was read.
    pub(crate) async fn recall_for(
        &self,
        spec: &TaskSpec,
        text: &str,
        bounds: RecallBounds,
    ) -> Result<Vec<Recollection>, StoreError> {
        self.look_for_task().await;
        let vector = self.query_vector(Some(&spec.id), text).await;
        let documents_in: Vec<String> =
            std::iter::once(&spec.workspace).chain(&spec.scope.read).cloned().collect();
        let query = RecallQuery {
            session: &spec.session,
            workspace: &spec.workspace,
            documents_in: &documents_in,
            text,
            vector: vector.as_ref(),
            now_ms: self.now_ms(),
            limit: bounds.limit,
            budget_chars: bounds.budget_chars,
            most_chars_each: bounds.most_chars_each,
        };
        let mut items = self.store.recall(&query)?.items;
        let relatives = relatives(self, spec)?;
        items.retain(|item| !relatives.contains(&item.task));
        if items.iter().any(|item| item.document.is_some()) {
            let situation = Situation {
                scope: spec.scope.clone(),
                ..self.situation(PathBuf::from(&spec.workspace), Vec::new())
            };
            let bounds = Bounds::of(&situation);
            items.retain(|item| match &item.document {
                Some(document) => {
                    is_as_read(&document.path, document.stamp.size, document.stamp.changed_ns)
                        && bounds.in_scope(Operation::Read, &document.path).is_ok()
                        && bounds.ruled_out(Operation::Read, &document.path).is_none()
                        && !bounds.is_secret(&document.path)
                }
                None => true,
            });
        }
        Ok(items)
    }
}

/// Reads a document and redacts secrets.
fn read_document(documents: &Documents, path: String, stamp: DocumentStamp) -> ReadDocument {
    let passage = |TextPassage { line, text }| Passage { line, text };
    let redact = |text: &str| crate::redact::text(text).into_owned();
    let content = documents.passages(&path, redact);
    let content = content.map(|found| found.into_iter().map(passage).collect());
    let content = content.map_err(|problem| problem.to_string());
    ReadDocument { path, stamp, content }
}

/// Describes the location of a passage.
pub(crate) fn passage_in_words(path: &Path) -> String {
    let path = path.display();
    say::from_document(path).into()
}
