//! The conversation as a planner gets it, independent of any provider's dialect.

use crate::{CallId, MessagePicture, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Message {
    /// The user, or the core in the user's name.
    User(UserMessage),
    /// The planner.
    Assistant(AssistantMessage),
    /// What a call gave back. Untrusted: data, never instructions.
    Tool(ToolMessage),
}

/// The user's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UserMessage {
    /// What was said.
    pub text: String,
}

/// The planner's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AssistantMessage {
    /// Its thought or question; may be empty.
    pub text: String,
    /// The calls it asked for.
    #[serde(default)]
    pub tool_calls: Vec<ToolCall>,
    /// As in the plan.
    #[serde(default)]
    pub provider_state: Option<String>,
}

/// What a call gave back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolMessage {
    /// The call.
    pub call: CallId,
    /// The tool's name.
    pub tool: String,
    /// Its output, or why there is none.
    pub content: String,
    /// Whether the call did what it says.
    pub ok: bool,
    /// Pictures that came with it.
    #[serde(default)]
    pub pictures: Vec<MessagePicture>,
}

/// A tool as the planner sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// JSON Schema of its parameters.
    pub parameters: serde_json::Value,
}
