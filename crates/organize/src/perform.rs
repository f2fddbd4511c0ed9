//! Does one step to the disk, after a last look whether it is still about what was checked.

use crate::disk::{DiskError, Moved, Place};
use crate::job::{Act, Step};
use crate::standing::{Kind, Standing};
use crate::transfer::{self, TransferError};
use crate::trash;
use std::path::Path;

/// How a step ended that did not fail.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Performed {
    Done,
    /// Something stands at the destination; nothing was changed.
    Taken,
    /// The reason; nothing was changed.
    Skipped(String),
}

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PerformError {
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error(transparent)]
    Transfer(#[from] TransferError),
    #[error("{path} is on another device than its destination, and folders do not cross; move its files instead", path = .0.display())]
    FolderCrosses(std::path::PathBuf),
    #[error("{path} cannot be made: something that is no folder stands there", path = .0.display())]
    NoFolder(std::path::PathBuf),
}

/// Does it. `to` is where it leads, `part` where half a copy may stand.
pub(crate) fn perform(step: &Step, to: &Path, part: &Path) -> Result<Performed, PerformError> {
    match &step.act {
        Act::CreateFolder(folder) => create(&folder.path),
        Act::RemoveFolder(folder) => remove(&folder.path),
        Act::Copy(paths) => with_source(step, &paths.from, |from, _| {
            let target = Place::at(to)?;
            copy(step, from, &target, part)
        }),
        Act::Move(paths) => {
            with_source(step, &paths.from, |from, found| relocate(step, from, found, to, part))
        }
        Act::Trash(paths) => with_source(step, &paths.from, |from, found| {
            if !trash::announce(&paths.from, to, &trash::now())? {
                return Ok(Performed::Taken);
            }
            let performed = relocate(step, from, found, to, part);
            if !matches!(performed, Ok(Performed::Done)) {
                trash::retract(&paths.from, to)?;
            }
            performed
        }),
        Act::Restore(paths) => with_source(step, &paths.from, |from, found| {
            let performed = relocate(step, from, found, to, part)?;
            if performed == Performed::Done {
                trash::forget(&paths.from)?;
            }
            Ok(performed)
        }),
    }
}

fn create(path: &Path) -> Result<Performed, PerformError> {
    let place = Place::at(path)?;
    if place.make_folder()? {
        return Ok(Performed::Done);
    }
    match place.standing()? {
        Some(found) if found.fingerprint.kind == Kind::Folder => {
            Ok(Performed::Skipped("the folder is there already".to_owned()))
        }
        _ => Err(PerformError::NoFolder(path.to_owned())),
    }
}

fn remove(path: &Path) -> Result<Performed, PerformError> {
    let place = Place::find(path)?;
    let found = place.as_ref().map(Place::standing).transpose()?.flatten();
    let (Some(place), Some(found)) = (place, found) else {
        return Ok(Performed::Skipped("it is gone already".to_owned()));
    };
    if found.fingerprint.kind != Kind::Folder {
        return Ok(Performed::Skipped("it is no folder any more".to_owned()));
    }
    if place.remove_folder()? {
        Ok(Performed::Done)
    } else {
        Ok(Performed::Skipped("it holds other things now, so it stays".to_owned()))
    }
}

/// The drift check: goes on only with what was checked, unchanged.
fn with_source(
    step: &Step,
    path: &Path,
    go_on: impl FnOnce(&Place, Standing) -> Result<Performed, PerformError>,
) -> Result<Performed, PerformError> {
    let place = Place::find(path)?;
    let found = place.as_ref().map(Place::standing).transpose()?.flatten();
    let (Some(place), Some(found)) = (place, found) else {
        return Ok(Performed::Skipped("it is not there any more".to_owned()));
    };
    if step.expects.is_some_and(|expects| !expects.is_same(&found.fingerprint)) {
        return Ok(Performed::Skipped("it has changed since it was checked".to_owned()));
    }
    go_on(&place, found)
}

fn relocate(
    step: &Step,
    from: &Place,
    found: Standing,
    to: &Path,
    part: &Path,
) -> Result<Performed, PerformError> {
    let target = Place::at(to)?;
    match from.move_to(&target)? {
        Moved::Done => Ok(Performed::Done),
        Moved::Taken => Ok(Performed::Taken),
        Moved::Crossing if found.fingerprint.kind != Kind::File => {
            Err(PerformError::FolderCrosses(from.path.clone()))
        }
        Moved::Crossing => {
            let performed = copy(step, from, &target, part)?;
            if performed == Performed::Done {
                if from.standing()? != Some(found) {
                    // What was changed while it was copied stays; the copy that is out of date goes.
                    target.remove_file()?;
                    return Ok(Performed::Skipped("it was changed while it was moved".to_owned()));
                }
                from.remove_file()?;
                transfer::sync_folder(from)?;
            }
            Ok(performed)
        }
    }
}

fn copy(step: &Step, from: &Place, target: &Place, part: &Path) -> Result<Performed, PerformError> {
    let found = from.standing()?.map(|found| found.fingerprint);
    let Some(expects) = step.expects.or(found) else {
        return Ok(Performed::Skipped("it is not there any more".to_owned()));
    };
    if target.standing()?.is_some() {
        return Ok(Performed::Taken);
    }
    let part = target.beside(part.file_name().unwrap_or_default())?;
    match transfer::copy(from, target, &part, &expects) {
        Ok(Moved::Done) => Ok(Performed::Done),
        Ok(_) => Ok(Performed::Taken),
        Err(TransferError::Changed(_)) => {
            Ok(Performed::Skipped("it was changed while it was copied".to_owned()))
        }
        Err(error) => Err(error.into()),
    }
}
