//! Undoes a job by reversing its steps, newest first, as a new job.

use crate::disk::DiskError;
use crate::job::{Act, IfTaken, Job, RestoredTime, Step};
use crate::ledger::{History, StepState, Trace};
use crate::model::{Id, Model};
use crate::standing::{Fingerprint, Kind};
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// What prevents undoing a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The operation to undo.
    pub operation: String,
    /// The file that is affected.
    pub path: PathBuf,
    /// The reason.
    pub reason: ConflictReason,
}

/// The reason for a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictReason {
    /// The file is not where the job left it.
    Gone,
    /// The file has changed since.
    Changed,
    /// Something else is at the original path.
    Taken,
    /// The original folder is gone.
    FolderGone,
}

impl ConflictReason {
    /// Returns the message for people.
    pub fn phrase(self) -> Phrase {
        match self {
            Self::Gone => say::undo_gone(),
            Self::Changed => say::undo_changed(),
            Self::Taken => say::undo_taken(),
            Self::FolderGone => say::undo_folder_gone(),
        }
    }
}

/// What to do with files in conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictChoice {
    /// Leave them where they are.
    Skip,
    /// Move them back with their current content. If their name is taken, use another one.
    KeepBoth,
}

/// The reversal of a job, and its conflicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reversal {
    /// The job that undoes it.
    pub job: Job,
    /// The conflicts by file. Running the job handles them according to the choice.
    pub conflicts: Vec<Conflict>,
}

/// Reverses what a job did, except for operations that were undone before. Reads the disk and changes nothing. The
/// history must not contain open steps. Opening it through [`crate::Jobs`] settles them.
pub fn reverse(
    history: &History,
    id: &str,
    choice: ConflictChoice,
    undone: &HashSet<String>,
) -> Result<Reversal, DiskError> {
    let mut turned = Vec::new();
    for (step, state) in history.job.steps.iter().zip(&history.steps).rev() {
        let StepState::Done(trace) = state else { continue };
        turned.extend(turned_round(step, trace).filter(|step| {
            // A folder that an operation made may only be empty now.
            matches!(step.act, Act::RemoveFolder(_)) || !undone.contains(&step.operation)
        }));
    }
    let mut conflicts: Vec<Conflict> = Vec::new();
    let mut against: HashSet<String> = HashSet::new();
    let steps = loop {
        let mut attempt = Attempt { model: Model::new(), choice, steps: Vec::new(), conflicts: Vec::new() };
        for step in &turned {
            attempt.take_back(step.clone())?;
        }
        let known = conflicts.len();
        for conflict in attempt.conflicts {
            if against.insert(conflict.operation.clone()) {
                conflicts.push(conflict);
            }
        }
        if choice == ConflictChoice::KeepBoth || conflicts.len() == known {
            break attempt.steps;
        }
        // An operation is undone completely or not at all. What it leaves in place can be in the way of others.
        turned.retain(|step| matches!(step.act, Act::RemoveFolder(_)) || !against.contains(&step.operation));
    };
    let after: HashMap<_, _> =
        history.folders_after.iter().flatten().map(|time| (&time.folder, time.modified)).collect();
    let restore_times = history.folders_before.iter().map(|time| RestoredTime {
        folder: time.folder.clone(),
        before: time.modified,
        after: after.get(&time.folder).copied(),
    });
    let if_taken = match choice {
        ConflictChoice::Skip => IfTaken::Skip,
        ConflictChoice::KeepBoth => IfTaken::Number,
    };
    let job = Job {
        id: id.to_owned(),
        scope: history.job.scope.clone(),
        undoes: Some(history.job.id.clone()),
        call: None,
        if_taken,
        steps,
        folders: history.job.folders.clone(),
        restore_times: if conflicts.is_empty() { restore_times.collect() } else { Vec::new() },
    };
    Ok(Reversal { job, conflicts })
}

/// Returns the opposite of a performed step.
fn turned_round(step: &Step, trace: &Trace) -> Option<Step> {
    let to = trace.to(&step.act);
    // If the entry was moved by copying, the copy is now the entry.
    let left = trace.copy.or(step.expects);
    let (act, expects) = match &step.act {
        Act::CreateFolder(folder) => (Act::RemoveFolder(folder.clone()), None),
        Act::RemoveFolder(folder) => (Act::CreateFolder(folder.clone()), None),
        Act::Move(paths) => (Act::Move(Act::between(to, &paths.from)), left),
        // Trash the copy, so that even the undo can be undone.
        Act::Copy(_) => {
            let trash = step.trash.clone()?;
            (Act::Trash(Act::between(to, trash)), left)
        }
        Act::Trash(paths) => (Act::Restore(Act::between(to, &paths.from)), left),
        Act::Restore(paths) => {
            let trash = paths.from.parent()?.parent()?.to_owned();
            (Act::Trash(Act::between(to, trash)), left)
        }
    };
    Some(Step { operation: step.operation.clone(), act, expects, trash: step.trash.clone() })
}

