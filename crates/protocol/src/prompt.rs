//! What was sent to a model and what it answered, step by step.

use crate::{Digest, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The planner's system text, tools or earlier tasks changed. Written for a step if they differ from the step before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Briefed {
    /// The blob of the system text.
    pub system: Digest,
    /// The blob of the tools, as JSON.
    pub tools: Digest,
    /// The blob of the earlier tasks of the conversation, as JSON. Absent if there are none.
    #[serde(default)]
    pub earlier: Option<Digest>,
    /// The groups of functions that the planner has from the start, decided before the first step. Absent in events of
    /// earlier versions, which had no groups.
    #[serde(default)]
    pub groups: Option<Vec<String>>,
}

/// The start block was added to the conversation: the date, the system, the folder and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Oriented {
    /// The text, as the planner reads it after the goal.
    pub text: String,
}

/// The planner was given notes of earlier tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Noted {
    /// The text of the notes.
    pub text: String,
    /// Whether the notes come directly after the goal. Otherwise they come after the conversation so far.
    pub at_start: bool,
    /// The earlier tasks that the notes tell about, for a correction if one is undone later.
    #[serde(default)]
    pub about: Vec<NotedTask>,
}

/// An earlier task as notes tell about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotedTask {
    /// The id of the task.
    pub task: TaskId,
    /// Whether the notes say that everything it changed was undone.
    pub undone: bool,
}

/// Asks what was sent to the model in a step and what it answered. Secrets are removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptQuery {
    /// The id of the task.
    pub task: TaskId,
    /// The number of the step, from 1.
    pub step: u32,
    /// The byte at which the piece starts.
    #[serde(default)]
    pub offset: u64,
}

/// A piece of what was sent to the model and what it answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptAnswer {
    /// A piece of a JSON object with two fields: `sent`, in the format of `inference.plan`, and `received`, the
    /// step's events that contain the answer.
    pub text: String,
    /// The byte at which the next piece starts. Absent at the end.
    #[serde(default)]
    pub next: Option<u64>,
}
