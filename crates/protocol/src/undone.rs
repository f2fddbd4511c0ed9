//! Changes that a person took back, and made again.

use crate::{CallId, FileChange, Phrase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Changes were undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Undone {
    /// The result for each path.
    pub files: Vec<UndoneFile>,
    /// Operations of plans that were undone.
    #[serde(default)]
    pub operations: u64,
    /// What undo could still undo afterwards: changes, and plans that were carried out. Absent in older journals.
    #[serde(default)]
    pub left: Option<u64>,
}

/// What an undo took back was made again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Redone {
    /// The result for each path; `restored` if it is as the call left it again.
    pub files: Vec<UndoneFile>,
    /// Operations of plans that were made again.
    #[serde(default)]
    pub operations: u64,
    /// What undo could undo afterwards: changes, and plans that were carried out.
    pub left: u64,
}

impl Undone {
    /// Whether anything was undone.
    pub fn did_something(&self) -> bool {
        self.operations > 0 || self.files.iter().any(|file| file.restored)
    }
}

impl Redone {
    /// Whether anything was made again.
    pub fn did_something(&self) -> bool {
        self.operations > 0 || self.files.iter().any(|file| file.restored)
    }
}

/// One path that was undone, or could not be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UndoneFile {
    /// The call whose change it was.
    pub call: CallId,
    /// The change, as it was made.
    pub change: FileChange,
    /// Whether it is as before the call now.
    pub restored: bool,
    /// Why not, or what was done.
    pub message: Phrase,
}
