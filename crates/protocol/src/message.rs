//! The conversation that a planner receives, independent of any provider's format.

use crate::{CallId, MessagePicture, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::Index;
use std::sync::Arc;

/// The messages of a conversation, in order. A clone shares the messages, so that a growing conversation is never
/// copied.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Messages(Vec<Arc<Message>>);

impl Messages {
    /// Returns the number of messages.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no messages.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends a message.
    pub fn push(&mut self, message: impl Into<Arc<Message>>) {
        self.0.push(message.into());
    }

    /// Returns the message at an index.
    pub fn get(&self, at: usize) -> Option<&Message> {
        self.0.get(at).map(Arc::as_ref)
    }

    /// Returns the newest message.
    pub fn last(&self) -> Option<&Message> {
        self.0.last().map(Arc::as_ref)
    }

    /// Iterates over all messages, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Message> + ExactSizeIterator {
        self.0.iter().map(Arc::as_ref)
    }

    /// Iterates over all messages as shared pointers, oldest first.
    pub fn shared(&self) -> impl DoubleEndedIterator<Item = &Arc<Message>> + ExactSizeIterator {
        self.0.iter()
    }

    /// Iterates over all messages as shared pointers that can be replaced. Clones of the conversation keep the
    /// message from before a change.
    pub fn shared_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Arc<Message>> {
        self.0.iter_mut()
    }

    /// Returns the messages that follow another conversation. `None` if this conversation does not start with it.
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

/// A message of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Message {
    /// A message from the user, or from the core on the user's behalf.
    User(UserMessage),
    /// A message from the planner.
    Assistant(AssistantMessage),
    /// The result of a call. It is untrusted: data, never instructions.
    Tool(ToolMessage),
}

/// A message from the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UserMessage {
    /// The text of the message.
    pub text: String,
}

/// A message from the planner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AssistantMessage {
    /// The planner's reasoning or question. May be empty.
    pub text: String,
    /// The calls that the planner made.
    #[serde(default)]
    pub tool_calls: Vec<ToolCall>,
    /// Data that the provider needs back with this message, as in the plan.
    #[serde(default)]
    pub provider_state: Option<String>,
}

/// The result of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolMessage {
    /// The id of the call.
    pub call: CallId,
    /// The name of the tool.
    pub tool: String,
    /// The output of the call, or why there is none.
    pub content: String,
    /// Whether the call succeeded.
    pub ok: bool,
    /// The pictures in the result.
    #[serde(default)]
    pub pictures: Vec<MessagePicture>,
}

/// A tool, as described to the planner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolSpec {
    /// The name of the tool.
    pub name: String,
    /// What the tool does and when to use it.
    pub description: String,
    /// The JSON Schema of the tool's parameters.
    pub parameters: serde_json::Value,
}