/// A trial of reversed steps on a model of the tree.
struct Attempt {
    model: Model,
    choice: ConflictChoice,
    steps: Vec<Step>,
    conflicts: Vec<Conflict>,
}

impl Attempt {
    /// Tries a step, and applies it to the model.
    fn take_back(&mut self, mut step: Step) -> Result<(), DiskError> {
        let path = step.act.path().to_owned();
        let found = self.model.find(&path)?;
        match (&step.act, found) {
            // A folder that is gone, or that must stay because of its content, does not conflict with anything.
            (Act::RemoveFolder(_), Some(folder)) => {
                if self.model.kind(folder) == Kind::Folder && self.model.names(folder)?.is_empty() {
                    self.model.detach(folder);
                }
            }
            (Act::RemoveFolder(_), None) | (Act::CreateFolder(_), Some(_)) => {}
            (Act::CreateFolder(_), None) => self.make(&step.operation, &path)?,
            (_, None) => self.conflict(&step, ConflictReason::Gone),
            (_, Some(node)) => {
                if !self.bring_back(&mut step, node)? {
                    return Ok(());
                }
            }
        }
        if !matches!(step.act, Act::CreateFolder(_)) {
            self.steps.push(step);
        }
        Ok(())
    }

    fn conflict(&mut self, step: &Step, reason: ConflictReason) {
        let path = step.act.path().to_owned();
        self.conflicts.push(Conflict { operation: step.operation.clone(), path, reason });
    }

    /// Returns whether to try the step. `false` if the original folder neither exists nor can be created.
    fn bring_back(&mut self, step: &mut Step, node: Id) -> Result<bool, DiskError> {
        let keeps_both = self.choice == ConflictChoice::KeepBoth;
        let now = self.model.standing(node).fingerprint;
        // The entry crossed to another device and back, so its inode is different.
        if now.inode.is_none() {
            step.expects = step.expects.map(Fingerprint::copied);
        }
        if step.expects.is_some_and(|expects| !expects.is_same(&now)) {
            self.conflict(step, ConflictReason::Changed);
            if !keeps_both {
                return Ok(true);
            }
            step.expects = Some(now);
        }
        if let Act::Trash(_) = step.act {
            self.model.detach(node);
            return Ok(true);
        }
        let to = step.act.destination().unwrap_or_else(|| step.act.path()).to_owned();
        let parent = match self.folder_above(&to)? {
            Some(parent) => parent,
            None => {
                self.conflict(step, ConflictReason::FolderGone);
                if !keeps_both {
                    return Ok(true);
                }
                self.make(&step.operation, to.parent().unwrap_or(&to))?;
                match self.folder_above(&to)? {
                    Some(parent) => parent,
                    None => return Ok(false),
                }
            }
        };
        let is_taken = self.model.find(&to)?.is_some();
        if is_taken {
            self.conflict(step, ConflictReason::Taken);
            if !keeps_both {
                return Ok(true);
            }
        }
        let device = self.model.standing(parent).device;
        let crosses = device != self.model.standing(node).device;
        self.model.detach(node);
        if !is_taken {
            self.model.attach(node, parent, to.file_name().unwrap_or_default());
            if crosses {
                self.model.cross(node, device);
            }
        }
        Ok(true)
    }

    /// Creates a folder and its missing parents, unless something else is in the way.
    fn make(&mut self, operation: &str, folder: &Path) -> Result<(), DiskError> {
        let mut missing = Vec::new();
        for above in folder.ancestors() {
            match self.model.find(above)? {
                None => missing.push(above),
                Some(found) if self.model.kind(found) == Kind::Folder => break,
                Some(_) => return Ok(()),
            }
        }
        for folder in missing.into_iter().rev() {
            if let Some(parent) = self.folder_above(folder)? {
                let standing = *self.model.standing(parent);
                self.model.add(parent, folder.file_name().unwrap_or_default(), standing);
                let act = Act::CreateFolder(Act::folder(folder));
                self.steps.push(Step { operation: operation.to_owned(), act, expects: None, trash: None });
            }
        }
        Ok(())
    }

    fn folder_above(&mut self, path: &Path) -> Result<Option<Id>, DiskError> {
        let parent = self.model.find(path.parent().unwrap_or(path))?;
        Ok(parent.filter(|parent| self.model.kind(*parent) == Kind::Folder))
    }
}
