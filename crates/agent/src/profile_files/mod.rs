//! A profile's own folder, `profiles/NAME/` in the home: what Deputy keeps there for a person to read and to change.
//!
//! `learned_preferences.toml` and `conversation_history.json` show memories: what a person changes in them is done to the memories
//! before the next task, and Deputy writes them anew whenever the memories change. `scratchpad.md` holds what running tasks write down
//! for themselves. Nothing else is written there. Tools cannot reach the folder: like all of the home it is denied to them.

mod folder;
mod history;
mod preferences;
mod scratchpad;

pub(crate) use folder::FileProblem;
use scratchpad::Scratchpads;

use crate::core::Core;
use deputy_protocol::{ProfileFile, ProfileFileKind};
use folder::ProfileFolder;

/// What is shared by all that work with the files.
#[derive(Default)]
pub(crate) struct ProfileFiles {
    /// Held while files are compared with memories: one change at a time.
    working: tokio::sync::Mutex<()>,
    scratchpads: Scratchpads,
}

impl Core {
    /// Takes up what a person changed in the files of a profile, and writes them as the memories are then. Makes the folder. A file that
    /// cannot be taken up is left as it is.
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

    /// The same for every profile that has a folder.
    pub(crate) async fn keep_all_profile_files(&self) {
        for profile in folder::profiles(&self.home) {
            self.keep_profile_files(&profile).await;
        }
    }

    /// Every file of every profile as it is.
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
