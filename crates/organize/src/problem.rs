//! The problems of a plan, by operation.

use deputy_messages::Phrase;
use deputy_messages::organize as say;
use std::path::PathBuf;

/// A problem of an operation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Problem {
    /// The id of the operation, or its position in the plan if it has none.
    pub operation: String,
    /// The kind of problem.
    pub wrong: Wrong,
}

/// The kind of a problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// Two operations have the same id.
    SameId,
    /// A path cannot be used.
    BadPath {
        /// The path as given.
        path: String,
        /// The reason.
        reason: Phrase,
    },
    /// A path is outside of the scope.
    OutsideScope(PathBuf),
    /// The operation would change a folder of the scope itself.
    ScopeItself(PathBuf),
    /// The path is protected by policy.
    Protected {
        /// The path.
        path: PathBuf,
        /// The reason.
        reason: Phrase,
    },
    /// Nothing exists at the path.
    Missing(PathBuf),
    /// The path is a link, a socket, a pipe or a device.
    NotAFile(PathBuf),
    /// The operation would copy a folder.
    CopiesFolder(PathBuf),
    /// A component of the destination is not a folder.
    NotAFolder(PathBuf),
    /// The operation would move a folder into itself.
    IntoItself(PathBuf),
    /// The operation would move a part of a project out of it.
    TakesProjectApart {
        /// The path.
        path: PathBuf,
        /// The project.
        project: PathBuf,
    },
    /// The operation would move a folder to another device.
    FolderCrosses(PathBuf),
    /// The operation would move a file with several hard links to another device.
    LinkedCrosses(PathBuf),
    /// The path would be too long.
    TooLong(PathBuf),
    /// The disk could not be read.
    Disk(Phrase),
}

/// Why a plan cannot be executed. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// A folder of the scope cannot be used.
    Scope {
        /// The folder as given.
        folder: String,
        /// The reason.
        reason: Phrase,
    },
    /// The plan has too many operations.
    TooMany {
        /// The number of operations.
        count: usize,
        /// The maximum number.
        most: usize,
    },
    /// Some operations are impossible.
    Problems(Vec<Problem>),
    /// A device has too little free space.
    NoRoom {
        /// A folder on the device.
        folder: PathBuf,
        /// The required number of bytes.
        needed: u64,
        /// The number of free bytes.
        free: u64,
    },
}

impl Problem {
    /// Returns the message for people.
    pub fn phrase(&self) -> Phrase {
        say::operation(&self.operation, self.wrong.phrase())
    }
}

impl Wrong {
    /// Returns the message for people.
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
    /// Returns the message for people.
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
