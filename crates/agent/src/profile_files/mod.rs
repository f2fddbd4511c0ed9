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
pub(crate) use scratchpad::Scratchpads;

use crate::core::Core;
use deputy_protocol::{ProfileFile, ProfileFileKind};
use folder::ProfileFolder;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// What is known of the files, by profile: why one could not be taken up, until it can be.
#[derive(Default)]
pub(crate) struct ProfileFiles {
    problems: Mutex<HashMap<(String, ProfileFileKind), FileProblem>>,
    /// Held while files are compared with memories: one change at a time.
    working: tokio::sync::Mutex<()>,
    pub(crate) scratchpads: Scratchpads,
}

impl ProfileFiles {
    fn note(&self, profile: &str, kind: ProfileFileKind, problem: Result<(), FileProblem>) {
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        let of = (profile.to_owned(), kind);
        match problem {
            Ok(()) => drop(problems.remove(&of)),
            Err(problem) => {
                tracing::warn!("{problem}");
                problems.insert(of, problem);
            }
        }
    }

    fn problem(&self, profile: &str, kind: ProfileFileKind) -> Option<String> {
        let problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        problems.get(&(profile.to_owned(), kind)).map(FileProblem::to_string)
    }
}

impl Core {
    /// Takes up what a person changed in the files of a profile, and writes them as the memories are then. Makes the folder.
    pub(crate) async fn keep_profile_files(&self, profile: &str) {
        let _one = self.profile_files.working.lock().await;
        let folder = ProfileFolder::of(&self.home, profile);
        let kept = preferences::keep(self, &folder, profile).await;
        self.profile_files.note(profile, ProfileFileKind::Preferences, kept);
        let kept = history::keep(self, &folder, profile).await;
        self.profile_files.note(profile, ProfileFileKind::History, kept);
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
                let (text, unreadable) = match folder.read(kind) {
                    Ok(Some(text)) => (text, None),
                    Ok(None) => continue,
                    Err(problem) => (String::new(), Some(problem.to_string())),
                };
                files.push(ProfileFile {
                    profile: profile.clone(),
                    kind,
                    path: folder.path(kind).to_string_lossy().into_owned(),
                    text,
                    problem: unreadable.or_else(|| self.profile_files.problem(&profile, kind)),
                });
            }
        }
        files
    }
}
