//! The store's public face, the part of it that is about memories.

use super::Store;
use crate::error::StoreError;
use crate::recall::{self, Recalled};
use crate::remembered::{self, Changed};
use crate::writer::Batch;
use deputy_protocol::{MemoriesAnswer, MemoriesQuery, SessionId};

impl Store {
    /// The last messages of the session and the best matches of all sessions: at most `limit`, best first. Of what was
    /// said in another folder than `workspace` only a person's words, and what a person has promoted.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn recall(
        &self,
        session: &SessionId,
        workspace: &str,
        query: &str,
        limit: usize,
    ) -> Result<Recalled, StoreError> {
        let place = recall::Place { session, workspace };
        self.parts.readers.read("recall", |conn| recall::recall(conn, place, query, limit))
    }

    /// A page of memories, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn memories(&self, query: &MemoriesQuery) -> Result<MemoriesAnswer, StoreError> {
        self.parts.readers.read("look through the memories", |conn| remembered::page(conn, query))
    }

    /// Puts other words in a memory's place; the caller has trimmed and measured them.
    ///
    /// # Errors
    /// When the journal cannot be written; so for all that changes a memory.
    pub async fn edit_memory(&self, memory: u64, text: &str, now_ms: i64) -> Result<Changed, StoreError> {
        let text = text.to_owned();
        let run = move |batch: &mut Batch<'_>| remembered::edit(batch, memory, text, now_ms);
        self.parts.writer.write("edit a memory", run).await
    }

    /// Forgets a memory, and whatever says the very same: its text leaves the memories and their index. The journal
    /// keeps what the task said.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub async fn forget_memory(&self, memory: u64, now_ms: i64) -> Result<Changed, StoreError> {
        let run = move |batch: &mut Batch<'_>| remembered::forget(batch, memory, now_ms);
        self.parts.writer.write("forget a memory", run).await
    }

    /// Lets a memory leave the folder that it comes from.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub async fn promote_memory(&self, memory: u64, now_ms: i64) -> Result<Changed, StoreError> {
        let run = move |batch: &mut Batch<'_>| remembered::promote(batch, memory, now_ms);
        self.parts.writer.write("promote a memory", run).await
    }

    /// Brings back a memory that was forgotten, and whatever was forgotten with it.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub async fn restore_memory(&self, memory: u64, now_ms: i64) -> Result<Changed, StoreError> {
        let run = move |batch: &mut Batch<'_>| remembered::restore(batch, memory, now_ms);
        self.parts.writer.write("bring a memory back", run).await
    }
}
