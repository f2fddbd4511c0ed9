//! What was sent to a model and what came back, step by step.

use crate::{Digest, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a planner is given besides the conversation, journalled where it differs from the step before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Briefed {
    /// The blob of the system text.
    pub system: Digest,
    /// The blob of the tools, as JSON.
    pub tools: Digest,
    /// The blob of the tasks before it in the conversation, as JSON; absent where there are none.
    #[serde(default)]
    pub earlier: Option<Digest>,
}

/// Notes of earlier tasks that the planner was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Noted {
    /// As it was given.
    pub text: String,
    /// Whether it comes right behind the goal; otherwise behind the conversation so far.
    pub at_start: bool,
}

/// What was sent to the model in a step and what came back, secrets taken out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptQuery {
    /// The task.
    pub task: TaskId,
    /// The step, from 1.
    pub step: u32,
    /// From which byte on.
    #[serde(default)]
    pub offset: u64,
}

/// A piece of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptAnswer {
    /// A piece of a JSON object: `sent`, as an `inference.plan` has it, and `received`, the step's events that answer it.
    pub text: String,
    /// Where the next piece begins; absent at the end.
    #[serde(default)]
    pub next: Option<u64>,
}
