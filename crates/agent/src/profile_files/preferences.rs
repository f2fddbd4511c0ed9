//! The file `learned_preferences.toml`: the valid preferences, one table each.

use super::folder::{FileProblem, ProfileFolder};
use crate::core::Core;
use crate::host::{LONGEST_SUBJECT_CHARS, measured};
use deputy_messages::agent as say;
use deputy_protocol::Phrase;
use deputy_protocol::{Memory, MemoryOrigin, ProfileFileKind};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

const KIND: ProfileFileKind = ProfileFileKind::Preferences;
const HEAD: &str = "\
# What you prefer, as Deputy's tasks are given it. Change a text, remove an entry, or add one with `about` and `text`:
# it is taken up before the next task. A new text takes the place of the old one, which stays in the history.
";

/// The file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// The digest of what Deputy wrote. If it differs, a person changed the file.
    #[serde(default)]
    written: String,
    /// The number of the newest preference when the file was written. A newer preference is not in the file because it
    /// did not exist then, and not because a person removed it.
    #[serde(default)]
    newest: u64,
    #[serde(default, rename = "preference", skip_serializing_if = "Vec::is_empty")]
    preferences: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    about: String,
    text: String,
    /// The number of the memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    memory: Option<u64>,
    /// The only folder in which it applies: a note by an assistant that no person has allowed elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    only_in: Option<String>,
}

impl File {
    fn of(preferences: &[Memory]) -> Self {
        let entry = |memory: &Memory| Entry {
            about: memory.about.clone().unwrap_or_default(),
            text: memory.text.clone(),
            memory: Some(memory.memory),
            only_in: (memory.origin != MemoryOrigin::Person && memory.promoted_at_ms.is_none())
                .then(|| memory.workspace.clone()),
        };
        let newest = preferences.iter().map(|memory| memory.memory).max().unwrap_or(0);
        let file =
            Self { written: String::new(), newest, preferences: preferences.iter().map(entry).collect() };
        Self { written: file.digest(), ..file }
    }

    /// Returns the digest of everything except the digest itself.
    fn digest(&self) -> String {
        let values = serde_json::to_vec(&(self.newest, &self.preferences)).unwrap_or_default();
        blake3::hash(&values).to_hex()[..16].to_owned()
    }
}

/// Parses the file. Fails if any part of it is invalid.
pub(super) fn read(folder: &ProfileFolder, text: &str) -> Result<File, FileProblem> {
    let file: File = toml::from_str(text).map_err(|error| folder.problem(KIND, error.message()))?;
    for (place, entry) in file.preferences.iter().enumerate() {
        let wrong = |problem: Phrase| folder.problem(KIND, say::preference_is_wrong(place + 1, problem));
        measured(&entry.text).map_err(|error| wrong(error.message))?;
        let chars = entry.about.trim().chars().count();
        if chars == 0 || chars > LONGEST_SUBJECT_CHARS {
            return Err(wrong(say::about_names_subject(LONGEST_SUBJECT_CHARS)));
        }
    }
    Ok(file)
}

/// Applies a person's changes of the file to the preferences, and writes the file with the resulting preferences.
pub(super) async fn keep(core: &Core, folder: &ProfileFolder, profile: &str) -> Result<(), FileProblem> {
    let before = folder.read(KIND)?;
    if let Some(text) = &before {
        let file = read(folder, text)?;
        if file.written != file.digest() {
            take_up(core, profile, &file).await?;
        }
    }
    let after = File::of(&core.store.profile_preferences(profile)?);
    let text = toml::to_string(&after).map_err(|error| folder.problem(KIND, error.to_string()))?;
    folder.write(KIND, before.as_deref(), &format!("{HEAD}\n{text}"))
}

async fn take_up(core: &Core, profile: &str, file: &File) -> Result<(), FileProblem> {
    let there = core.store.profile_preferences(profile)?;
    let kept: HashSet<u64> = file.preferences.iter().filter_map(|entry| entry.memory).collect();
    for gone in there.iter().filter(|memory| memory.memory <= file.newest && !kept.contains(&memory.memory)) {
        // Older preferences that it replaced are forgotten too, because they would become valid again.
        let mut same = Some(gone.memory);
        while let Some(memory) = same {
            core.store.forget_memory(memory, core.now_ms()).await?;
            let left = core.store.profile_preferences(profile)?;
            let older = left.iter().find(|left| left.about == gone.about && left.memory < memory);
            same = older.map(|older| older.memory);
        }
    }
    for entry in &file.preferences {
        let (about, text) = (entry.about.trim(), crate::redact::text(entry.text.trim()));
        let is_about = |memory: &Memory| memory.about.as_deref() == Some(&*about.to_lowercase());
        // Applied earlier, but the file could not be written afterwards.
        if there.iter().any(|memory| is_about(memory) && memory.text == text) {
            continue;
        }
        let known = there.iter().find(|memory| Some(memory.memory) == entry.memory);
        if let Some(known) = known.filter(|known| !is_about(known)) {
            core.store.forget_memory(known.memory, core.now_ms()).await?;
        }
        core.store.remember(&text, Some(about), core.now_ms()).await?;
    }
    Ok(())
}
