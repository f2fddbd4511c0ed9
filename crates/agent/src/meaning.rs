//! Recall by meaning: embeds queries, and in quiet moments the memories that are waiting to be embedded.
//!
//! Errors here never fail a task. Without an embedder, or while it does not answer, memories are found by their words.

use crate::core::Core;
use deputy_planner::{Embedded, Embedder, PlanError};
use deputy_protocol::{BackendRef, EmbedRequest, PlanErrorCode, TaskId};
use deputy_store::{NewEmbedding, PendingEmbedding, QueryVector, StoreError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, broadcast};

/// How long a plan waits for a comparison by meaning before it falls back to words.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long an embedder is not asked after a failure, and after it reported that it cannot embed at all.
const REST: Duration = Duration::from_secs(30);
const LONG_REST: Duration = Duration::from_secs(3600);
/// The maximum number and total length of recent memories that are embedded together with a query.
const FRESH: usize = 16;
const FRESH_CHARS: usize = 2_000;
/// The maximum number of sentences of a query that are also searched on their own, and the length of the part of the
/// query that they are taken from, in characters.
const MOST_PARTS: usize = 4;
const PARTED_CHARS: usize = 1_000;
/// The number of texts embedded at once in a quiet moment. A task that starts gets the processor after the batch.
const BATCH: usize = 16;
/// A text that any working embedder can embed.
const PROBE: &str = "hello";
/// The time without a search after which the in-memory codes are dropped: 27 MB for 100,000 memories, read again in a
/// tenth of a second.
const KEPT_IN_MEMORY: Duration = Duration::from_secs(600);
/// How long no task must have worked for a moment to count as quiet.
const QUIET: Duration = Duration::from_secs(2);

/// The embedder, and whether it is currently asked.
pub(crate) struct Meaning {
    embedder: Arc<dyn Embedder>,
    resting_until: Mutex<Option<Instant>>,
    /// The last error, until a request succeeds.
    problem: Mutex<Option<String>>,
    /// Wakes the background embedding.
    woken: Notify,
}

impl Meaning {
    pub(crate) fn new(embedder: Arc<dyn Embedder>) -> Self {
        Self { embedder, resting_until: Mutex::default(), problem: Mutex::default(), woken: Notify::new() }
    }

    /// Ends the embedder.
    pub(crate) async fn close(&self) {
        self.embedder.close().await;
    }

    /// Returns why nothing is embedded now. `None` if no reason is known.
    pub(crate) fn problem(&self) -> Option<String> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Retries the embedder as soon as no task works, even if it failed.
    pub(crate) fn wake(&self) {
        *self.resting_until.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.woken.notify_one();
    }

    fn is_resting(&self) -> bool {
        let until = *self.resting_until.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| Instant::now() < until)
    }

    /// Suspends the embedder for a while. Never shortens an existing suspension.
    fn rest(&self, time: Duration) {
        let mut until = self.resting_until.lock().unwrap_or_else(PoisonError::into_inner);
        *until = (*until).max(Some(Instant::now() + time));
    }

    async fn embed(&self, backend: BackendRef, texts: Vec<String>) -> Result<Embedded, PlanError> {
        let embedded = self.embedder.embed(EmbedRequest { backend, texts }).await;
        *self.problem.lock().unwrap_or_else(PoisonError::into_inner) =
            embedded.as_ref().err().map(|error| error.message.to_string());
        if let Err(error) = &embedded {
            tracing::info!("memories are found by their words alone for now: {error}");
            match error.code {
                PlanErrorCode::ModelMissing | PlanErrorCode::BadSettings | PlanErrorCode::Auth => {
                    self.rest(LONG_REST);
                }
                PlanErrorCode::Network | PlanErrorCode::RateLimited => self.rest(REST),
                // The failure may be caused by one of the texts.
                _ => {}
            }
        }
        embedded
    }
}

impl Core {
    /// Embeds texts with the embedder of memories.
    pub(crate) async fn embed_texts(&self, texts: Vec<String>) -> Result<Embedded, PlanError> {
        self.meaning.embedder.embed(EmbedRequest { backend: self.embedder(), texts }).await
    }

    fn embedder(&self) -> BackendRef {
        self.config().backend(&self.at_start.memory.embedder)
    }

    /// The task's query as a vector. Recent memories are embedded together with it. `None` if there is nothing to
    /// compare it with; in that case the embedder is not started.
    pub(crate) async fn query_vector(&self, task: Option<&TaskId>, text: &str) -> Option<QueryVector> {
        if self.meaning.is_resting() {
            return None;
        }
        match tokio::time::timeout(PATIENCE, self.embed_query(task, text)).await {
            Ok(Ok(vector)) => vector,
            Ok(Err(error)) => {
                tracing::warn!("embeddings cannot be used: {error}");
                None
            }
            Err(_) => {
                self.meaning.rest(REST);
                None
            }
        }
    }

    async fn embed_query(
        &self,
        task: Option<&TaskId>,
        text: &str,
    ) -> Result<Option<QueryVector>, StoreError> {
        let mut left = FRESH_CHARS;
        let mut fresh = self.store.pending_embeddings(FRESH)?;
        // A task does not find its own memories, and does not wait for documents.
        fresh.retain(|pending| pending.task.is_some() && pending.task.as_ref() != task);
        fresh.retain(|pending| {
            let chars = pending.text.chars().count();
            let fits = chars <= left;
            left -= if fits { chars } else { 0 };
            fits
        });
        if fresh.is_empty() && !self.store.has_embeddings()? {
            return Ok(None);
        }
        let asked = parts(text);
        let texts = asked.iter().copied().chain(fresh.iter().map(|pending| pending.text.as_str()));
        let texts = texts.map(str::to_owned).collect();
        let Ok(Embedded { model, dimension, mut vectors }) = self.meaning.embed(self.embedder(), texts).await
        else {
            // What the embedder cannot embed is found out in a quiet moment; no task waits for that.
            self.meaning.rest(REST);
            return Ok(None);
        };
        let made = fresh
            .into_iter()
            .zip(vectors.split_off(asked.len().min(vectors.len())))
            .map(|(of, vector)| NewEmbedding { of, vector });
        self.store.keep_embeddings(&model, dimension, made.collect()).await?;
        Ok(sum(vectors).map(|vector| QueryVector { model, vector }))
    }

