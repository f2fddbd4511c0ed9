//! The events of undo and redo.

use crate::{CallId, FileChange, JobId, Phrase, UndoneRepository};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Changes of a task were undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Undone {
    /// The result for each path.
    pub files: Vec<UndoneFile>,
    /// The result for each git repository. What changed inside it is not in `files`.
    #[serde(default)]
    pub repositories: Vec<UndoneRepository>,
    /// The number of operations of plans that were undone.
    #[serde(default)]
    pub operations: u64,
    /// The jobs that undid plans. Undoing them is the redo.
    #[serde(default)]
    pub jobs: Vec<JobId>,
    /// The number of changes and executed plans that undo can still revert. Absent in older journals.
    #[serde(default)]
    pub left: Option<u64>,
    /// Whether a redo can make something again. Absent in older journals.
    #[serde(default)]
    pub can_redo: Option<bool>,
}

/// Changes that an undo had reverted were made again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Redone {
    /// The result for each path. `restored` is true if the path is again as the call left it.
    pub files: Vec<UndoneFile>,
    /// The result for each git repository. What changed inside it is not in `files`.
    #[serde(default)]
    pub repositories: Vec<UndoneRepository>,
    /// The number of operations of plans that were made again.
    #[serde(default)]
    pub operations: u64,
    /// The jobs that had undone plans and were undone themselves.
    #[serde(default)]
    pub jobs: Vec<JobId>,
    /// The number of changes and executed plans that undo can now revert.
    pub left: u64,
    /// Whether a further redo can make something again. Absent in older journals.
    #[serde(default)]
    pub can_redo: Option<bool>,
}

impl Undone {
    /// Returns whether anything was undone.
    pub fn did_something(&self) -> bool {
        self.operations > 0
            || self.files.iter().any(|file| file.restored)
            || self.repositories.iter().any(UndoneRepository::is_restored)
    }
}

impl Redone {
    /// Returns whether anything was made again.
    pub fn did_something(&self) -> bool {
        self.operations > 0
            || self.files.iter().any(|file| file.restored)
            || self.repositories.iter().any(UndoneRepository::is_restored)
    }

    /// Removes what was redone from the undos that can be redone, given oldest first. Plans and the changes of sub-tasks
    /// can also be redone on their own, in any order.
    pub fn settle(&self, undos: &mut Vec<Undone>) {
        for undo in undos.iter_mut().filter(|undo| !undo.jobs.is_empty()) {
            undo.jobs.retain(|job| !self.jobs.contains(job));
            if undo.jobs.is_empty() {
                undo.operations = 0;
            }
        }
        let key = |file: &UndoneFile| (file.call.clone(), file.change.path.clone());
        let mut redone: HashMap<_, Vec<&FileChange>> = HashMap::new();
        for file in &self.files {
            redone.entry(key(file)).or_default().push(&file.change);
        }
        for undo in undos.iter_mut().rev() {
            undo.files.retain(|file| {
                let same = redone.get_mut(&key(file)).filter(|_| file.restored);
                let Some(same) = same else { return true };
                let Some(at) = same.iter().position(|change| **change == file.change) else { return true };
                same.swap_remove(at);
                false
            });
        }
        for redone in self.repositories.iter().filter(|redone| redone.is_restored()) {
            let undone = undos.iter_mut().rev().flat_map(|undo| &mut undo.repositories);
            for same in undone.filter(|undone| undone.is_restored() && undone.folder == redone.folder) {
                same.calls.retain(|call| !redone.calls.contains(call));
            }
        }
        for undo in undos.iter_mut() {
            undo.repositories.retain(|undone| !undone.calls.is_empty());
        }
        if self.jobs.is_empty() && self.operations > 0 {
            // Older journals do not name the jobs.
            if let Some(newest) = undos.iter_mut().rev().find(|undo| undo.operations > 0) {
                newest.jobs.clear();
                newest.operations = 0;
            }
        }
        undos.retain(Undone::did_something);
    }
}

/// The result of an undo or a redo for one path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UndoneFile {
    /// The call that made the change.
    pub call: CallId,
    /// The change, as it was made.
    pub change: FileChange,
    /// Whether the path is now as it was before the call.
    pub restored: bool,
    /// What was done, or why the path could not be restored.
    pub message: Phrase,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AbsentFile, FileState, RepositoryOutcome};

    fn file(path: &str) -> UndoneFile {
        let state = || FileState::Absent(AbsentFile::default());
        UndoneFile {
            call: CallId::new("t1-1-0"),
            change: FileChange {
                path: path.to_owned(),
                before: state(),
                after: state(),
                before_modified: None,
            },
            restored: true,
            message: "restored".into(),
        }
    }

    fn undone(files: &[&str], jobs: &[&str]) -> Undone {
        Undone {
            files: files.iter().map(|path| file(path)).collect(),
            repositories: Vec::new(),
            operations: 3 * jobs.len() as u64,
            jobs: jobs.iter().map(|job| JobId::new(*job)).collect(),
            left: None,
            can_redo: None,
        }
    }

    fn settled(redone: Undone, mut undos: Vec<Undone>) -> Vec<Undone> {
        let Undone { files, repositories, operations, jobs, .. } = redone;
        Redone { files, repositories, operations, jobs, left: 0, can_redo: None }.settle(&mut undos);
        undos
    }

    #[test]
    fn a_redo_settles_what_it_made_again_and_nothing_else() {
        let undos = || vec![undone(&["a", "b"], &["j1"]), undone(&[], &["j2"])];
        let left = [undone(&["a", "b"], &[]), undone(&[], &["j2"])];
        assert_eq!(settled(undone(&[], &["j1"]), undos()), left, "a plan, although another was undone later");
        let left = [undone(&["b"], &["j1"]), undone(&[], &["j2"])];
        assert_eq!(settled(undone(&["a"], &[]), undos()), left, "the part of a sub-task");
        assert_eq!(settled(undone(&["a", "b"], &["j1"]), undos()), [undone(&[], &["j2"])]);
        let unnamed = Undone { operations: 3, ..undone(&["a"], &[]) };
        let old = vec![undone(&["b"], &[]), unnamed.clone()];
        assert_eq!(settled(unnamed, old), [undone(&["b"], &[])], "an older journal does not name the jobs");
        let repository = |calls: &[&str]| Undone {
            repositories: vec![UndoneRepository {
                folder: "/w/.git".to_owned(),
                calls: calls.iter().map(|call| CallId::new(*call)).collect(),
                is_whole: false,
                outcome: RepositoryOutcome::Restored,
                message: "main is back".into(),
            }],
            ..undone(&[], &[])
        };
        let both = || vec![repository(&["t1-1-0", "t2-1-0"])];
        assert_eq!(
            settled(repository(&["t2-1-0"]), both()),
            [repository(&["t1-1-0"])],
            "of a sub-task alone"
        );
        assert_eq!(settled(repository(&["t1-1-0", "t2-1-0"]), both()), []);
    }
}
