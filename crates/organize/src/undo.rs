//! Takes a job back: what was executed, turned round, newest first, as a job of its own.

use crate::disk::DiskError;
use crate::job::{Act, IfTaken, Job, RestoredTime, Step};
use crate::ledger::{History, StepState, Trace};
use crate::model::{Id, Model};
use crate::standing::{Fingerprint, Kind};
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// What prevents undoing one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The operation that would be undone.
    pub operation: String,
    /// The file that it is about.
    pub path: PathBuf,
    /// What is wrong.
    pub reason: ConflictReason,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictReason {
    /// It is not where the job left it.
    Gone,
    /// It has changed since.
    Changed,
    /// Something else is at its old path.
    Taken,
    /// The folder that it came from is gone.
    FolderGone,
}

impl ConflictReason {
    /// For people.
    pub fn phrase(self) -> Phrase {
        match self {
            Self::Gone => say::undo_gone(),
            Self::Changed => say::undo_changed(),
            Self::Taken => say::undo_taken(),
            Self::FolderGone => say::undo_folder_gone(),
        }
    }
}

/// What happens with files that are in conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictChoice {
    /// They stay where they are.
    Skip,
    /// They come back as they are now, under another name where theirs is taken.
    KeepBoth,
}

/// A job turned round, and what conflicts with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reversal {
    /// What would be done.
    pub job: Job,
    /// What conflicts with it, by file; running the job deals with them as was chosen.
    pub conflicts: Vec<Conflict>,
}

/// Turns round what of a job was done. Looks at the disk and changes nothing. The history must not be open: settle it
/// first, as opening it through [`crate::Jobs`] does.
pub fn reverse(history: &History, id: &str, choice: ConflictChoice) -> Result<Reversal, DiskError> {
    let mut turned = Vec::new();
    for (step, state) in history.job.steps.iter().zip(&history.steps).rev() {
        if let StepState::Done(trace) = state {
            turned.extend(turned_round(step, trace));
        }
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
        // An operation is undone as a whole or not at all; what it leaves where it is can be in the way of others.
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
        if_taken,
        steps,
        folders: history.job.folders.clone(),
        restore_times: if conflicts.is_empty() { restore_times.collect() } else { Vec::new() },
    };
    Ok(Reversal { job, conflicts })
}

/// The opposite of a step that happened.
fn turned_round(step: &Step, trace: &Trace) -> Option<Step> {
    let to = trace.to(&step.act);
    // What went by way of a copy is that copy now.
    let left = trace.copy.or(step.expects);
    let (act, expects) = match &step.act {
        Act::CreateFolder(folder) => (Act::RemoveFolder(folder.clone()), None),
        Act::RemoveFolder(folder) => (Act::CreateFolder(folder.clone()), None),
        Act::Move(paths) => (Act::Move(Act::between(to, &paths.from)), left),
        // What was copied goes into the trash, so that even that can be undone.
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

/// Tries turned steps on a model of the tree.
struct Attempt {
    model: Model,
    choice: ConflictChoice,
    steps: Vec<Step>,
    conflicts: Vec<Conflict>,
}

impl Attempt {
    /// Tries a step; the model is then as it would be.
    fn take_back(&mut self, mut step: Step) -> Result<(), DiskError> {
        let path = step.act.path().to_owned();
        let found = self.model.find(&path)?;
        match (&step.act, found) {
            // A folder that is gone, or that has to stay because of what is in it, stands against nothing.
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

    /// Whether the step is to be tried: not where the folder that it came from can neither be found nor made.
    fn bring_back(&mut self, step: &mut Step, node: Id) -> Result<bool, DiskError> {
        let keeps_both = self.choice == ConflictChoice::KeepBoth;
        let now = self.model.standing(node).fingerprint;
        // On the way it crossed to another device and back: the inode is another one.
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

    /// Makes a folder and those above it that are missing, where something else does not be in the way.
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