    /// Embeds waiting memories whenever no task works, until the host ends.
    pub(crate) async fn embed_in_quiet(self: Arc<Self>) {
        let mut events = self.store.subscribe();
        loop {
            tokio::time::sleep(QUIET).await;
            self.store.drop_idle_codes(KEPT_IN_MEMORY);
            if self.slots.is_idle() {
                self.look_in_quiet().await;
                self.keep_all_profile_files().await;
            }
            if self.slots.is_idle() && !self.meaning.is_resting() {
                match self.embed_batch().await {
                    Ok(true) => continue,
                    Ok(false) => {}
                    Err(error) => tracing::warn!("embeddings cannot be kept: {error}"),
                }
            }
            // Any event is a reason to check again, and so is the end of a suspension.
            tokio::select! {
                event = events.recv() => {
                    if matches!(event, Err(broadcast::error::RecvError::Closed)) {
                        return;
                    }
                }
                () = self.meaning.woken.notified() => {}
                () = tokio::time::sleep(REST) => {}
            }
        }
    }

    /// Embeds one batch now.
    pub(crate) async fn embed_some(&self) -> Result<(), StoreError> {
        let batch = self.store.pending_embeddings(BATCH)?;
        if !batch.is_empty() && !self.meaning.is_resting() {
            self.embed_all(batch).await?;
        }
        Ok(())
    }

    /// Embeds batches as long as no task works. Returns whether there is more.
    async fn embed_batch(&self) -> Result<bool, StoreError> {
        while self.slots.is_idle() {
            let batch = self.store.pending_embeddings(BATCH)?;
            if batch.is_empty() {
                return Ok(false);
            }
            if !self.embed_all(batch).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Embeds memories. If a batch fails, it is split in half, so that one text does not block the others. Returns
    /// `false` if the embedder must be suspended.
    async fn embed_all(&self, batch: Vec<PendingEmbedding>) -> Result<bool, StoreError> {
        let mut parts = vec![batch];
        while let Some(mut part) = parts.pop() {
            let texts = part.iter().map(|pending| pending.text.clone()).collect();
            match self.meaning.embed(self.embedder(), texts).await {
                Ok(Embedded { model, dimension, vectors }) => {
                    let made = part.into_iter().zip(vectors);
                    let made = made.map(|(of, vector)| NewEmbedding { of, vector }).collect();
                    self.store.keep_embeddings(&model, dimension, made).await?;
                }
                Err(_) if self.meaning.is_resting() => return Ok(false),
                Err(_) if part.len() > 1 => {
                    let rest = part.split_off(part.len() / 2);
                    parts.extend([rest, part]);
                }
                // The text is only to blame if another text can be embedded.
                Err(_) => match self.meaning.embed(self.embedder(), vec![PROBE.to_owned()]).await {
                    Ok(_) => self.store.embedding_failed(vec![part.remove(0).memory]).await?,
                    Err(_) => {
                        self.meaning.rest(REST);
                        return Ok(false);
                    }
                },
            }
        }
        Ok(true)
    }
}

/// Returns a text, and its sentences if it has several: one sentence often states what happened and another what is
/// wanted, and a memory may match either.
fn parts(text: &str) -> Vec<&str> {
    let begin = text.char_indices().nth(PARTED_CHARS).map_or(text, |(end, _)| &text[..end]);
    let sentences = begin.split_inclusive(['.', '!', '?', '\n', '。', '！', '？']).map(str::trim);
    let sentences = sentences.filter(|sentence| sentence.chars().filter(|c| c.is_alphabetic()).count() > 1);
    let sentences: Vec<&str> = sentences.take(MOST_PARTS).collect();
    let several = if sentences.len() > 1 { sentences } else { Vec::new() };
    std::iter::once(text).chain(several).collect()
}

/// Returns the sum of the vectors. All have length 1, so each has the same weight.
fn sum(vectors: Vec<Vec<f32>>) -> Option<Vec<f32>> {
    vectors.into_iter().reduce(|mut sum, vector| {
        sum.iter_mut().zip(vector).for_each(|(sum, number)| *sum += number);
        sum
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_looked_for_is_the_text_and_each_of_its_sentences() {
        assert_eq!(parts("A tooth hurts"), ["A tooth hurts"]);
        assert_eq!(parts("A tooth hurts. "), ["A tooth hurts. "]);
        let two = "A tooth hurts. Where do I go?";
        assert_eq!(parts(two), [two, "A tooth hurts.", "Where do I go?"]);
        assert_eq!(parts("..."), ["..."]);
        assert_eq!(parts(&"ä. b! 歯が痛い。どこへ行く？".repeat(9)).len(), 1 + MOST_PARTS);
        assert_eq!(parts(&"long ".repeat(1_000_000)).len(), 1);
    }

    #[test]
    fn the_parts_count_the_same() {
        assert_eq!(sum(vec![vec![1.0, 0.0], vec![0.0, 1.0]]), Some(vec![1.0, 1.0]));
        assert_eq!(sum(Vec::new()), None);
    }
}
