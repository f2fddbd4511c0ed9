//! A job: a checked plan as steps that can be executed, journaled, resumed and reversed.

use crate::standing::{Fingerprint, Moment};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A sequence of steps, with the data that is needed to undo them. Created by checking a plan or by reversing another
/// job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The id, unique among the jobs of a home.
    pub id: String,
    /// The folders that the job works in.
    pub scope: Vec<PathBuf>,
    /// The job that this one undoes.
    pub undoes: Option<String>,
    /// The call of a task that started this job. `None` if a person did, or for older journals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// What to do if a destination is taken.
    pub if_taken: IfTaken,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// Existing folders in which entries will be added or removed.
    pub folders: Vec<PathBuf>,
    /// Modification times to set once everything is done. If `after` is given, the time is only set if the folder still
    /// has that time.
    pub restore_times: Vec<RestoredTime>,
}

/// What to do if a destination is taken that was free when the job was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IfTaken {
    /// Add a number to the name.
    #[default]
    Number,
    /// Skip the step.
    Skip,
}

/// The modification time of a folder that undo restores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestoredTime {
    /// The folder.
    pub folder: PathBuf,
    /// The modification time before the job.
    pub before: Moment,
    /// The modification time after the job, if known.
    pub after: Option<Moment>,
}

/// The modification time of a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderTime {
    /// The folder.
    pub folder: PathBuf,
    /// The time.
    pub modified: Moment,
}

/// A step of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The operation of the plan that it belongs to. An operation can have several steps.
    pub operation: String,
    /// What to do.
    pub act: Act,
    /// What must be at the source. The step is skipped otherwise.
    pub expects: Option<Fingerprint>,
    /// The trash folder for what the step creates, in case it is undone.
    pub trash: Option<PathBuf>,
}

/// The action of a step. Every action has an opposite, so that undo is a job, too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum Act {
    /// Create a folder.
    CreateFolder(FolderAct),
    /// Remove a folder if it is empty.
    RemoveFolder(FolderAct),
    /// Move or rename.
    Move(TwoPaths),
    /// Copy a file.
    Copy(TwoPaths),
    /// Move to the trash folder `to`. The name inside is chosen when the step is executed.
    Trash(TwoPaths),
    /// Move `from` out of the trash.
    Restore(TwoPaths),
}

/// A folder to create or remove.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderAct {
    /// The path.
    pub path: PathBuf,
}

/// A source and a destination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TwoPaths {
    /// The source.
    pub from: PathBuf,
    /// The destination.
    pub to: PathBuf,
}

impl Act {
    /// Returns the path that the action applies to.
    pub fn path(&self) -> &Path {
        match self {
            Self::CreateFolder(folder) | Self::RemoveFolder(folder) => &folder.path,
            Self::Move(paths) | Self::Copy(paths) | Self::Trash(paths) | Self::Restore(paths) => &paths.from,
        }
    }

    /// Returns the destination. `None` if the action has only one path.
    pub fn destination(&self) -> Option<&Path> {
        match self {
            Self::CreateFolder(_) | Self::RemoveFolder(_) => None,
            Self::Move(paths) | Self::Copy(paths) | Self::Trash(paths) | Self::Restore(paths) => {
                Some(&paths.to)
            }
        }
    }

    pub(crate) fn between(from: impl Into<PathBuf>, to: impl Into<PathBuf>) -> TwoPaths {
        TwoPaths { from: from.into(), to: to.into() }
    }

    pub(crate) fn folder(path: impl Into<PathBuf>) -> FolderAct {
        FolderAct { path: path.into() }
    }
}
