//! Performs a single step on disk, after a final check that its source is unchanged.

use crate::disk::{DiskError, Moved, Place};
use crate::job::{Act, Step};
use crate::ledger::LedgerError;
use crate::standing::{Fingerprint, Kind, Moment, Standing};
use crate::transfer::{self, TransferError, WriteDown};
use crate::trash;
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use std::path::{Path, PathBuf};

/// The result of a step that did not fail.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Performed {
    Done,
    /// The destination is taken. Nothing was changed.
    Taken,
    /// The parent folder of the destination is gone. Nothing was changed.
    Nowhere,
    /// The step was skipped for this reason. Nothing was changed.
    Skipped(Phrase),
}

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PerformError {
    Disk(#[from] DiskError),
    Transfer(TransferError),
    Ledger(LedgerError),
    FolderCrosses(PathBuf),
    LinkedCrosses(PathBuf),
    NoFolder(PathBuf),
}

impl PerformError {
    /// Returns the message for people.
    pub(crate) fn phrase(&self) -> Phrase {
        match self {
            Self::Disk(error) => error.phrase(),
            Self::Transfer(error) => error.phrase(),
            Self::Ledger(error) => error.phrase(),
            Self::FolderCrosses(path) => say::step_folder_crosses(path.display()),
            Self::LinkedCrosses(path) => say::step_linked_crosses(path.display()),
            Self::NoFolder(path) => say::cannot_be_created(path.display()),
        }
    }
}

deputy_messages::said_by_phrase!(PerformError);

impl From<TransferError> for PerformError {
    fn from(error: TransferError) -> Self {
        match error {
            TransferError::Ledger(error) => Self::Ledger(error),
            error => Self::Transfer(error),
        }
    }
}

/// A step that is being performed.
pub(crate) struct Performing<'a> {
    pub(crate) step: &'a Step,
    /// The destination.
    pub(crate) to: &'a Path,
    /// The temporary path for an incomplete copy.
    pub(crate) part: &'a Path,
    /// Records a complete copy.
    pub(crate) write_down: &'a mut WriteDown<'a>,
}

