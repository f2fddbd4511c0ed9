//! The user's operations on memories. The journal keeps what each task said.

use super::HostError;
use crate::core::Core;
use deputy_messages::agent as say;
use deputy_protocol::{
    Answers, CommandId, DoneOutcome, EditMemoryCommand, EmbedMemoriesCommand, ErrorBody, ErrorCode,
    ForgetMemoryCommand, MemoriesAnswer, MemoriesOutcome, MemoriesQuery, MemoryStatsAnswer, MemoryStatsQuery,
    Performs, PreviewPruneQuery, ProfileFilesAnswer, ProfileFilesQuery, PromoteMemoryCommand,
    PruneMemoriesCommand, PrunePreview, RebuildMemoryCommand, RememberCommand, RememberedOutcome,
    RestoreMemoryCommand,
};
use deputy_store::{Changed, LONGEST_MEMORY_CHARS, StoreError, is_passage};
use std::sync::Arc;

/// The maximum length of the subject of a preference, which is a word or two.
pub(crate) const LONGEST_SUBJECT_CHARS: usize = 80;

/// The memories of a home.
pub(super) struct Memories {
    pub(super) core: Arc<Core>,
}

impl Answers<MemoriesQuery> for Memories {
    async fn answer(&self, query: MemoriesQuery) -> Result<MemoriesAnswer, ErrorBody> {
        let store = &self.core.store;
        let looked_for = query.search.as_deref().map(str::trim).filter(|text| query.best && !text.is_empty());
        let Some(text) = looked_for else { return Ok(store.memories(&query).map_err(HostError::from)?) };
        let vector = self.core.query_vector(None, text).await;
        Ok(store.best_memories(&query, vector.as_ref()).map_err(HostError::from)?)
    }
}

impl Answers<PreviewPruneQuery> for Memories {
    async fn answer(&self, query: PreviewPruneQuery) -> Result<PrunePreview, ErrorBody> {
        Ok(self.core.store.preview_prune(&query.rule).map_err(HostError::from)?)
    }
}

impl Performs<PruneMemoriesCommand> for Memories {
    async fn perform(
        &self,
        _: &CommandId,
        prune: PruneMemoriesCommand,
    ) -> Result<MemoriesOutcome, ErrorBody> {
        let memories = self.core.store.prune(&prune.rule, self.core.now_ms()).await;
        self.core.keep_all_profile_files().await;
        Ok(MemoriesOutcome { memories: memories.map_err(HostError::from)? })
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
            forgotten: counts.forgotten,
            passages: counts.passages,
            passages_embedded: counts.passages_embedded,
            passages_failed: counts.passages_failed,
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
            let message = say::subject_too_long(chars, LONGEST_SUBJECT_CHARS);
            return Err(ErrorBody::new(ErrorCode::BadText, message, say::name_in_word_or_two()));
        }
        let kept = self.core.store.remember(&crate::redact::text(text), about, self.core.now_ms()).await;
        self.core.keep_all_profile_files().await;
        Ok(RememberedOutcome { memory: kept.map_err(HostError::from)? })
    }
}

impl Performs<EditMemoryCommand> for Memories {
    async fn perform(&self, _: &CommandId, edit: EditMemoryCommand) -> Result<DoneOutcome, ErrorBody> {
        let text = measured(&edit.text)?;
        let changed = self.core.store.edit_memory(edit.memory, text, self.core.now_ms()).await;
        self.core.keep_all_profile_files().await;
        outcome(edit.memory, changed)?;
        Ok(DoneOutcome {})
    }
}

/// Returns a valid text of a memory, without surrounding spaces.
pub(crate) fn measured(text: &str) -> Result<&str, ErrorBody> {
    let text = text.trim();
    if text.is_empty() {
        let message = say::memory_is_empty();
        return Err(ErrorBody::new(ErrorCode::BadText, message, say::give_words_or_forget()));
    }
    if text.contains('\0') {
        let message = say::text_with_nul();
        return Err(ErrorBody::new(ErrorCode::BadText, message, say::take_character_out()));
    }
    let chars = text.chars().count();
    if chars > LONGEST_MEMORY_CHARS {
        let message = say::memory_too_long(chars, LONGEST_MEMORY_CHARS);
        return Err(ErrorBody::new(ErrorCode::BadText, message, say::say_shorter()));
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
        self.core.keep_all_profile_files().await;
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
        self.core.keep_all_profile_files().await;
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
        self.core.keep_all_profile_files().await;
        outcome(promote.memory, changed)
    }
}

impl Answers<ProfileFilesQuery> for Memories {
    async fn answer(&self, _: ProfileFilesQuery) -> Result<ProfileFilesAnswer, ErrorBody> {
        Ok(ProfileFilesAnswer { files: self.core.profile_files() })
    }
}

impl Performs<RebuildMemoryCommand> for Memories {
    async fn perform(&self, _: &CommandId, _: RebuildMemoryCommand) -> Result<DoneOutcome, ErrorBody> {
        self.core.store.rebuild_embeddings().await.map_err(HostError::from)?;
        self.core.meaning.wake();
        Ok(DoneOutcome {})
    }
}

impl Performs<EmbedMemoriesCommand> for Memories {
    async fn perform(&self, _: &CommandId, _: EmbedMemoriesCommand) -> Result<MemoriesOutcome, ErrorBody> {
        self.core.embed_some().await.map_err(HostError::from)?;
        let counts = self.core.store.embedding_counts().map_err(HostError::from)?;
        let passages =
            counts.passages - counts.passages_embedded.min(counts.passages) - counts.passages_failed;
        Ok(MemoriesOutcome { memories: counts.pending + counts.outdated + passages })
    }
}

fn outcome(memory: u64, changed: Result<Changed, StoreError>) -> Result<MemoriesOutcome, ErrorBody> {
    if is_passage(memory) {
        let message = say::memory_is_passage(memory);
        let hint = say::edit_file_or_drop_folder();
        return Err(ErrorBody::new(ErrorCode::UnknownMemory, message, hint));
    }
    match changed.map_err(HostError::from)? {
        Changed::Done { memories } => Ok(MemoriesOutcome { memories }),
        Changed::Already => Ok(MemoriesOutcome { memories: 0 }),
        Changed::Forgotten => Err(ErrorBody::new(
            ErrorCode::Forgotten,
            say::memory_was_forgotten_so_there(memory),
            say::deputy_memory_restore_brings_back(memory),
        )),
        Changed::Unknown => Err(ErrorBody::new(
            ErrorCode::UnknownMemory,
            say::there_is_no_memory(memory),
            say::deputy_memory_list_shows_them(),
        )),
    }
}
