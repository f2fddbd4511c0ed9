//! Opening the files of a task with the desktop's programs.

use crate::TaskId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Opens a file or folder of a task on the host's desktop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpenCommand {
    /// The id of the task.
    pub task: TaskId,
    /// The path of the file or folder. It must be in the task's workspace or in a folder that the task was given.
    pub path: String,
    /// What is opened.
    pub what: OpenWhat,
}

/// What is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OpenWhat {
    /// The file itself, if it is a document that cannot execute anything.
    File,
    /// The folder, or the folder that contains the file.
    Folder,
}
