//! What a person does with a conversation as a whole: gives it a title, puts it away, forks it, takes one in.

use crate::{EventRecord, ImportPart, TaskId};
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

/// Begin a conversation of its own with what another one said and did up to a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForkCommand {
    /// The task that has the step; those before it in its conversation come along.
    pub task: TaskId,
    /// The last step that the new conversation has; the newest that has ended when absent. Files stay as they are now.
    #[serde(default)]
    pub step: Option<u32>,
    /// What to do from there.
    pub text: String,
}

/// Take in a conversation that was exported: to be read and to be continued. Nothing of it runs, is granted or can be undone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImportConversationCommand {
    /// The folder that its tasks are shown in, absolute.
    pub workspace: String,
    /// Events of its tasks, each task from its beginning.
    pub events: Vec<EventRecord>,
    /// Which part of the import these are.
    pub part: ImportPart,
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
