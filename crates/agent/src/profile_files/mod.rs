//! The folder of a profile, `profiles/NAME/` in the home, with files that a person can read and change.
//!
//! `learned_preferences.toml` and `conversation_history.json` show memories: changes that a person makes are applied to
//! the memories before the next task, and Deputy rewrites the files whenever the memories change. `scratchpad.md`
//! contains the notes of running tasks. Nothing else is written there. Tools cannot access the folder, like the rest of
//! the home.

mod folder;
mod history;
mod preferences;
mod scratchpad;

pub(crate) use folder::FileProblem;
use scratchpad::Scratchpads;

use crate::core::Core;
use deputy_protocol::{ProfileFile, ProfileFileKind};
use folder::ProfileFolder;

/// The state shared by everything that works with the files.
#[derive(Default)]
pub(crate) struct ProfileFiles {
    /// Held while files are compared with memories, so that only one change happens at a time.
    working: tokio::sync::Mutex<()>,
    scratchpads: Scratchpads,
}

impl Core {
    /// Applies a person's changes of the files of a profile, and rewrites the files with the resulting memories.
    /// Creates the folder. An invalid file is left unchanged.
    pub(crate) async fn keep_profile_files(&self, profile: &str) {
        let _one = self.profile_files.working.lock().await;
        let folder = ProfileFolder::of(&self.home, profile);
        if let Err(problem) = preferences::keep(self, &folder, profile).await {
            tracing::warn!("{problem}");
        }
        if let Err(problem) = history::keep(self, &folder, profile).await {
            tracing::warn!("{problem}");
        }
    }

    /// Does the same for every profile that has a folder.
    pub(crate) async fn keep_all_profile_files(&self) {
        for profile in folder::profiles(&self.home) {
            self.keep_profile_files(&profile).await;
        }
    }

    /// Returns the current content of every file of every profile.
    pub(crate) fn profile_files(&self) -> Vec<ProfileFile> {
        let mut files = Vec::new();
        for profile in folder::profiles(&self.home) {
            let folder = ProfileFolder::of(&self.home, &profile);
            for kind in [ProfileFileKind::Preferences, ProfileFileKind::History, ProfileFileKind::Scratchpad]
            {
                let read = folder.read(kind);
                let text = match &read {
                    Ok(Some(text)) => text.clone(),
                    Ok(None) => continue,
                    Err(_) => String::new(),
                };
                let checked = read.and_then(|_| match kind {
                    ProfileFileKind::Preferences => preferences::read(&folder, &text).map(drop),
                    ProfileFileKind::History => history::read(&folder, &text).map(drop),
                    ProfileFileKind::Scratchpad => Ok(()),
                });
                files.push(ProfileFile {
                    profile: profile.clone(),
                    kind,
                    path: folder.path(kind).to_string_lossy().into_owned(),
                    text,
                    problem: checked.err().map(|problem| problem.to_string()),
                });
            }
        }
        files
    }
}
