//! Opening what a task left behind with the desktop's own programs.

use crate::TaskId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Open a file or a folder of a task on the desktop that the host runs on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpenCommand {
    /// The task that works there.
    pub task: TaskId,
    /// The file or folder; in the task's folder, or in one that it was given.
    pub path: String,
    /// What is opened.
    pub what: OpenWhat,
}

/// What is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OpenWhat {
    /// The file itself, if it is a document that starts nothing.
    File,
    /// The folder, or the one that the file is in.
    Folder,
}
