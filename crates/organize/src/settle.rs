//! What became of a step that a crash cut off: decided by looking at the disk.

use crate::disk::{DiskError, Place, lists, standing};
use crate::job::{Act, Step};
use crate::standing::{Fingerprint, Kind, Standing};
use crate::transfer::is_same_content;
use crate::trash;
use std::path::{Path, PathBuf};

/// What the disk says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// It happened, wholly.
    Done,
    /// It did not happen; what was left half done is gone again.
    NotDone,
}

/// The name under which a half copy stands until it is whole.
pub(crate) fn part_of(job: &str, step: usize, to: &Path) -> PathBuf {
    to.with_file_name(format!(".deputy-{job}-{step}.part"))
}

/// Looks what became of a step that had begun and was to lead to `to`, and finishes what was half done.
pub(crate) fn settle(job: &str, index: usize, step: &Step, to: Option<&Path>) -> Result<Settled, DiskError> {
    let to = to.or_else(|| step.act.destination()).unwrap_or_else(|| step.act.path());
    if let Some(part) = Place::find(&part_of(job, index, to))? {
        part.remove_file()?;
    }
    match &step.act {
        Act::CreateFolder(folder) => Ok(done_if(is_folder(standing(&folder.path)?))),
        Act::RemoveFolder(folder) => Ok(done_if(standing(&folder.path)?.is_none())),
        Act::Copy(paths) => settle_copy(step, &paths.from, to),
        Act::Move(paths) => settle_move(step, &paths.from, to),
        Act::Trash(paths) => {
            let settled = settle_move(step, &paths.from, to)?;
            if settled != Settled::Done {
                trash::retract(&paths.from, to)?;
            }
            Ok(settled)
        }
        Act::Restore(paths) => {
            let settled = settle_move(step, &paths.from, to)?;
            if settled == Settled::Done {
                trash::forget(&paths.from)?;
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

/// What stands at a place, if it is what the step is about.
fn expected(step: &Step, place: Option<&Place>) -> Result<Option<Standing>, DiskError> {
    let Some(place) = place else { return Ok(None) };
    let found = place.standing()?;
    Ok(found.filter(|found| step.expects.is_none_or(|expects| expects.is_same(&found.fingerprint))))
}

fn settle_move(step: &Step, from: &Path, to: &Path) -> Result<Settled, DiskError> {
    let (source, target) = (Place::find(from)?, Place::find(to)?);
    let Some(left) = expected(step, source.as_ref())? else {
        return arrived(step, target.as_ref());
    };
    let (Some(source), Some(target)) = (source, target) else { return Ok(Settled::NotDone) };
    let Some(there) = target.standing()? else { return Ok(Settled::NotDone) };
    if source.is_case_of(&target)? {
        // One thing under two spellings: which one it has, only the folder's list says.
        return Ok(done_if(lists(&target)? && !lists(&source)?));
    }
    if left.fingerprint.kind != Kind::File || there.fingerprint.kind != Kind::File {
        return Ok(Settled::NotDone);
    }
    let is_linked = left.device == there.device && left.fingerprint.inode == there.fingerprint.inode;
    let is_copied = left.device != there.device
        && left.fingerprint.copied().is_same(&there.fingerprint)
        && is_same_content(&source, &target)?;
    if is_linked || is_copied {
        // Whole at its destination and not yet gone from its source: that is all that is left to do.
        source.remove_file()?;
        return Ok(Settled::Done);
    }
    Ok(Settled::NotDone)
}

fn arrived(step: &Step, target: Option<&Place>) -> Result<Settled, DiskError> {
    let Some(target) = target else { return Ok(Settled::NotDone) };
    let (Some(there), Some(expects)) = (target.standing()?, step.expects) else {
        return Ok(Settled::NotDone);
    };
    // Whoever changed it there since, it is the same file; across devices the inode is another one, but size and time
    // are the file's own.
    let is_it = expects.kind == there.fingerprint.kind
        && expects.inode.is_some()
        && expects.inode == there.fingerprint.inode;
    Ok(done_if(is_it || expects.copied().is_same(&there.fingerprint)))
}

fn settle_copy(step: &Step, from: &Path, to: &Path) -> Result<Settled, DiskError> {
    let (source, target) = (Place::find(from)?, Place::find(to)?);
    let loose = Step { expects: step.expects.map(Fingerprint::copied), ..step.clone() };
    let Some(_) = expected(&loose, target.as_ref())? else { return Ok(Settled::NotDone) };
    match (source, target) {
        (Some(source), Some(target)) if expected(step, Some(&source))?.is_some() => {
            Ok(done_if(is_same_content(&source, &target)?))
        }
        _ => Ok(Settled::Done),
    }
}
