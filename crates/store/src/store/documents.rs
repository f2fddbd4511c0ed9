//! The part of the store's public API for documents in folders.

use super::Store;
use crate::documents::{self, DocumentFolder, DocumentStamp, ReadDocument};
use crate::error::StoreError;
use crate::writer::Batch;
use deputy_messages::store as say;
use std::collections::HashMap;

impl Store {
    /// Makes the documents of a folder recallable, and returns the number of the folder. The documents must then be
    /// read.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub async fn add_document_folder(&self, path: &str, is_everywhere: bool) -> Result<i64, StoreError> {
        let path = path.to_owned();
        let run = move |batch: &mut Batch<'_>| documents::add_folder(batch.conn, &path, is_everywhere);
        self.parts.writer.write(say::add_folder_of_documents, run).await
    }

    /// Deletes a folder and everything read from it. Returns `false` if it does not exist.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub async fn drop_document_folder(&self, path: &str) -> Result<bool, StoreError> {
        let path = path.to_owned();
        let run = move |batch: &mut Batch<'_>| documents::drop_folder(batch.conn, &path);
        self.parts.writer.write(say::drop_folder_of_documents, run).await
    }

    /// Returns the folders whose documents can be recalled, by path.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn document_folders(&self) -> Result<Vec<DocumentFolder>, StoreError> {
        self.parts.readers.read(say::look_for_document_folders, documents::folders)
    }

    /// Returns the state of the documents of a folder, by their paths below it.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn document_stamps(&self, folder: i64) -> Result<HashMap<String, DocumentStamp>, StoreError> {
        self.parts.readers.read(say::look_for_documents, |conn| documents::stamps(conn, folder))
    }

    /// Stores documents that were read.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub async fn keep_documents(&self, folder: i64, read: Vec<ReadDocument>) -> Result<(), StoreError> {
        let run = move |batch: &mut Batch<'_>| documents::keep(batch.conn, folder, &read);
        self.parts.writer.write(say::keep_documents, run).await
    }

    /// Deletes documents that no longer exist, by their paths below the folder, and records that the folder was
    /// scanned.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub async fn looked_through(
        &self,
        folder: i64,
        gone: Vec<String>,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let run = move |batch: &mut Batch<'_>| {
            documents::gone(batch.conn, folder, &gone)?;
            documents::looked_at(batch.conn, folder, now_ms)
        };
        self.parts.writer.write(say::drop_documents, run).await
    }
}
