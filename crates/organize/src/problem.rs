//! What is wrong with a plan, by operation.

use std::path::PathBuf;

/// One thing that is wrong with one operation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("operation {operation}: {wrong}")]
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
    #[error("another operation has the same id")]
    SameId,
    /// A path cannot be used.
    #[error("{path:?} is no usable path: {reason}")]
    BadPath {
        /// As given.
        path: String,
        /// Why.
        reason: &'static str,
    },
    /// A path leaves the scope.
    #[error("{} is outside the folders that the plan is about", .0.display())]
    OutsideScope(PathBuf),
    /// A folder of the scope itself would be changed.
    #[error("{} is the folder that the plan is about; only what is in it can be changed", .0.display())]
    ScopeItself(PathBuf),
    /// Policy protects it.
    #[error("{} is protected: {reason}", path.display())]
    Protected {
        /// What.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Nothing is there.
    #[error("nothing is at {} at that point", .0.display())]
    Missing(PathBuf),
    /// A link, a socket, a pipe or a device.
    #[error("{} is a link or a special file; those are left alone", .0.display())]
    NotAFile(PathBuf),
    /// A folder was to be copied.
    #[error("{} is a folder; folders are moved, files are copied", .0.display())]
    CopiesFolder(PathBuf),
    /// Something on the way to a destination is not a folder.
    #[error("{} is no folder, so nothing can stand below it", .0.display())]
    NotAFolder(PathBuf),
    /// A folder was to go into itself.
    #[error("{} cannot go into itself", .0.display())]
    IntoItself(PathBuf),
    /// A part of a project was to leave it.
    #[error("{} belongs to the project {}, which is never taken apart", path.display(), project.display())]
    TakesProjectApart {
        /// What.
        path: PathBuf,
        /// The project.
        project: PathBuf,
    },
    /// A folder was to go to another device.
    #[error("{} is on another device than its destination; move its files instead of the folder", .0.display())]
    FolderCrosses(PathBuf),
    /// A file with several names was to go to another device.
    #[error("{} has other names too (hard links), which another device would part from it; copy it instead", .0.display())]
    LinkedCrosses(PathBuf),
    /// A path would be too long.
    #[error("{} would be longer than the system allows", .0.display())]
    TooLong(PathBuf),
    /// The disk could not be looked at.
    #[error("{0}")]
    Disk(String),
}

/// Why a plan cannot be executed. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// A folder of its scope cannot be used.
    #[error("the plan is about {folder}, which cannot be used: {reason}")]
    Scope {
        /// As given.
        folder: String,
        /// Why.
        reason: String,
    },
    /// It holds too much.
    #[error("the plan has {count} operations, more than {most}; make several plans of it")]
    TooMany {
        /// This many.
        count: usize,
        /// At most this many.
        most: usize,
    },
    /// Operations that cannot be done.
    #[error("{} operations cannot be done; {}", .0.len(), first(.0))]
    Problems(Vec<Problem>),
    /// A device has not enough room.
    #[error("the plan needs {needed} bytes on the device of {folder}, which has {free} free", folder = folder.display())]
    NoRoom {
        /// A folder there.
        folder: PathBuf,
        /// This many bytes.
        needed: u64,
        /// Only this many are free.
        free: u64,
    },
}

fn first(problems: &[Problem]) -> String {
    problems.first().map(Problem::to_string).unwrap_or_default()
}
