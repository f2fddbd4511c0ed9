//! Folders of documents that tasks may recall: a person adds them, has them scanned again, and removes them.

use super::{HostError, place};
use crate::core::Core;
use crate::documents::LookError;
use deputy_messages::agent as say;
use deputy_protocol::{
    Answers, CommandId, DoneOutcome, DropFolderCommand, ErrorBody, ErrorCode, IndexFolderCommand,
    IndexedFolder, IndexedFoldersAnswer, IndexedFoldersQuery, IndexedOutcome, Performs,
};
use deputy_store::DocumentFolder;
use std::path::Path;
use std::sync::Arc;

/// The folders of documents.
pub(super) struct DocumentFolders {
    pub(super) core: Arc<Core>,
}

impl Performs<IndexFolderCommand> for DocumentFolders {
    async fn perform(&self, _: &CommandId, index: IndexFolderCommand) -> Result<IndexedOutcome, ErrorBody> {
        let path = place::documents(&index.folder, &self.core.home)?;
        let store = &self.core.store;
        let known = store.document_folders().map_err(HostError::from)?;
        let is_new = known.iter().all(|folder| folder.path != path);
        let folder = store.add_document_folder(&path, index.is_everywhere).await.map_err(HostError::from)?;
        let looked = self.core.look_through(folder, &path).await;
        // What is embedded now can be found by meaning in the next task.
        self.core.meaning.wake();
        let looked = match looked {
            Ok(looked) => looked,
            Err(LookError::Store(error)) => return Err(HostError::from(error).into()),
            Err(error) => {
                if is_new {
                    store.drop_document_folder(&path).await.map_err(HostError::from)?;
                }
                let message = say::documents_unreadable(error, path);
                return Err(ErrorBody::new(ErrorCode::Folders, message, say::name_folder_of_documents()));
            }
        };
        let folders = store.document_folders().map_err(HostError::from)?;
        let Some(folder) = folders.into_iter().find(|one| one.id == folder) else {
            let message = say::documents_dropped_meanwhile(path);
            return Err(ErrorBody::new(ErrorCode::Folders, message, say::index_again()));
        };
        Ok(IndexedOutcome {
            folder: shown(folder),
            read: looked.read,
            gone: looked.gone,
            is_partial: looked.is_partial,
        })
    }
}

impl Performs<DropFolderCommand> for DocumentFolders {
    async fn perform(&self, _: &CommandId, drop: DropFolderCommand) -> Result<DoneOutcome, ErrorBody> {
        // A folder that no longer exists can still be removed, by its original name.
        let path = Path::new(&drop.folder).canonicalize().ok();
        let path = path.and_then(|path| path.into_os_string().into_string().ok()).unwrap_or(drop.folder);
        if self.core.store.drop_document_folder(&path).await.map_err(HostError::from)? {
            return Ok(DoneOutcome {});
        }
        let message = say::documents_not_indexed(path);
        Err(ErrorBody::new(ErrorCode::Folders, message, say::deputy_memory_stats_lists_those()))
    }
}

impl Answers<IndexedFoldersQuery> for DocumentFolders {
    async fn answer(&self, _: IndexedFoldersQuery) -> Result<IndexedFoldersAnswer, ErrorBody> {
        let folders = self.core.store.document_folders().map_err(HostError::from)?;
        Ok(IndexedFoldersAnswer { folders: folders.into_iter().map(shown).collect() })
    }
}

fn shown(folder: DocumentFolder) -> IndexedFolder {
    IndexedFolder {
        folder: folder.path,
        is_everywhere: folder.is_everywhere,
        looked_at_ms: (folder.looked_at_ms > 0).then_some(folder.looked_at_ms),
        documents: folder.documents,
        passages: folder.passages,
        embedded: folder.embedded,
        unreadable: folder.unreadable,
    }
}
