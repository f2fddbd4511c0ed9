//! Takes a job back: what was executed, turned round, newest first, as a job of its own.

use crate::disk::DiskError;
use crate::job::{Act, IfTaken, Job, RestoredTime, Step};
use crate::ledger::{History, StepState};
use crate::model::{Id, Model};
use crate::standing::{Fingerprint, Kind};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// What stands against taking one step back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The operation that would be taken back.
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
    /// Something else stands where it came from.
    Taken,
    /// The folder that it came from is gone.
    FolderGone,
}

impl ConflictReason {
    /// For people.
    pub fn text(self) -> &'static str {
        match self {
            Self::Gone => "it is not where the job left it",
            Self::Changed => "it has changed since the job",
            Self::Taken => "something else stands where it came from",
            Self::FolderGone => "the folder that it came from is gone",
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

/// A job turned round, and what stands against it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reversal {
    /// What would be done.
    pub job: Job,
    /// What stands against it, by file; running the job deals with them as was chosen.
    pub conflicts: Vec<Conflict>,
}

/// Turns round what of a job was done. Looks at the disk and changes nothing. The history must not be open: settle it
/// first, as opening it through [`crate::Jobs`] does.
pub fn reverse(history: &History, id: &str, choice: ConflictChoice) -> Result<Reversal, DiskError> {
    let mut steps = Vec::new();
    let mut conflicts = Vec::new();
    let mut model = Model::new();
    for (step, state) in history.job.steps.iter().zip(&history.steps).rev() {
        let StepState::Done(to) = state else { continue };
        let to = to.as_deref().or_else(|| step.act.destination()).unwrap_or_else(|| step.act.path());
        let Some(mut turned) = turned_round(step, to) else { continue };
        if let Some(reason) = attempt(&mut model, &mut turned, choice)? {
            let path = turned.act.path().to_owned();
            conflicts.push(Conflict { operation: step.operation.clone(), path, reason });
        }
        steps.push(turned);
    }
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

/// The opposite of a step that led to `to`.
fn turned_round(step: &Step, to: &Path) -> Option<Step> {
    let (act, expects) = match &step.act {
        Act::CreateFolder(folder) => (Act::RemoveFolder(folder.clone()), None),
        Act::RemoveFolder(folder) => (Act::CreateFolder(folder.clone()), None),
        Act::Move(paths) => (Act::Move(Act::between(to, &paths.from)), step.expects),
        // What was copied goes into the trash, so that even that can be taken back.
        Act::Copy(_) => {
            let trash = step.trash.clone()?;
            (Act::Trash(Act::between(to, trash)), step.expects.map(Fingerprint::copied))
        }
        Act::Trash(paths) => (Act::Restore(Act::between(to, &paths.from)), step.expects),
        Act::Restore(paths) => {
            let trash = paths.from.parent()?.parent()?.to_owned();
            (Act::Trash(Act::between(to, trash)), step.expects)
        }
    };
    Some(Step { operation: step.operation.clone(), act, expects, trash: step.trash.clone() })
}

/// Tries a turned step on the model; where nothing stands against it, the model is then as if it had been done.
fn attempt(
    model: &mut Model,
    step: &mut Step,
    choice: ConflictChoice,
) -> Result<Option<ConflictReason>, DiskError> {
    let path = step.act.path().to_owned();
    let found = model.find(&path)?;
    match (&step.act, found) {
        // A folder that is gone, or that has to stay because of what is in it, stands against nothing.
        (Act::RemoveFolder(_), Some(folder)) => {
            if model.kind(folder) == Kind::Folder && model.names(folder)?.is_empty() {
                model.detach(folder);
            }
            Ok(None)
        }
        (Act::RemoveFolder(_), None) | (Act::CreateFolder(_), Some(_)) => Ok(None),
        (Act::CreateFolder(_), None) => match parent_of(model, &path)? {
            None => Ok(Some(ConflictReason::FolderGone)),
            Some(parent) => {
                let standing = *model.standing(parent);
                model.add(parent, path.file_name().unwrap_or_default(), standing);
                Ok(None)
            }
        },
        (_, None) => Ok(Some(ConflictReason::Gone)),
        (_, Some(node)) => attempt_with(model, step, node, choice),
    }
}

fn attempt_with(
    model: &mut Model,
    step: &mut Step,
    node: Id,
    choice: ConflictChoice,
) -> Result<Option<ConflictReason>, DiskError> {
    let now = model.standing(node).fingerprint;
    // Since it was there it crossed to another device and back: the inode is another one.
    if now.inode.is_none() {
        step.expects = step.expects.map(Fingerprint::copied);
    }
    // Across devices it arrived under another inode.
    let has_crossed = crossing(model, step, node)?;
    if has_crossed {
        step.expects = step.expects.map(Fingerprint::copied);
    }
    if step.expects.is_some_and(|expects| !expects.is_same(&now)) {
        if choice == ConflictChoice::KeepBoth {
            step.expects = Some(now);
        }
        return Ok(Some(ConflictReason::Changed));
    }
    if let Act::Trash(_) = step.act {
        model.detach(node);
        return Ok(None);
    }
    let to = step.act.destination().unwrap_or_else(|| step.act.path()).to_owned();
    let Some(parent) = parent_of(model, &to)? else { return Ok(Some(ConflictReason::FolderGone)) };
    if model.find(&to)?.is_some() {
        return Ok(Some(ConflictReason::Taken));
    }
    model.detach(node);
    model.attach(node, parent, to.file_name().unwrap_or_default());
    if has_crossed {
        let device = model.standing(parent).device;
        model.cross(node, device);
    }
    Ok(None)
}

/// Whether a step leads to another device than the one its thing is on.
fn crossing(model: &mut Model, step: &Step, node: Id) -> Result<bool, DiskError> {
    let Some(to) = step.act.destination() else { return Ok(false) };
    let device = match (&step.act, parent_of(model, to)?) {
        (Act::Trash(_), _) | (_, None) => crate::trash::device_above(to),
        (_, Some(parent)) => Some(model.standing(parent).device),
    };
    Ok(device.is_some_and(|device| device != model.standing(node).device))
}

fn parent_of(model: &mut Model, path: &Path) -> Result<Option<Id>, DiskError> {
    let parent = model.find(path.parent().unwrap_or(path))?;
    Ok(parent.filter(|parent| model.kind(*parent) == Kind::Folder))
}
