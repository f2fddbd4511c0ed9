//! What a person does with a conversation as a whole: gives it a title, and puts it away.

use crate::TaskId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Give a conversation a title.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RenameCommand {
    /// Any task of the conversation.
    pub task: TaskId,
    /// Its title, one line; absent: what was said first in it.
    #[serde(default)]
    pub title: Option<String>,
}

/// Put a conversation away, or bring it back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArchiveCommand {
    /// Any task of the conversation.
    pub task: TaskId,
    /// Whether it is put away.
    pub archived: bool,
}

/// A person gave the conversation that this task begins a title.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Renamed {
    /// The title; absent: what was said first.
    pub title: Option<String>,
}

/// A person put away the conversation whose newest task this was, or brought it back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Archived {
    /// Whether it is put away.
    pub archived: bool,
}
