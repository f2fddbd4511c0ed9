//! Imports the memories of another home, all or none: the parts of an import are kept in memory, and the last part
//! writes them in one transaction.

use super::HostError;
use super::memories::{LONGEST_SUBJECT_CHARS, measured};
use crate::core::Core;
use deputy_messages::agent as say;
use deputy_protocol::{
    CommandId, ErrorBody, ErrorCode, ImportMemoriesCommand, ImportPart, ImportedOutcome, MemoryKind,
    Performs, PortableMemory,
};
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum number of memories in one part.
const MOST_AT_ONCE: usize = 1_000;
/// The maximum size of the text of an import, in bytes. It is kept in memory until the last part arrives.
const MOST_BYTES: usize = 512 * 1024 * 1024;

/// Imports of memories, one at a time.
pub(super) struct Imports {
    core: Arc<Core>,
    begun: Mutex<Option<Begun>>,
}

/// An import without its last part.
struct Begun {
    id: String,
    next: u32,
    bytes: usize,
    memories: Vec<PortableMemory>,
}

impl Imports {
    pub(super) fn new(core: Arc<Core>) -> Self {
        Self { core, begun: Mutex::default() }
    }

    /// Returns the number of memories in the parts before this one.
    fn gathered(&self, part: &ImportPart) -> usize {
        let begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.as_ref().filter(|there| there.id == part.id).map_or(0, |there| there.memories.len())
    }

    /// Adds a part to those before it. Returns all memories after the last part.
    fn gather(
        &self,
        part: ImportPart,
        memories: Vec<PortableMemory>,
    ) -> Result<Option<Vec<PortableMemory>>, ErrorBody> {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let all = match begun.take() {
            _ if part.number == 0 => Begun { id: part.id, next: 0, bytes: 0, memories: Vec::new() },
            Some(there) if there.id == part.id && there.next == part.number => there,
            _ => {
                let message = say::part_without_those_before(part.number);
                return Err(ErrorBody::new(ErrorCode::BadText, message, say::correct_and_import_again()));
            }
        };
        let mut all = Begun { next: part.number + 1, ..all };
        all.bytes += memories.iter().map(|memory| memory.text.len()).sum::<usize>();
        all.memories.extend(memories);
        if all.bytes > MOST_BYTES {
            let message = say::import_too_long(MOST_BYTES >> 20);
            return Err(ErrorBody::new(ErrorCode::BadText, message, say::split_the_file()));
        }
        if part.is_last {
            return Ok(Some(all.memories));
        }
        *begun = Some(all);
        Ok(None)
    }
}

impl Performs<ImportMemoriesCommand> for Imports {
    async fn perform(
        &self,
        _: &CommandId,
        import: ImportMemoriesCommand,
    ) -> Result<ImportedOutcome, ErrorBody> {
        let there = import.memories.len();
        if there > MOST_AT_ONCE {
            let message = say::memories_at_once(there, MOST_AT_ONCE);
            return Err(ErrorBody::new(ErrorCode::BadText, message, say::send_in_parts()));
        }
        let before = import.part.as_ref().map_or(0, |part| self.gathered(part));
        let memories = import.memories.into_iter().enumerate().map(|(place, memory)| {
            portable(memory).map_err(|error| {
                let message = say::memory_of_import_unusable(before + place + 1, error.message);
                ErrorBody::new(error.code, message, say::correct_and_import_again())
            })
        });
        let memories = memories.collect::<Result<_, _>>()?;
        let all = match import.part {
            None => Some(memories),
            Some(part) => self.gather(part, memories)?,
        };
        let Some(all) = all else { return Ok(ImportedOutcome { imported: 0, present: 0, task: None }) };
        let there = all.len() as u64;
        let imported = self.core.store.import_memories(all, self.core.now_ms()).await;
        let imported = imported.map_err(HostError::from)?;
        self.core.keep_all_profile_files().await;
        Ok(ImportedOutcome { imported, present: there - imported, task: None })
    }
}

/// Converts an imported memory: checks its length, redacts secrets, and makes it a preference only if it has a subject.
fn portable(memory: PortableMemory) -> Result<PortableMemory, ErrorBody> {
    let text = crate::redact::text(measured(&memory.text)?).into_owned();
    let about = memory.about.as_deref().map(str::trim).filter(|about| !about.is_empty()).map(str::to_owned);
    let (kind, about) = match (memory.kind, about) {
        (MemoryKind::Preference, Some(about)) if about.chars().count() <= LONGEST_SUBJECT_CHARS => {
            (MemoryKind::Preference, Some(about))
        }
        (MemoryKind::Preference | MemoryKind::Fact, _) => (MemoryKind::Fact, None),
        (MemoryKind::Said, _) => (MemoryKind::Said, None),
    };
    Ok(PortableMemory { text, kind, about, ..memory })
}
