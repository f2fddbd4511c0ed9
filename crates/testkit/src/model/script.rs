//! The script of the server's answers, as data.
//!
//! ```json
//! {"turns": [{"type": "tool_calls", "calls": [{"name": "shell", "arguments": {"command": "ls"}}]},
//!            {"type": "text", "text": "Done."}]}
//! {"steps": {"tool": "shell", "arguments": {"command": "echo step {n}"}, "count": 50, "then": "done"}}
//! ```

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A whole script. The turns come first, one per request, followed by the steps. Afterwards, the last turn is repeated
/// if `repeat_last` is set; otherwise every request is rejected.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// The answers, one per request.
    #[serde(default)]
    pub turns: Vec<Turn>,
    /// Whether the last turn answers all further requests.
    #[serde(default)]
    pub repeat_last: bool,
    /// Whether the turn for a request is selected by the number of model answers in the request, no matter how often
    /// the request is sent. This suits a client that is killed and asks again. Otherwise each request gets the next
    /// turn.
    #[serde(default)]
    pub by_conversation: bool,
    /// The turns of conversations whose first user message contains a text. `turns` are for all others.
    #[serde(default)]
    pub turns_of: BTreeMap<String, Vec<Turn>>,
    /// The name of the model.
    #[serde(default = "default_model")]
    pub model: String,
    /// If set, requests without this key are rejected with status 401.
    #[serde(default)]
    pub api_key: Option<String>,
    /// The same call many times, for measurements.
    #[serde(default)]
    pub steps: Option<Steps>,
}

fn default_model() -> String {
    "scripted".to_owned()
}

impl Default for Script {
    fn default() -> Self {
        Self {
            turns: Vec::new(),
            repeat_last: false,
            by_conversation: false,
            turns_of: BTreeMap::new(),
            model: default_model(),
            api_key: None,
            steps: None,
        }
    }
}

impl Script {
    /// Creates a script of these turns.
    pub fn turns(turns: impl IntoIterator<Item = Turn>) -> Self {
        Self { turns: turns.into_iter().collect(), ..Self::default() }
    }

    /// Creates a script of conversations. Each is identified by a text in its first user message and answered by its
    /// turns, no matter how often it asks.
    pub fn conversations<'a>(all: impl IntoIterator<Item = (&'a str, Vec<Turn>)>) -> Self {
        let turns_of = all.into_iter().map(|(text, turns)| (text.to_owned(), turns)).collect();
        Self { turns_of, by_conversation: true, ..Self::default() }
    }

    /// Creates a script of `count` calls of one tool, followed by the text `then`.
    pub fn steps(tool: &str, arguments: Value, count: u64, then: &str) -> Self {
        let steps = Steps { tool: tool.to_owned(), arguments, count, then: then.to_owned() };
        Self { steps: Some(steps), ..Self::default() }
    }
}

/// Makes a call `count` times, and then sends a text for all further requests. Requests are only counted, not parsed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Steps {
    /// The tool to call.
    pub tool: String,
    /// The arguments. `{n}` is replaced by the number of the step, from 1, so that calls can differ.
    pub arguments: Value,
    /// The number of calls.
    pub count: u64,
    /// The final text.
    pub then: String,
}

impl Steps {
    /// Returns the call of a step.
    pub(super) fn call(&self, step: u64) -> ScriptedCall {
        let arguments = self.arguments.to_string().replace("{n}", &step.to_string());
        ScriptedCall { name: self.tool.clone(), arguments: Value::String(arguments) }
    }
}

/// An answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Turn {
    /// A text.
    Text(TextTurn),
    /// A text that repeats all user messages that the model received.
    Repeat(RepeatTurn),
    /// Tool calls.
    ToolCalls(ToolCallsTurn),
    /// An HTTP error.
    Status(StatusTurn),
    /// No answer, ever.
    Hang(HangTurn),
    /// A text with a pause before each piece except the first.
    Slow(SlowTurn),
    /// An answer that is cut.
    Cut(CutTurn),
    /// Meaningless bytes with a success status.
    Garbage(GarbageTurn),
    /// A very long text.
    Huge(HugeTurn),
    /// The connection is closed without an answer.
    Close(CloseTurn),
}

impl Turn {
    /// Returns a turn with a text.
    pub fn text(text: &str) -> Self {
        Self::Text(TextTurn { text: text.to_owned() })
    }

    /// Returns a turn that repeats what the model received.
    pub fn repeat() -> Self {
        Self::Repeat(RepeatTurn {})
    }

    /// Returns a turn with a single call.
    pub fn call(name: &str, arguments: Value) -> Self {
        Self::calls([(name, arguments)])
    }

    /// Returns a turn with several calls.
    pub fn calls<'a>(calls: impl IntoIterator<Item = (&'a str, Value)>) -> Self {
        let call = |(name, arguments): (&str, Value)| ScriptedCall { name: name.to_owned(), arguments };
        Self::ToolCalls(ToolCallsTurn {
            text: None,
            calls: calls.into_iter().map(call).collect(),
            fragment: false,
        })
    }

    /// Returns a turn with an HTTP error and the dialect's usual body.
    pub fn status(code: u16) -> Self {
        Self::Status(StatusTurn { code, body: None, retry_after: None })
    }
}

/// A text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextTurn {
    /// The text.
    pub text: String,
}

/// A text that repeats what the model received.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepeatTurn {}

/// Tool calls.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolCallsTurn {
    /// The text next to the calls.
    #[serde(default)]
    pub text: Option<String>,
    /// The calls.
    pub calls: Vec<ScriptedCall>,
    /// Whether the arguments are streamed in small pieces.
    #[serde(default)]
    pub fragment: bool,
}

/// A tool call.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedCall {
    /// The name of the tool.
    pub name: String,
    /// The arguments. A string is sent literally, so that broken JSON can be sent.
    pub arguments: Value,
}

/// An HTTP error.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatusTurn {
    /// The status code.
    pub code: u16,
    /// The body. A string is sent literally, anything else as JSON. If absent, the dialect's error object is sent.
    #[serde(default)]
    pub body: Option<Value>,
    /// The value of the `Retry-After` header, in seconds.
    #[serde(default)]
    pub retry_after: Option<f64>,
}

/// No answer, ever.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HangTurn {}

/// A slow text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlowTurn {
    /// The pause between two pieces, in milliseconds.
    pub ms_per_chunk: u64,
    /// The text.
    #[serde(default = "default_text")]
    pub text: String,
}

/// An answer that is cut.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CutTurn {
    /// The number of bytes of the response body to send.
    pub after_bytes: usize,
    /// The text.
    #[serde(default = "default_text")]
    pub text: String,
    /// The calls after the text.
    #[serde(default)]
    pub calls: Vec<ScriptedCall>,
}

fn default_text() -> String {
    "One two three four five six seven eight nine ten. ".repeat(20)
}

/// Meaningless bytes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GarbageTurn {
    /// The number of bytes. They are the same each time.
    pub bytes: usize,
}

/// A very long text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HugeTurn {
    /// The length of the text, in bytes.
    pub bytes: usize,
}

/// The connection is closed without an answer.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CloseTurn {}
