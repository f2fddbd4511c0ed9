//! What the tool `memory` may do for a task: it is limited to the task's folder, and acts as the planner.

use super::notes::{in_full, one_line, origin_in_words};
use crate::core::Core;
use crate::documents::{RecallBounds, passage_in_words};
use crate::profile_files::FileProblem;
use async_trait::async_trait;
use deputy_protocol::{CallId, MemoriesQuery, Memory, MemoryOrigin, Remembered, TaskEvent, TaskSpec};
use deputy_store::{Changed, StoreError};
use deputy_tools::{KnownMemory, Memories, MemoryError, NewMemory};
use std::sync::Arc;

/// The maximum length of the memories recalled for one call, in characters.
const MOST_CHARS: usize = 12_000;
const MOST_CHARS_EACH: usize = 400;

/// The memories that one task may use.
pub(super) struct TaskMemories {
    pub(super) core: Arc<Core>,
    pub(super) spec: TaskSpec,
}

impl TaskMemories {
    /// Returns whether the task may use a memory.
    fn may_see(&self, memory: &Memory) -> bool {
        memory.origin == MemoryOrigin::Person
            || memory.promoted_at_ms.is_some()
            || memory.workspace == self.spec.workspace
    }
}

#[async_trait]
impl Memories for TaskMemories {
    async fn recall(&self, text: &str, limit: usize) -> Result<Vec<KnownMemory>, MemoryError> {
        // Memories of the task itself are left out.
        let bounds =
            RecallBounds { limit: limit * 2, budget_chars: MOST_CHARS, most_chars_each: MOST_CHARS_EACH };
        let found = self.core.recall_for(&self.spec, text, bounds).await.map_err(failed)?;
        let of_others = found.into_iter().filter(|memory| memory.task != self.spec.id);
        let known = |memory: deputy_store::Recollection| KnownMemory {
            memory: memory.memory,
            from: match &memory.document {
                Some(document) => one_line(&passage_in_words(&document.path), MOST_CHARS_EACH),
                None => origin_in_words(memory.origin, memory.kind).to_owned(),
            },
            text: memory.text,
        };
        Ok(of_others.take(limit).map(known).collect())
    }

    fn list(&self, limit: usize) -> Result<Vec<KnownMemory>, MemoryError> {
        let mut found = Vec::new();
        let mut before = None;
        while found.len() < limit {
            let query = MemoriesQuery {
                search: None,
                task: None,
                workspace: None,
                only_kept: true,
                best: false,
                before,
                limit: 100,
            };
            let page = self.core.store.memories(&query).map_err(failed)?;
            let holding = page.memories.into_iter().filter(|memory| !memory.is_replaced);
            found.extend(holding.filter(|memory| self.may_see(memory)).map(known));
            before = page.next;
            if before.is_none() {
                break;
            }
        }
        found.truncate(limit);
        Ok(found)
    }

    async fn remember(&self, call: &CallId, new: NewMemory) -> Result<u64, MemoryError> {
        let text = crate::redact::text(&new.text).into_owned();
        let NewMemory { about, is_promoted, .. } = new;
        let event = TaskEvent::Remembered(Remembered { text, about, call: Some(call.clone()), is_promoted });
        let written = self.core.store.append(&self.spec.id, self.core.now_ms(), vec![event]).await;
        let written = written.map_err(failed)?;
        let nothing = || MemoryError::Failed { reason: deputy_messages::agent::nothing_was_written() };
        written.last().map(|record| record.seq).ok_or_else(nothing)
    }

    fn find(&self, memory: u64) -> Result<KnownMemory, MemoryError> {
        let query = MemoriesQuery {
            search: None,
            task: None,
            workspace: None,
            only_kept: false,
            best: false,
            before: memory.checked_add(1),
            limit: 1,
        };
        let page = self.core.store.memories(&query).map_err(failed)?;
        let found = page.memories.into_iter().find(|found| found.memory == memory);
        found.filter(|found| self.may_see(found)).map(known).ok_or(MemoryError::Unknown { memory })
    }

    async fn forget(&self, memory: u64) -> Result<u64, MemoryError> {
        match self.core.store.forget_memory(memory, self.core.now_ms()).await.map_err(failed)? {
            Changed::Done { memories } => Ok(memories),
            Changed::Already | Changed::Forgotten | Changed::Unknown => Err(MemoryError::Unknown { memory }),
        }
    }

    fn scratchpad(&self) -> Result<String, MemoryError> {
        Ok(self.core.scratchpad(&self.spec).map_err(unreadable)?.unwrap_or_default())
    }

    async fn note(&self, text: &str) -> Result<(), MemoryError> {
        self.core.write_scratchpad(&self.spec, &crate::redact::text(text)).await.map_err(unreadable)
    }

    fn task(&self, id: &str) -> Result<String, MemoryError> {
        let unknown = || MemoryError::UnknownTask { task: id.to_owned() };
        let found = self.core.store.find_task(id).map_err(failed)?;
        let [task] = &found[..] else { return Err(unknown()) };
        let ended = self.core.store.ended(task).map_err(failed)?;
        let ended = ended.filter(|ended| ended.task.workspace == self.spec.workspace);
        ended.map(|ended| in_full(&ended)).ok_or_else(unknown)
    }
}

fn unreadable(problem: FileProblem) -> MemoryError {
    MemoryError::Failed { reason: problem.to_string().into() }
}

fn known(memory: Memory) -> KnownMemory {
    let from = origin_in_words(memory.origin, memory.kind).to_owned();
    KnownMemory { memory: memory.memory, from, text: memory.text }
}

fn failed(error: StoreError) -> MemoryError {
    MemoryError::Failed { reason: error.to_string().into() }
}
