//! Actions on whole conversations: renaming, archiving, forking and importing.

use crate::{EventRecord, ImportPart, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Renames a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RenameCommand {
    /// The id of any task of the conversation.
    pub task: TaskId,
    /// The title, in one line. If absent, the first text of the conversation serves as the title.
    #[serde(default)]
    pub title: Option<String>,
}

/// Archives a conversation, or restores it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArchiveCommand {
    /// The id of any task of the conversation.
    pub task: TaskId,
    /// Whether the conversation is archived (true) or restored (false).
    pub archived: bool,
}

/// Starts a new conversation with the contents of another one, up to a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForkCommand {
    /// The task that contains the step. Earlier tasks of its conversation are included.
    pub task: TaskId,
    /// The last step that is included. If absent, it is the newest step that has ended. Files are not reset.
    #[serde(default)]
    pub step: Option<u32>,
    /// What to do next.
    pub text: String,
}

/// Imports an exported conversation, to read and continue it. Nothing in it is run, granted or made undoable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImportConversationCommand {
    /// The absolute path of the folder in which the tasks are shown.
    pub workspace: String,
    /// The events of the tasks, each task from its beginning.
    pub events: Vec<EventRecord>,
    /// The part of the import that these events are.
    pub part: ImportPart,
}

/// A person renamed the conversation that starts with this task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Renamed {
    /// The title. If absent, the first text of the conversation serves as the title.
    pub title: Option<String>,
}

/// A person archived the conversation of which this was the newest task, or restored it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Archived {
    /// Whether the conversation was archived (true) or restored (false).
    pub archived: bool,
}
