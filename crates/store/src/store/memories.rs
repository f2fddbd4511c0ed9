//! The store's public face, the part of it that is about memories.

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
    /// What bears on a query: of the last messages of the session, of what means something near, and of what shares words; best
    /// first. Of what was said in another folder only a person's words, and what a person has promoted.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn recall(&self, query: &RecallQuery<'_>) -> Result<Recalled, StoreError> {
        self.parts.readers.read(say::recall, |conn| recall::recall(conn, &self.parts.vectors, query))
    }

    /// The memories that mean something nearest to a query, nearest first, each with the cosine between the two.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn nearest(&self, query: &QueryVector, limit: usize) -> Result<Vec<(u64, f32)>, StoreError> {
        self.parts.readers.read(say::look_for_what_is_near, |conn| {
            recall::nearest(conn, &self.parts.vectors.memories, query, limit)
        })
    }

    /// Frees what searches by meaning hold in memory, where there was none for so long.
    pub fn drop_idle_codes(&self, idle: Duration) {
        self.parts.vectors.drop_idle(idle);
    }

    /// The next memories to embed, newest first; none when everything is embedded, or could not be.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn pending_embeddings(&self, limit: usize) -> Result<Vec<PendingEmbedding>, StoreError> {
        self.parts.readers.read(say::look_for_memories_to_embed, |conn| embeddings::next(conn, limit))
    }

    /// Whether anything can be found by its meaning.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn has_embeddings(&self) -> Result<bool, StoreError> {
        self.parts.readers.read(say::look_for_embeddings, embeddings::any)
    }

    /// Keeps vectors of one model, all of one dimension. Where it is another model than before, all that was embedded is to be
    /// embedded again.
    ///
    /// # Errors
    /// When the database cannot be written.
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

    /// Notes that memories could not be embedded. After a few times they are not tried again.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn embedding_failed(&self, memories: Vec<u64>) -> Result<(), StoreError> {
        let run = move |batch: &mut Batch<'_>| embeddings::failed(batch.conn, &memories);
        self.parts.writer.write(say::note_what_could, run).await
    }

    /// Has every memory embedded anew, and what failed tried again. The vectors there are serve until then.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn rebuild_embeddings(&self) -> Result<(), StoreError> {
        let run = move |batch: &mut Batch<'_>| embeddings::rebuild(batch.conn);
        self.parts.writer.write(say::rebuild_embeddings, run).await
    }

    /// How much of the memories has been embedded.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn embedding_counts(&self) -> Result<EmbeddingCounts, StoreError> {
        self.parts.readers.read(say::count_embeddings, embeddings::counts)
    }

    /// A page of memories, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn memories(&self, query: &MemoriesQuery) -> Result<MemoriesAnswer, StoreError> {
        self.parts.readers.read(say::look_through_memories, |conn| remembered::page(conn, query))
    }

    /// The memories and passages that fit best, whether or not a task may be given them, with how well.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn best_memories(
        &self,
        query: &MemoriesQuery,
        vector: Option<&QueryVector>,
    ) -> Result<MemoriesAnswer, StoreError> {
        self.parts.readers.read(say::search_memories, |conn| {
            search::best(conn, &self.parts.vectors, query, vector, remembered::limit_of(query))
        })
    }

    /// The preferences that hold for tasks of a profile, the oldest first: those for every folder, and what its own tasks noted down.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn profile_preferences(&self, profile: &str) -> Result<Vec<Memory>, StoreError> {
        self.parts.readers.read(say::look_for_preferences, |conn| remembered::preferences_of(conn, profile))
    }

    /// What people and planners said last in tasks of a profile, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn conversation_of_profile(&self, profile: &str, limit: usize) -> Result<Vec<Memory>, StoreError> {
        self.parts.readers.read(say::look_for_what_was_said, |conn| remembered::said_in(conn, profile, limit))
    }

    /// What pruning by a rule would forget.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn preview_prune(&self, rule: &PruneRule) -> Result<PrunePreview, StoreError> {
        self.parts.readers.read(say::look_for_memories_to_prune, |conn| upkeep::preview(conn, rule))
    }

    /// Forgets what a rule names, the oldest first and a few at a time, and says how many there were. Where it is cut off, the rest is
    /// still there, and pruning again continues.
    ///
    /// # Errors
    /// When the journal cannot be written.
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

    /// Takes in memories of another home, all or none, but for those that are there; says how many. The caller has measured them.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub async fn import_memories(
        &self,
        memories: Vec<PortableMemory>,
        now_ms: i64,
    ) -> Result<u64, StoreError> {
        let run = move |batch: &mut Batch<'_>| upkeep::import(batch, memories, now_ms);
        self.parts.writer.write(say::import_memories, run).await
    }

    /// Remembers what a person puts down, and gives its number; the caller has trimmed and measured it.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub async fn remember(&self, text: &str, about: Option<&str>, now_ms: i64) -> Result<u64, StoreError> {
        let about = about.map(str::to_owned);
        let new = Remembered { text: text.to_owned(), about, call: None, is_promoted: false };
        let run = move |batch: &mut Batch<'_>| remembered::remember(batch, new, now_ms);
        self.parts.writer.write(say::remember_something, run).await
    }

    /// Puts other words in a memory's place; the caller has trimmed and measured them.
    ///
    /// # Errors
    /// When the journal cannot be written; so for all that changes a memory.
    pub async fn edit_memory(&self, memory: u64, text: &str, now_ms: i64) -> Result<Changed, StoreError> {
        let text = text.to_owned();
        let run = move |batch: &mut Batch<'_>| remembered::edit(batch, memory, text, now_ms);
        self.parts.writer.write(say::edit_memory, run).await
    }

    /// Forgets a memory, and whatever says the very same: its text leaves the memories and their index. The journal
    /// keeps what the task said.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub async fn forget_memory(&self, memory: u64, now_ms: i64) -> Result<Changed, StoreError> {
        let run = move |batch: &mut Batch<'_>| remembered::forget(batch, memory, now_ms);
        self.parts.writer.write(say::forget_memory, run).await
    }

    /// Lets a memory leave the folder that it comes from.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub async fn promote_memory(&self, memory: u64, now_ms: i64) -> Result<Changed, StoreError> {
        let run = move |batch: &mut Batch<'_>| remembered::promote(batch, memory, now_ms);
        self.parts.writer.write(say::promote_memory, run).await
    }

    /// Brings back a memory that was forgotten, and whatever was forgotten with it.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub async fn restore_memory(&self, memory: u64, now_ms: i64) -> Result<Changed, StoreError> {
        let run = move |batch: &mut Batch<'_>| remembered::restore(batch, memory, now_ms);
        self.parts.writer.write(say::bring_memory_back, run).await
    }
}
