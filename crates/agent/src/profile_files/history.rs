//! The file `conversation_history.json`: what was said in the last tasks of a profile, oldest first.

use super::folder::{FileProblem, ProfileFolder};
use crate::core::Core;
use crate::host::measured;
use deputy_messages::agent as say;
use deputy_protocol::{Memory, MemoryRole, ProfileFileKind};
use serde::{Deserialize, Serialize};

const KIND: ProfileFileKind = ProfileFileKind::History;
/// The maximum number of messages in the file. The journal has all of them.
const MOST: usize = 200;
const ABOUT: &str = "What was said in the last tasks of this profile, the oldest first. Change a text, and later tasks are given the \
                     new one; remove an entry, and they are no longer given it. Deputy takes that up before the next task.";

/// The file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    about: String,
    /// The digest of what Deputy wrote. If it differs, a person changed the file.
    #[serde(default)]
    written: String,
    /// The range of memories that the file was written from.
    first: u64,
    last: u64,
    messages: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    memory: u64,
    task: String,
    who: MemoryRole,
    at_ms: i64,
    text: String,
}

impl File {
    /// Creates the file from memories, newest first.
    fn of(memories: &[Memory]) -> Self {
        let entry = |memory: &Memory| Entry {
            memory: memory.memory,
            task: memory.task.as_str().to_owned(),
            who: memory.role,
            at_ms: memory.at_ms,
            text: memory.text.clone(),
        };
        let file = Self {
            about: ABOUT.to_owned(),
            written: String::new(),
            first: memories.last().map_or(0, |memory| memory.memory),
            last: memories.first().map_or(0, |memory| memory.memory),
            messages: memories.iter().rev().map(entry).collect(),
        };
        Self { written: file.digest(), ..file }
    }

    /// Returns the digest of everything except the digest itself.
    fn digest(&self) -> String {
        let values = serde_json::to_vec(&(self.first, self.last, &self.messages)).unwrap_or_default();
        blake3::hash(&values).to_hex()[..16].to_owned()
    }
}

/// Parses the file. Fails if any part of it is invalid.
pub(super) fn read(folder: &ProfileFolder, text: &str) -> Result<File, FileProblem> {
    let file: File = serde_json::from_str(text).map_err(|error| folder.problem(KIND, error.to_string()))?;
    for entry in &file.messages {
        measured(&entry.text)
            .map_err(|error| folder.problem(KIND, say::memory_is_wrong(entry.memory, error.message)))?;
    }
    Ok(file)
}

/// Applies a person's changes of the file to the memories, and writes the file with the resulting memories.
pub(super) async fn keep(core: &Core, folder: &ProfileFolder, profile: &str) -> Result<(), FileProblem> {
    let before = folder.read(KIND)?;
    if let Some(text) = &before {
        let file = read(folder, text)?;
        if file.written != file.digest() {
            take_up(core, profile, &file).await?;
        }
    }
    let after = File::of(&core.store.conversation_of_profile(profile, MOST)?);
    let text =
        serde_json::to_string_pretty(&after).map_err(|error| folder.problem(KIND, error.to_string()))?;
    folder.write(KIND, before.as_deref(), &(text + "\n"))
}

async fn take_up(core: &Core, profile: &str, file: &File) -> Result<(), FileProblem> {
    let there = core.store.conversation_of_profile(profile, MOST)?;
    let shown = there.iter().filter(|memory| (file.first..=file.last).contains(&memory.memory));
    for memory in shown {
        match file.messages.iter().find(|entry| entry.memory == memory.memory) {
            None => drop(core.store.forget_memory(memory.memory, core.now_ms()).await?),
            Some(entry) if entry.text.trim() != memory.text.trim() => {
                let text = crate::redact::text(entry.text.trim()).into_owned();
                core.store.edit_memory(memory.memory, &text, core.now_ms()).await?;
            }
            Some(_) => {}
        }
    }
    Ok(())
}
