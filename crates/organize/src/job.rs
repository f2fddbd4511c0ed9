//! A job: a checked plan as steps that can be executed, journalled, resumed and turned round.

use crate::standing::{Fingerprint, Moment};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Steps with what is needed to take them back. Made by checking a plan, or by turning another job round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Unique among the jobs of a home.
    pub id: String,
    /// Folders that it works in.
    pub scope: Vec<PathBuf>,
    /// The job that this one undoes.
    pub undoes: Option<String>,
    /// What happens where a destination is taken after all.
    pub if_taken: IfTaken,
    /// In order.
    pub steps: Vec<Step>,
    /// Folders that are there already and in which something will come or go.
    pub folders: Vec<PathBuf>,
    /// Times that folders get once everything is done, each with the time they must still have until then; without
    /// one, whatever they have is replaced.
    pub restore_times: Vec<RestoredTime>,
}

/// What happens where something is at a destination that was free when the job was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IfTaken {
    /// A number is added to the name.
    #[default]
    Number,
    /// The step is left out.
    Skip,
}

/// A folder's time that undo puts back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestoredTime {
    /// The folder.
    pub folder: PathBuf,
    /// When it had changed before the job.
    pub before: Moment,
    /// When it had changed once the job was done, where that is known.
    pub after: Option<Moment>,
}

/// When a folder last changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderTime {
    /// The folder.
    pub folder: PathBuf,
    /// When.
    pub modified: Moment,
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The plan's operation that it comes from; several steps may come from one.
    pub operation: String,
    /// What is done.
    pub act: Act,
    /// What must be at the source for it to be done.
    pub expects: Option<Fingerprint>,
    /// The trash folder that takes what it makes, should it be undone.
    pub trash: Option<PathBuf>,
}

/// What a step does. Each has an opposite, so that undo is a job too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum Act {
    /// Make a folder.
    CreateFolder(FolderAct),
    /// Remove a folder if it is empty.
    RemoveFolder(FolderAct),
    /// Move or rename.
    Move(TwoPaths),
    /// Copy a file.
    Copy(TwoPaths),
    /// Put into the trash folder `to`; the name there is found when it is done.
    Trash(TwoPaths),
    /// Take `from` out of the trash.
    Restore(TwoPaths),
}

/// A folder to make or to remove.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderAct {
    /// Where.
    pub path: PathBuf,
}

/// From here to there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TwoPaths {
    /// Its path.
    pub from: PathBuf,
    /// Its new path.
    pub to: PathBuf,
}

impl Act {
    /// What it is done to.
    pub fn path(&self) -> &Path {
        match self {
            Self::CreateFolder(folder) | Self::RemoveFolder(folder) => &folder.path,
            Self::Move(paths) | Self::Copy(paths) | Self::Trash(paths) | Self::Restore(paths) => &paths.from,
        }
    }

    /// What it leads to, where that is another path.
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
