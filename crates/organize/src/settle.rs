//! Determines from the disk whether a step happened that a crash interrupted.

use crate::disk::{DiskError, Place, lists, standing};
use crate::job::{Act, Step};
use crate::ledger::Trace;
use crate::standing::{Fingerprint, Kind, Standing};
use crate::trash;
use std::path::{Path, PathBuf};

/// What the disk shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// The step happened completely.
    Done,
    /// The step did not happen. Incomplete results have been removed.
    NotDone,
}

/// Returns the temporary name of an incomplete copy.
pub(crate) fn part_of(job: &str, step: usize, to: &Path) -> PathBuf {
    to.with_file_name(format!(".deputy-{job}-{step}.part"))
}

/// Determines the outcome of a step that had begun, and completes what was half done.
pub(crate) fn settle(job: &str, index: usize, step: &Step, trace: &Trace) -> Result<Settled, DiskError> {
    let to = trace.to(&step.act);
    if let Some(part) = Place::find(&part_of(job, index, to))? {
        part.remove_file()?;
    }
    match &step.act {
        Act::CreateFolder(folder) => Ok(done_if(is_folder(standing(&folder.path)?))),
        Act::RemoveFolder(folder) => Ok(done_if(standing(&folder.path)?.is_none())),
        Act::Copy(_) => Ok(done_if(standing(to)?.is_some_and(|there| is_copy(trace, &there)))),
        Act::Move(paths) => settle_move(step, trace, &paths.from, to),
        Act::Trash(paths) => {
            let settled = settle_move(step, trace, &paths.from, to)?;
            match settled {
                Settled::Done => trash::mend(&paths.from, to)?,
                Settled::NotDone => trash::retract(&paths.from, to),
            }
            Ok(settled)
        }
        Act::Restore(paths) => {
            let settled = settle_move(step, trace, &paths.from, to)?;
            if settled == Settled::Done {
                trash::forget(&paths.from);
            }
            Ok(settled)
        }
    }
}

fn done_if(happened: bool) -> Settled {
    if happened { Settled::Done } else { Settled::NotDone }
}

fn is_folder(standing: Option<Standing>) -> bool {
    standing.is_some_and(|standing| standing.fingerprint.kind == Kind::Folder)
}

/// Returns whether this is the copy that the step made. A file that is merely equal is not ours.
fn is_copy(trace: &Trace, there: &Standing) -> bool {
    trace.copy.is_some_and(|copy| copy.is_same(&there.fingerprint))
}

fn is_expected(step: &Step, found: &Standing) -> bool {
    step.expects.is_none_or(|expects| expects.is_same(&found.fingerprint))
}

fn settle_move(step: &Step, trace: &Trace, from: &Path, to: &Path) -> Result<Settled, DiskError> {
    let (source, target) = (Place::find(from)?, Place::find(to)?);
    let Some(target) = target else { return Ok(Settled::NotDone) };
    let Some(there) = target.standing()? else { return Ok(Settled::NotDone) };
    let left = source.as_ref().map(Place::standing).transpose()?.flatten();
    let (Some(source), Some(left)) = (source, left) else {
        return Ok(done_if(is_it(trace.copy, &there) || is_it(step.expects, &there)));
    };
    if source.is_case_of(&target)? {
        // Both spellings refer to the same entry, so only the folder listing shows which one it has.
        return Ok(done_if(lists(&target)? && !lists(&source)?));
    }
    if is_copy(trace, &there) {
        if !is_expected(step, &left) {
            // The source was changed during the move. Keep it, and remove the outdated copy.
            target.remove_file()?;
            return Ok(Settled::NotDone);
        }
        // The copy is complete at the destination. Only removing the source remains.
        source.remove_file()?;
        return Ok(Settled::Done);
    }
    let is_linked = left.device == there.device && left.fingerprint.inode == there.fingerprint.inode;
    if is_linked && left.fingerprint.kind == Kind::File {
        // The entry was moved by a hard link, and the old name is left over.
        source.remove_file()?;
        return Ok(Settled::Done);
    }
    // The entry has arrived, whatever is at its old path now.
    Ok(done_if(!is_expected(step, &left) && is_it(step.expects, &there)))
}

/// Returns whether the entry at the destination is the one that the step moved there. Even if it was changed since, the
/// inode identifies it.
fn is_it(meant: Option<Fingerprint>, there: &Standing) -> bool {
    meant.is_some_and(|meant| {
        let has_its_inode = meant.inode.is_some() && meant.inode == there.fingerprint.inode;
        meant.kind == there.fingerprint.kind && (has_its_inode || meant.is_same(&there.fingerprint))
    })
}
