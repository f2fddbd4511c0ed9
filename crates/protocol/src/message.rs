//! The conversation as a planner gets it, independent of any provider's dialect.

use crate::{CallId, MessagePicture, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::Index;
use std::sync::Arc;

/// The messages of a conversation, in order. A clone shares them, so that a conversation that grows is never copied.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Messages(Vec<Arc<Message>>);

impl Messages {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds one at the end.
    pub fn push(&mut self, message: impl Into<Arc<Message>>) {
        self.0.push(message.into());
    }

    /// One of them by its place.
    pub fn get(&self, at: usize) -> Option<&Message> {
        self.0.get(at).map(Arc::as_ref)
    }

    /// The newest.
    pub fn last(&self) -> Option<&Message> {
        self.0.last().map(Arc::as_ref)
    }

    /// All of them, the oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Message> + ExactSizeIterator {
        self.0.iter().map(Arc::as_ref)
    }

    /// The same, to be shared.
    pub fn shared(&self) -> impl DoubleEndedIterator<Item = &Arc<Message>> + ExactSizeIterator {
        self.0.iter()
    }

    /// The same, to be changed. What others share stays as it is: they keep the message before the change.
    pub fn shared_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Arc<Message>> {
        self.0.iter_mut()
    }

    /// What follows another conversation; nothing where this one does not begin with it.
    pub fn after(&self, other: &Self) -> Option<&[Arc<Message>]> {
        let (begin, rest) = self.0.split_at_checked(other.len())?;
        let is_same = |(one, other): (&Arc<Message>, &Arc<Message>)| Arc::ptr_eq(one, other) || one == other;
        begin.iter().zip(&other.0).all(is_same).then_some(rest)
    }
}

impl Index<usize> for Messages {
    type Output = Message;

    fn index(&self, at: usize) -> &Message {
        &self.0[at]
    }
}

impl From<Vec<Message>> for Messages {
    fn from(messages: Vec<Message>) -> Self {
        messages.into_iter().collect()
    }
}

impl FromIterator<Message> for Messages {
    fn from_iter<I: IntoIterator<Item = Message>>(messages: I) -> Self {
        messages.into_iter().map(Arc::new).collect()
    }
}

impl FromIterator<Arc<Message>> for Messages {
    fn from_iter<I: IntoIterator<Item = Arc<Message>>>(messages: I) -> Self {
        Self(messages.into_iter().collect())
    }
}

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
