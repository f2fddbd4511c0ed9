//! Memories: what a person does with what later tasks are given. The journal keeps what each task said.

use super::HostError;
use crate::core::Core;
use deputy_protocol::{
    Answers, CommandId, DoneOutcome, EditMemoryCommand, ErrorBody, ErrorCode, ForgetMemoryCommand,
    MemoriesAnswer, MemoriesOutcome, MemoriesQuery, MemoryStatsAnswer, MemoryStatsQuery, Performs,
    PromoteMemoryCommand, RebuildMemoryCommand, RememberCommand, RememberedOutcome, RestoreMemoryCommand,
};
use deputy_store::{Changed, LONGEST_MEMORY_CHARS, StoreError};
use std::sync::Arc;

/// What a preference is about is a word or two.
pub(crate) const LONGEST_SUBJECT_CHARS: usize = 80;

/// The memories of a home.
pub(super) struct Memories {
    pub(super) core: Arc<Core>,
}

impl Answers<MemoriesQuery> for Memories {
    async fn answer(&self, query: MemoriesQuery) -> Result<MemoriesAnswer, ErrorBody> {
        Ok(self.core.store.memories(&query).map_err(HostError::from)?)
    }
}

impl Answers<MemoryStatsQuery> for Memories {
    async fn answer(&self, _: MemoryStatsQuery) -> Result<MemoryStatsAnswer, ErrorBody> {
        let counts = self.core.store.embedding_counts().map_err(HostError::from)?;
        Ok(MemoryStatsAnswer {
            embedder: self.core.at_start.memory.embedder.clone(),
            problem: self.core.meaning.problem(),
            model: counts.model.map(|(model, _)| model),
            memories: counts.memories,
            embedded: counts.embedded,
            pending: counts.pending,
            outdated: counts.outdated,
            failed: counts.failed,
            words_only: counts.words_only,
        })
    }
}

impl Performs<RememberCommand> for Memories {
    async fn perform(
        &self,
        _: &CommandId,
        remember: RememberCommand,
    ) -> Result<RememberedOutcome, ErrorBody> {
        let text = measured(&remember.text)?;
        let about = remember.about.as_deref().map(str::trim).filter(|about| !about.is_empty());
        let chars = about.map_or(0, |about| about.chars().count());
        if chars > LONGEST_SUBJECT_CHARS {
            let message =
                format!("What it is about has {chars} characters; {LONGEST_SUBJECT_CHARS} are the most.");
            return Err(ErrorBody::new(ErrorCode::BadText, message, "Name it in a word or two."));
        }
        let kept = self.core.store.remember(&crate::redact::text(text), about, self.core.now_ms()).await;
        Ok(RememberedOutcome { memory: kept.map_err(HostError::from)? })
    }
}

impl Performs<EditMemoryCommand> for Memories {
    async fn perform(&self, _: &CommandId, edit: EditMemoryCommand) -> Result<DoneOutcome, ErrorBody> {
        let text = measured(&edit.text)?;
        let changed = self.core.store.edit_memory(edit.memory, text, self.core.now_ms()).await;
        outcome(edit.memory, changed)?;
        Ok(DoneOutcome {})
    }
}

/// The words of a memory, if they can be one.
fn measured(text: &str) -> Result<&str, ErrorBody> {
    let text = text.trim();
    if text.is_empty() {
        let message = "A memory without words is none.";
        return Err(ErrorBody::new(ErrorCode::BadText, message, "Give it words, or forget it."));
    }
    let chars = text.chars().count();
    if chars > LONGEST_MEMORY_CHARS {
        let message = format!("The text has {chars} characters; a memory holds {LONGEST_MEMORY_CHARS}.");
        return Err(ErrorBody::new(ErrorCode::BadText, message, "Say it shorter."));
    }
    Ok(text)
}

impl Performs<ForgetMemoryCommand> for Memories {
    async fn perform(
        &self,
        _: &CommandId,
        forget: ForgetMemoryCommand,
    ) -> Result<MemoriesOutcome, ErrorBody> {
        let changed = self.core.store.forget_memory(forget.memory, self.core.now_ms()).await;
        outcome(forget.memory, changed)
    }
}

impl Performs<RestoreMemoryCommand> for Memories {
    async fn perform(
        &self,
        _: &CommandId,
        restore: RestoreMemoryCommand,
    ) -> Result<MemoriesOutcome, ErrorBody> {
        let changed = self.core.store.restore_memory(restore.memory, self.core.now_ms()).await;
        outcome(restore.memory, changed)
    }
}

impl Performs<PromoteMemoryCommand> for Memories {
    async fn perform(
        &self,
        _: &CommandId,
        promote: PromoteMemoryCommand,
    ) -> Result<MemoriesOutcome, ErrorBody> {
        let changed = self.core.store.promote_memory(promote.memory, self.core.now_ms()).await;
        outcome(promote.memory, changed)
    }
}

impl Performs<RebuildMemoryCommand> for Memories {
    async fn perform(&self, _: &CommandId, _: RebuildMemoryCommand) -> Result<DoneOutcome, ErrorBody> {
        self.core.store.rebuild_embeddings().await.map_err(HostError::from)?;
        self.core.meaning.wake();
        Ok(DoneOutcome {})
    }
}

fn outcome(memory: u64, changed: Result<Changed, StoreError>) -> Result<MemoriesOutcome, ErrorBody> {
    match changed.map_err(HostError::from)? {
        Changed::Done { memories } => Ok(MemoriesOutcome { memories }),
        Changed::Already => Ok(MemoriesOutcome { memories: 0 }),
        Changed::Forgotten => Err(ErrorBody::new(
            ErrorCode::Forgotten,
            format!("Memory {memory} was forgotten, so there is nothing to change."),
            format!("`deputy memory restore {memory}` brings it back."),
        )),
        Changed::Unknown => Err(ErrorBody::new(
            ErrorCode::UnknownMemory,
            format!("There is no memory {memory}."),
            "`deputy memory list` shows them with their numbers.",
        )),
    }
}
