//! The part of the store's public API for memories.

use super::Store;
use crate::embeddings::{self, EmbeddingCounts, NewEmbedding, PendingEmbedding};
use crate::error::StoreError;
use crate::recall::{self, QueryVector, RecallQuery, Recalled};
use crate::remembered::{self, Changed};
use crate::writer::Batch;
use crate::{search, upkeep};
use deputy_messages::store as say;
use deputy_protocol::{
    MemoriesAnswer, MemoriesQuery, Memory, PortableMemory, PrunePreview, PruneRule, Remembered,
};
use std::time::Duration;

impl Store {
    /// Recalls what is relevant to a query, best first: preferences, recent messages of the session, and what is close
    /// in meaning or shares words. Text from another folder is only included if it is by a person or promoted by one.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn recall(&self, query: &RecallQuery<'_>) -> Result<Recalled, StoreError> {
        self.parts.readers.read(say::recall, |conn| recall::recall(conn, &self.parts.vectors, query))
    }

    /// Returns the memories that are nearest to a query in meaning, nearest first, each with the cosine.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn nearest(&self, query: &QueryVector, limit: usize) -> Result<Vec<(u64, f32)>, StoreError> {
        self.parts.readers.read(say::look_for_what_is_near, |conn| {
            recall::nearest(conn, &self.parts.vectors.memories, query, limit)
        })
    }

    /// Frees the memory of searches by meaning, if there was no search for this long.
    pub fn drop_idle_codes(&self, idle: Duration) {
        self.parts.vectors.drop_idle(idle);
    }

    /// Returns the next texts to embed, newest first. Empty if everything is embedded, or could not be.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn pending_embeddings(&self, limit: usize) -> Result<Vec<PendingEmbedding>, StoreError> {
        self.parts.readers.read(say::look_for_memories_to_embed, |conn| embeddings::next(conn, limit))
    }

    /// Returns whether anything can be found by meaning.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn has_embeddings(&self) -> Result<bool, StoreError> {
        self.parts.readers.read(say::look_for_embeddings, embeddings::any)
    }

    /// Stores vectors of one model, all of one dimension. If the model differs from before, everything must be embedded
    /// again.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub async fn keep_embeddings(
        &self,
        model: &str,
        dimension: usize,
        made: Vec<NewEmbedding>,
    ) -> Result<(), StoreError> {
        let model = model.to_owned();
        let run = move |batch: &mut Batch<'_>| embeddings::keep(batch.conn, (&model, dimension), &made);
        self.parts.writer.write(say::keep_embeddings, run).await
    }

    /// Records that memories could not be embedded. After a few attempts they are not tried again.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub async fn embedding_failed(&self, memories: Vec<u64>) -> Result<(), StoreError> {
        let run = move |batch: &mut Batch<'_>| embeddings::failed(batch.conn, &memories);
        self.parts.writer.write(say::note_what_could, run).await
    }

    /// Marks every memory for embedding, including those that failed. The existing vectors are used until then.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub async fn rebuild_embeddings(&self) -> Result<(), StoreError> {
        let run = move |batch: &mut Batch<'_>| embeddings::rebuild(batch.conn);
        self.parts.writer.write(say::rebuild_embeddings, run).await
    }

    /// Returns statistics about embeddings.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn embedding_counts(&self) -> Result<EmbeddingCounts, StoreError> {
        self.parts.readers.read(say::count_embeddings, embeddings::counts)
    }

    /// Returns a page of memories, newest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn memories(&self, query: &MemoriesQuery) -> Result<MemoriesAnswer, StoreError> {
        self.parts.readers.read(say::look_through_memories, |conn| remembered::page(conn, query))
    }

    /// Returns the memories and passages that match a search best, with their scores, regardless of whether a task may
    /// use them.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn best_memories(
        &self,
        query: &MemoriesQuery,
        vector: Option<&QueryVector>,
    ) -> Result<MemoriesAnswer, StoreError> {
        self.parts.readers.read(say::search_memories, |conn| {
            search::best(conn, &self.parts.vectors, query, vector, remembered::limit_of(query))
        })
    }

    /// Returns the preferences that apply to tasks of a profile, oldest first: those for every folder, and those that
    /// its own tasks stored.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn profile_preferences(&self, profile: &str) -> Result<Vec<Memory>, StoreError> {
        self.parts.readers.read(say::look_for_preferences, |conn| remembered::preferences_of(conn, profile))
    }

    /// Returns what people and planners last said in tasks of a profile, newest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn conversation_of_profile(&self, profile: &str, limit: usize) -> Result<Vec<Memory>, StoreError> {
        self.parts.readers.read(say::look_for_what_was_said, |conn| remembered::said_in(conn, profile, limit))
    }

    /// Returns what pruning by a rule would forget.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn preview_prune(&self, rule: &PruneRule) -> Result<PrunePreview, StoreError> {
        self.parts.readers.read(say::look_for_memories_to_prune, |conn| upkeep::preview(conn, rule))
    }

    /// Prunes the memories of a rule, the oldest first and in small batches, and returns their number. If it is
    /// interrupted, pruning again continues with the rest.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub async fn prune(&self, rule: &PruneRule, now_ms: i64) -> Result<u64, StoreError> {
        let mut pruned = 0;
        loop {
            let some = rule.clone();
            let run = move |batch: &mut Batch<'_>| upkeep::prune(batch, &some, now_ms);
            match self.parts.writer.write(say::prune_memories, run).await? {
                0 => return Ok(pruned),
                some => pruned += some,
            }
        }
    }

    /// Imports memories of another home, all or none, except those that already exist. Returns their number. The caller
    /// must validate the texts.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub async fn import_memories(
        &self,
        memories: Vec<PortableMemory>,
        now_ms: i64,
    ) -> Result<u64, StoreError> {
        let run = move |batch: &mut Batch<'_>| upkeep::import(batch, memories, now_ms);
        self.parts.writer.write(say::import_memories, run).await
    }

    /// Stores a memory for the user, and returns its number. The caller must trim and validate the text.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub async fn remember(&self, text: &str, about: Option<&str>, now_ms: i64) -> Result<u64, StoreError> {
        let about = about.map(str::to_owned);
        let new = Remembered { text: text.to_owned(), about, call: None, is_promoted: false };
        let run = move |batch: &mut Batch<'_>| remembered::remember(batch, new, now_ms);
        self.parts.writer.write(say::remember_something, run).await
    }

    /// Replaces the text of a memory. The caller must trim and validate the text.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub async fn edit_memory(&self, memory: u64, text: &str, now_ms: i64) -> Result<Changed, StoreError> {
        let text = text.to_owned();
        let run = move |batch: &mut Batch<'_>| remembered::edit(batch, memory, text, now_ms);
        self.parts.writer.write(say::edit_memory, run).await
    }

    /// Forgets a memory and all others with the same text: the text is removed from the memories and their index. The
    /// journal keeps what the task said.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub async fn forget_memory(&self, memory: u64, now_ms: i64) -> Result<Changed, StoreError> {
        let run = move |batch: &mut Batch<'_>| remembered::forget(batch, memory, now_ms);
        self.parts.writer.write(say::forget_memory, run).await
    }

    /// Allows a memory to leave the folder that it comes from.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub async fn promote_memory(&self, memory: u64, now_ms: i64) -> Result<Changed, StoreError> {
        let run = move |batch: &mut Batch<'_>| remembered::promote(batch, memory, now_ms);
        self.parts.writer.write(say::promote_memory, run).await
    }

    /// Restores a forgotten memory, and those forgotten with it.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub async fn restore_memory(&self, memory: u64, now_ms: i64) -> Result<Changed, StoreError> {
        let run = move |batch: &mut Batch<'_>| remembered::restore(batch, memory, now_ms);
        self.parts.writer.write(say::bring_memory_back, run).await
    }
}
