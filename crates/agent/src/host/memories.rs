//! Memories: what a person does with what later tasks are given. The journal keeps what each task said.

use super::{Host, HostError};
use deputy_protocol::{EditMemoryCommand, ErrorBody, MemoriesOutcome};
use deputy_store::{Changed, LONGEST_MEMORY_CHARS};

impl Host {
    pub(super) async fn edit_memory(&self, edit: EditMemoryCommand) -> Result<(), ErrorBody> {
        let text = edit.text.trim();
        if text.is_empty() {
            let message = "A memory without words is none.";
            return Err(ErrorBody::new("bad_text", message, "Forget it instead."));
        }
        let chars = text.chars().count();
        if chars > LONGEST_MEMORY_CHARS {
            let message = format!("The text has {chars} characters; a memory holds {LONGEST_MEMORY_CHARS}.");
            return Err(ErrorBody::new("bad_text", message, "Say it shorter."));
        }
        let changed = self.core.store.edit_memory(edit.memory, text, self.core.now_ms()).await;
        self.changed(edit.memory, changed.map_err(HostError::from)?)?;
        Ok(())
    }

    pub(super) async fn forget_memory(&self, memory: u64) -> Result<MemoriesOutcome, ErrorBody> {
        let changed = self.core.store.forget_memory(memory, self.core.now_ms()).await;
        self.changed(memory, changed.map_err(HostError::from)?)
    }

    pub(super) async fn restore_memory(&self, memory: u64) -> Result<MemoriesOutcome, ErrorBody> {
        let changed = self.core.store.restore_memory(memory, self.core.now_ms()).await;
        self.changed(memory, changed.map_err(HostError::from)?)
    }

    pub(super) async fn promote_memory(&self, memory: u64) -> Result<MemoriesOutcome, ErrorBody> {
        let changed = self.core.store.promote_memory(memory, self.core.now_ms()).await;
        self.changed(memory, changed.map_err(HostError::from)?)
    }

    fn changed(&self, memory: u64, changed: Changed) -> Result<MemoriesOutcome, ErrorBody> {
        match changed {
            Changed::Done { memories } => Ok(MemoriesOutcome { memories }),
            Changed::Already => Ok(MemoriesOutcome { memories: 0 }),
            Changed::Forgotten => Err(ErrorBody::new(
                "forgotten",
                format!("Memory {memory} was forgotten, so there is nothing to change."),
                format!("`deputy memory restore {memory}` brings it back."),
            )),
            Changed::Unknown => Err(ErrorBody::new(
                "unknown_memory",
                format!("There is no memory {memory}."),
                "`deputy memory list` shows them with their numbers.",
            )),
        }
    }
}
