//! A cache of the journals, so that listing jobs reads only the journals that have changed. It can be deleted without
//! loss; then all journals are read again.

use crate::job::Act;
use crate::journal::{JournalError, JournalFile};
use crate::ledger::{History, StepState};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::fs::Metadata;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

const FILE: &str = "index.json";

/// The summary of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Told {
    pub(crate) scope: Vec<PathBuf>,
    pub(crate) undoes: Option<String>,
    #[serde(default)]
    pub(crate) call: Option<String>,
    pub(crate) steps: usize,
    pub(crate) done: usize,
    pub(crate) skipped: usize,
    /// The number of done operations on anything other than folders.
    pub(crate) moved: usize,
    pub(crate) is_finished: bool,
    pub(crate) is_damaged: bool,
}

/// Metadata by which an unchanged journal is recognized. Journals are append-only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    inode: u64,
    size_bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    stamp: Stamp,
    /// `None` if the process died while creating the journal, so that nothing was done.
    told: Option<Told>,
}

/// The journals of a folder, by job id.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Index {
    entries: BTreeMap<String, Entry>,
    #[serde(skip)]
    has_changed: bool,
}

impl Index {
    /// Loads the cache. Empty if it does not exist or cannot be read.
    pub(crate) fn load(folder: &Path) -> Self {
        let kept = std::fs::read(folder.join(FILE)).ok();
        kept.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Returns the summary of a journal. Reads the journal only if it has changed.
    pub(crate) fn look(
        &mut self,
        id: &str,
        path: &Path,
        now: &Metadata,
    ) -> Result<Option<Told>, JournalError> {
        let stamp = Stamp {
            inode: now.ino(),
            size_bytes: now.size(),
            modified: (now.mtime(), now.mtime_nsec()),
            changed: (now.ctime(), now.ctime_nsec()),
        };
        if let Some(known) = self.entries.get(id).filter(|known| known.stamp == stamp) {
            return Ok(known.told.clone());
        }
        let told = match JournalFile::read(path) {
            Ok((history, is_damaged)) => Some(Told::of(&history, is_damaged)),
            Err(JournalError::Damaged { line: 1, .. }) => None,
            Err(error) => return Err(error),
        };
        self.entries.insert(id.to_owned(), Entry { stamp, told: told.clone() });
        self.has_changed = true;
        Ok(told)
    }

    /// Saves the cache without journals that no longer exist. A failure is harmless, because the journals are then read
    /// again.
    pub(crate) fn keep(&mut self, folder: &Path, is_there: impl Fn(&str) -> bool) {
        let known = self.entries.len();
        self.entries.retain(|id, _| is_there(id));
        if !self.has_changed && self.entries.len() == known {
            return;
        }
        let part = folder.join(format!("{FILE}.{}.part", std::process::id()));
        let mut options = std::fs::OpenOptions::new();
        let file = options.write(true).create(true).truncate(true).mode(0o600).open(&part);
        let written = file.and_then(|file| {
            let mut file = std::io::BufWriter::new(file);
            serde_json::to_writer(&mut file, self)?;
            file.into_inner().map_err(std::io::IntoInnerError::into_error)
        });
        let kept = written.and_then(|_| std::fs::rename(&part, folder.join(FILE)));
        if kept.is_err() {
            let _ = std::fs::remove_file(part);
        }
    }
}

impl Told {
    fn of(history: &History, is_damaged: bool) -> Self {
        let skipped = history.steps.iter().filter(|state| matches!(state, StepState::Skipped(_)));
        Self {
            scope: history.job.scope.clone(),
            undoes: history.job.undoes.clone(),
            call: history.job.call.clone(),
            steps: history.steps.len(),
            done: history.done(),
            skipped: skipped.count(),
            moved: moved(history).collect::<HashSet<_>>().len(),
            is_finished: history.is_finished(),
            is_damaged,
        }
    }
}

/// Returns the operations of a job that affected anything other than folders. Folders that contain something stay in
/// place and do not prevent undoing the job.
pub(crate) fn moved(history: &History) -> impl Iterator<Item = &str> {
    let steps = history.job.steps.iter().zip(&history.steps);
    steps
        .filter(|(step, state)| {
            let is_folder = matches!(step.act, Act::CreateFolder(_) | Act::RemoveFolder(_));
            !is_folder && matches!(state, StepState::Done(_))
        })
        .map(|(step, _)| step.operation.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Job;
    use crate::ledger::{Finished, Ledger, Started};

    /// Regression test: listing jobs used to read every journal completely.
    #[test]
    fn a_journal_is_read_again_only_when_it_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j1.journal");
        let job = Job {
            id: "j1".to_owned(),
            scope: vec!["/a".into()],
            undoes: None,
            call: None,
            if_taken: Default::default(),
            steps: Vec::new(),
            folders: Vec::new(),
            restore_times: Vec::new(),
        };
        let started = Started { job, folders: Vec::new(), boot: String::new() };
        let (mut journal, _) = JournalFile::create(&path, started).unwrap();
        let stands = || std::fs::metadata(&path).unwrap();
        let mut index = Index::load(folder.path());
        let begun = index.look("j1", &path, &stands()).unwrap().unwrap();
        assert_eq!((&*begun.scope, begun.is_finished), (&["/a".into()][..], false));
        index.keep(folder.path(), |_| true);

        journal.finish(&Finished { folders: Vec::new() }).unwrap();
        let mut index = Index::load(folder.path());
        let done = index.look("j1", &path, &stands()).unwrap().unwrap();
        assert!(done.is_finished, "what was added is seen");
        index.keep(folder.path(), |_| true);
        let mode = std::os::unix::fs::PermissionsExt::mode(
            &std::fs::metadata(folder.path().join(FILE)).unwrap().permissions(),
        );
        assert_eq!(mode & 0o777, 0o600, "it names folders of the user's");

        let stamp = stands();
        std::fs::remove_file(&path).unwrap();
        let mut index = Index::load(folder.path());
        assert_eq!(index.look("j1", &path, &stamp).unwrap(), Some(done), "nothing is read");
        index.keep(folder.path(), |_| false);
        assert!(Index::load(folder.path()).entries.is_empty(), "what is gone is forgotten");
        std::fs::write(folder.path().join(FILE), "{torn").unwrap();
        assert!(Index::load(folder.path()).entries.is_empty());
    }
}
