//! The files of a profile on disk: reads are limited in size, and writes are atomic.

use deputy_messages::agent as say;
use deputy_protocol::{Phrase, ProfileFileKind};
use deputy_store::StoreError;
use std::fs::{DirBuilder, File};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The maximum size of a file. None of them can be larger.
const MOST_BYTES: u64 = MOST_MB << 20;
const MOST_MB: u64 = 4;

/// The reason why a file of a profile cannot be used. The file is left unchanged until it can.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum FileProblem {
    File { path: PathBuf, problem: Phrase },
    Store(#[from] StoreError),
}

impl FileProblem {
    /// Returns the message for this error.
    pub(crate) fn phrase(&self) -> Phrase {
        match self {
            Self::File { path, problem } => say::profile_file_unusable(path.display(), problem.clone()),
            Self::Store(error) => say::profile_files_not_compared(error),
        }
    }
}

deputy_messages::said_by_phrase!(FileProblem);

/// The folder of one profile.
pub(super) struct ProfileFolder {
    path: PathBuf,
}

/// Returns the names of the profiles that have a folder.
pub(super) fn profiles(home: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(home.join("profiles")).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut names: Vec<String> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

impl ProfileFolder {
    /// Returns the folder of a profile. The profile was loaded by its name, so the name cannot point elsewhere.
    pub(super) fn of(home: &Path, profile: &str) -> Self {
        Self { path: home.join("profiles").join(profile) }
    }

    pub(super) fn path(&self, kind: ProfileFileKind) -> PathBuf {
        self.path.join(match kind {
            ProfileFileKind::Scratchpad => "scratchpad.md",
            ProfileFileKind::History => "conversation_history.json",
            ProfileFileKind::Preferences => "learned_preferences.toml",
        })
    }

    /// Describes the problem of a file.
    pub(super) fn problem(&self, kind: ProfileFileKind, problem: impl Into<Phrase>) -> FileProblem {
        FileProblem::File { path: self.path(kind), problem: problem.into() }
    }

    /// Returns the content of a file. `None` if it does not exist.
    pub(super) fn read(&self, kind: ProfileFileKind) -> Result<Option<String>, FileProblem> {
        let wrong = |error: std::io::Error| self.problem(kind, error.to_string());
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        let opened = File::options().read(true).custom_flags(flags.bits() as i32).open(self.path(kind));
        let file = match opened {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(wrong(error)),
        };
        let meta = file.metadata().map_err(wrong)?;
        if !meta.is_file() {
            return Err(self.problem(kind, say::file_not_regular()));
        }
        if meta.len() > MOST_BYTES {
            return Err(self.problem(kind, say::file_larger_than(MOST_MB)));
        }
        let mut text = String::new();
        file.take(MOST_BYTES).read_to_string(&mut text).map_err(wrong)?;
        Ok(Some(text))
    }

    /// Writes a file that only the user can read, unless its content has changed since it was read.
    pub(super) fn write(
        &self,
        kind: ProfileFileKind,
        before: Option<&str>,
        text: &str,
    ) -> Result<(), FileProblem> {
        if before == Some(text) || self.read(kind)?.as_deref() != before {
            return Ok(());
        }
        let write = || {
            DirBuilder::new().recursive(true).mode(0o700).create(&self.path)?;
            let mut file = tempfile::NamedTempFile::new_in(&self.path)?;
            file.write_all(text.as_bytes())?;
            file.as_file().sync_all()?;
            file.persist(self.path(kind)).map_err(|error| error.error)
        };
        write().map(drop).map_err(|error| self.problem(kind, error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: ProfileFileKind = ProfileFileKind::Scratchpad;

    #[test]
    fn what_a_person_wrote_meanwhile_is_not_written_over_and_a_link_is_not_followed() {
        let home = tempfile::tempdir().unwrap();
        let folder = ProfileFolder::of(home.path(), "general");
        assert_eq!(folder.read(KIND).unwrap(), None);
        folder.write(KIND, None, "one").unwrap();
        assert_eq!(folder.read(KIND).unwrap().as_deref(), Some("one"));
        assert_eq!(profiles(home.path()), ["general"]);
        std::fs::write(folder.path(KIND), "by hand").unwrap();
        folder.write(KIND, Some("one"), "two").unwrap();
        assert_eq!(folder.read(KIND).unwrap().as_deref(), Some("by hand"));
        std::fs::remove_file(folder.path(KIND)).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", folder.path(KIND)).unwrap();
        assert!(folder.read(KIND).is_err());
        assert!(folder.write(KIND, None, "three").is_err());
    }
}
