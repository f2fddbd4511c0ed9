//! The events of undo and redo.

use crate::{CallId, FileChange, Phrase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Changes of a task were undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Undone {
    /// The result for each path.
    pub files: Vec<UndoneFile>,
    /// The number of operations of plans that were undone.
    #[serde(default)]
    pub operations: u64,
    /// The number of changes and executed plans that undo can still revert. Absent in older journals.
    #[serde(default)]
    pub left: Option<u64>,
}

/// Changes that an undo had reverted were made again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Redone {
    /// The result for each path. `restored` is true if the path is again as the call left it.
    pub files: Vec<UndoneFile>,
    /// The number of operations of plans that were made again.
    #[serde(default)]
    pub operations: u64,
    /// The number of changes and executed plans that undo can now revert.
    pub left: u64,
}

impl Undone {
    /// Returns whether anything was undone.
    pub fn did_something(&self) -> bool {
        self.operations > 0 || self.files.iter().any(|file| file.restored)
    }
}

impl Redone {
    /// Returns whether anything was made again.
    pub fn did_something(&self) -> bool {
        self.operations > 0 || self.files.iter().any(|file| file.restored)
    }
}

/// The result of an undo or a redo for one path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UndoneFile {
    /// The call that made the change.
    pub call: CallId,
    /// The change, as it was made.
    pub change: FileChange,
    /// Whether the path is now as it was before the call.
    pub restored: bool,
    /// What was done, or why the path could not be restored.
    pub message: Phrase,
}
