//! What jobs touch, for policy: the accesses of each step as it is executed.

use super::words;
use deputy_messages::organize as say;
use deputy_organize::{Act, History, Job, Reversal, StepState};
use deputy_protocol::{Access, CopyAccess, DeleteAccess, Effect, Facts, MoveAccess, Risk, WriteAccess};
use std::path::{Path, PathBuf};

/// Returns the accesses of the selected steps of a job.
pub(super) fn accesses(job: &Job, is_meant: impl Fn(usize) -> bool) -> Vec<Access> {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let access = |act: &Act| match act {
        Act::CreateFolder(folder) => Access::Write(WriteAccess { path: text(&folder.path) }),
        Act::RemoveFolder(folder) => Access::Delete(DeleteAccess { path: text(&folder.path) }),
        Act::Move(paths) => Access::Move(MoveAccess { path: text(&paths.from), dest: text(&paths.to) }),
        Act::Copy(paths) => Access::Copy(CopyAccess { path: text(&paths.from), dest: text(&paths.to) }),
        Act::Trash(paths) => Access::Delete(DeleteAccess { path: text(&paths.from) }),
        // The source is the trash, which the job itself filled.
        Act::Restore(paths) => Access::Write(WriteAccess { path: text(&paths.to) }),
    };
    job.steps
        .iter()
        .enumerate()
        .filter(|(index, _)| is_meant(*index))
        .map(|(_, step)| access(&step.act))
        .collect()
}

/// Returns the user's files that a step touches. Paths in the trash are not included.
pub(super) fn paths(act: &Act) -> impl Iterator<Item = &Path> {
    let (from, to) = match act {
        Act::CreateFolder(folder) | Act::RemoveFolder(folder) => (Some(&folder.path), None),
        Act::Move(paths) | Act::Copy(paths) => (Some(&paths.from), Some(&paths.to)),
        Act::Trash(paths) => (Some(&paths.from), None),
        Act::Restore(paths) => (None, Some(&paths.to)),
    };
    [from, to].into_iter().flatten().map(PathBuf::as_path)
}

/// Returns what a job still has to do.
pub(super) fn left_of(history: &History) -> Facts {
    let is_left = |index: usize| !matches!(history.steps.get(index), Some(StepState::Done(_)));
    let (id, done, steps) = (&history.job.id, history.done(), history.steps.len());
    Facts {
        effect: Effect::Mutating,
        accesses: accesses(&history.job, is_left),
        summary: say::continue_job(done, id, steps),
        diff: None,
        plan: None,
        risk: Risk::Medium,
    }
}

/// Returns what undoing a job would do.
pub(super) fn reversal(id: &str, reversal: &Reversal) -> Facts {
    Facts {
        effect: Effect::Mutating,
        accesses: accesses(&reversal.job, |_| true),
        summary: say::take_back_job(id, reversal.job.steps.len()),
        diff: Some(words::reversal_text(reversal)),
        plan: None,
        risk: Risk::Medium,
    }
}