impl Performing<'_> {
    pub(crate) fn perform(&mut self) -> Result<Performed, PerformError> {
        match &self.step.act {
            Act::CreateFolder(folder) => create(&folder.path),
            Act::RemoveFolder(folder) => remove(&folder.path),
            Act::Copy(paths) => self.with_source(&paths.from, Self::copy),
            Act::Move(paths) => self.with_source(&paths.from, Self::relocate),
            Act::Trash(paths) => self.with_source(&paths.from, |this, from, found| {
                if this.step.expects.is_some_and(|expects| has_other_things(&expects, &found)) {
                    return Ok(Performed::Skipped(say::came_or_went()));
                }
                if !trash::announce(&paths.from, this.to)? {
                    return Ok(Performed::Taken);
                }
                let performed = this.relocate(from, found);
                if !matches!(performed, Ok(Performed::Done)) {
                    trash::retract(&paths.from, this.to);
                }
                performed
            }),
            Act::Restore(paths) => self.with_source(&paths.from, |this, from, found| {
                let performed = this.relocate(from, found)?;
                if performed == Performed::Done {
                    trash::forget(&paths.from);
                }
                Ok(performed)
            }),
        }
    }

    /// Runs `go_on` if the source exists and is unchanged since the check.
    fn with_source(
        &mut self,
        path: &Path,
        go_on: impl FnOnce(&mut Self, &Place, Standing) -> Result<Performed, PerformError>,
    ) -> Result<Performed, PerformError> {
        let place = Place::find(path)?;
        let found = place.as_ref().map(Place::standing).transpose()?.flatten();
        let (Some(place), Some(found)) = (place, found) else {
            return Ok(Performed::Skipped(say::gone()));
        };
        if self.step.expects.is_some_and(|expects| !expects.is_same(&found.fingerprint)) {
            return Ok(Performed::Skipped(say::changed_since_check()));
        }
        go_on(self, &place, found)
    }

    fn relocate(&mut self, from: &Place, found: Standing) -> Result<Performed, PerformError> {
        let Some(target) = Place::find(self.to)? else { return Ok(Performed::Nowhere) };
        match from.move_to(&target)? {
            Moved::Done => Ok(Performed::Done),
            Moved::Taken => Ok(Performed::Taken),
            Moved::Crossing if found.fingerprint.kind != Kind::File => {
                Err(PerformError::FolderCrosses(from.path.clone()))
            }
            Moved::Crossing if found.links > 1 => Err(PerformError::LinkedCrosses(from.path.clone())),
            Moved::Crossing => self.cross(from, found, &target),
        }
    }

    /// Moves a file to another device. Removes the source only after the copy is complete.
    fn cross(&mut self, from: &Place, found: Standing, target: &Place) -> Result<Performed, PerformError> {
        let copy = match self.copy_to(from, found, target)? {
            Ok(copy) => copy,
            Err(performed) => return Ok(performed),
        };
        let removed = match from.standing() {
            Ok(now) if now == Some(found) => from.remove_file().map(|()| true),
            Ok(_) => Ok(false),
            Err(error) => Err(error),
        };
        match removed {
            Ok(true) => Ok(Performed::Done),
            // If the source changed while it was copied, or cannot be removed, keep it and remove the copy.
            Ok(false) => {
                target.remove_if(&copy)?;
                Ok(Performed::Skipped(say::changed_while_moved()))
            }
            Err(error) => {
                target.remove_if(&copy)?;
                Err(error.into())
            }
        }
    }

    fn copy(&mut self, from: &Place, found: Standing) -> Result<Performed, PerformError> {
        let Some(target) = Place::find(self.to)? else { return Ok(Performed::Nowhere) };
        Ok(self.copy_to(from, found, &target)?.map_or_else(|performed| performed, |_| Performed::Done))
    }

    /// Copies the file. The inner error is the result of a step that made no copy.
    fn copy_to(
        &mut self,
        from: &Place,
        found: Standing,
        target: &Place,
    ) -> Result<Result<Fingerprint, Performed>, PerformError> {
        if target.standing()?.is_some() {
            return Ok(Err(Performed::Taken));
        }
        let part = target.beside(self.part.file_name().unwrap_or_default())?;
        match transfer::copy(from, target, &part, &found.fingerprint, self.write_down) {
            Ok(Some(copy)) => Ok(Ok(copy)),
            Ok(None) => Ok(Err(Performed::Taken)),
            Err(TransferError::Changed(_)) => Ok(Err(Performed::Skipped(say::changed_while_copied()))),
            Err(error) => Err(error.into()),
        }
    }
}

/// Returns whether a folder to be removed now contains other entries than when the removal was decided.
fn has_other_things(expects: &Fingerprint, found: &Standing) -> bool {
    let is_known = expects.kind == Kind::Folder && expects.modified != Moment::UNKNOWN;
    is_known && expects.modified != found.fingerprint.modified
}

fn create(path: &Path) -> Result<Performed, PerformError> {
    let Some(place) = Place::find(path)? else { return Ok(Performed::Nowhere) };
    if place.make_folder()? {
        return Ok(Performed::Done);
    }
    match place.standing()? {
        Some(found) if found.fingerprint.kind == Kind::Folder => {
            Ok(Performed::Skipped(say::folder_there_already()))
        }
        _ => Err(PerformError::NoFolder(path.to_owned())),
    }
}

fn remove(path: &Path) -> Result<Performed, PerformError> {
    let place = Place::find(path)?;
    let found = place.as_ref().map(Place::standing).transpose()?.flatten();
    let (Some(place), Some(found)) = (place, found) else {
        return Ok(Performed::Skipped(say::gone_already()));
    };
    if found.fingerprint.kind != Kind::Folder {
        return Ok(Performed::Skipped(say::no_folder_any_more()));
    }
    if place.remove_folder()? {
        Ok(Performed::Done)
    } else {
        Ok(Performed::Skipped(say::holds_other_things()))
    }
}
