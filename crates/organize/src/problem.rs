//! What is wrong with a plan, by operation.

use deputy_messages::Phrase;
use deputy_messages::organize as say;
use std::path::PathBuf;

/// One thing that is wrong with one operation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Problem {
    /// Its id, or its place in the plan where it has none.
    pub operation: String,
    /// What is wrong.
    pub wrong: Wrong,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// Two operations have one id.
    SameId,
    /// A path cannot be used.
    BadPath {
        /// As given.
        path: String,
        /// Why.
        reason: Phrase,
    },
    /// A path leaves the scope.
    OutsideScope(PathBuf),
    /// A folder of the scope itself would be changed.
    ScopeItself(PathBuf),
    /// Policy protects it.
    Protected {
        /// What.
        path: PathBuf,
        /// Why.
        reason: Phrase,
    },
    /// Nothing is there.
    Missing(PathBuf),
    /// A link, a socket, a pipe or a device.
    NotAFile(PathBuf),
    /// A folder was to be copied.
    CopiesFolder(PathBuf),
    /// Something on the way to a destination is not a folder.
    NotAFolder(PathBuf),
    /// A folder was to go into itself.
    IntoItself(PathBuf),
    /// A part of a project was to leave it.
    TakesProjectApart {
        /// What.
        path: PathBuf,
        /// The project.
        project: PathBuf,
    },
    /// A folder was to go to another device.
    FolderCrosses(PathBuf),
    /// A file with several names was to go to another device.
    LinkedCrosses(PathBuf),
    /// A path would be too long.
    TooLong(PathBuf),
    /// The disk could not be looked at.
    Disk(Phrase),
}

/// Why a plan cannot be executed. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// A folder of its scope cannot be used.
    Scope {
        /// As given.
        folder: String,
        /// Why.
        reason: Phrase,
    },
    /// It holds too much.
    TooMany {
        /// This many.
        count: usize,
        /// At most this many.
        most: usize,
    },
    /// Operations that cannot be done.
    Problems(Vec<Problem>),
    /// A device has not enough room.
    NoRoom {
        /// A folder there.
        folder: PathBuf,
        /// This many bytes.
        needed: u64,
        /// Only this many are free.
        free: u64,
    },
}

impl Problem {
    /// What it says to people.
    pub fn phrase(&self) -> Phrase {
        say::operation(&self.operation, self.wrong.phrase())
    }
}

impl Wrong {
    /// What it says to people.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::SameId => say::same_id(),
            Self::BadPath { path, reason } => say::bad_path(format!("{path:?}"), reason),
            Self::OutsideScope(path) => say::outside_scope(path.display()),
            Self::ScopeItself(path) => say::scope_itself(path.display()),
            Self::Protected { path, reason } => say::protected(path.display(), reason),
            Self::Missing(path) => say::missing(path.display()),
            Self::NotAFile(path) => say::not_a_file(path.display()),
            Self::CopiesFolder(path) => say::copies_folder(path.display()),
            Self::NotAFolder(path) => say::not_a_folder(path.display()),
            Self::IntoItself(path) => say::into_itself(path.display()),
            Self::TakesProjectApart { path, project } => {
                say::takes_project_apart(path.display(), project.display())
            }
            Self::FolderCrosses(path) => say::folder_crosses(path.display()),
            Self::LinkedCrosses(path) => say::linked_crosses(path.display()),
            Self::TooLong(path) => say::too_long(path.display()),
            Self::Disk(reason) => reason.clone(),
        }
    }
}

impl CheckError {
    /// What it says to people.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Scope { folder, reason } => say::scope(folder, reason),
            Self::TooMany { count, most } => say::too_many(*count as u64, *most as u64),
            Self::Problems(problems) => {
                let first = problems.first().map(Problem::phrase).unwrap_or_default();
                say::cannot_be_done(problems.len() as u64, first)
            }
            Self::NoRoom { folder, needed, free } => say::no_room(folder.display(), *free, *needed),
        }
    }
}

deputy_messages::said_by_phrase!(Problem, Wrong, CheckError);
