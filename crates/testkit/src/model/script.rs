//! What the server is to answer, as data.
//!
//! ```json
//! {"turns": [{"type": "tool_calls", "calls": [{"name": "shell", "arguments": {"command": "ls"}}]},
//!            {"type": "text", "text": "Done."}]}
//! {"steps": {"tool": "shell", "arguments": {"command": "echo step {n}"}, "count": 50, "then": "done"}}
//! ```

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A whole script. The turns come first, one a request, then the steps; then the last turn again if `repeat_last`,
/// otherwise every request is refused.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// One answer a request.
    #[serde(default)]
    pub turns: Vec<Turn>,
    /// Whether the last turn answers every further request.
    #[serde(default)]
    pub repeat_last: bool,
    /// Whether a request is answered by the turn after as many as it has answers of the model in it already, however
    /// often it is sent: for a client that is killed and asks again. Otherwise the turns follow the requests.
    #[serde(default)]
    pub by_conversation: bool,
    /// The turns of conversations of which the first message of the user has a text; `turns` are for all others.
    #[serde(default)]
    pub turns_of: BTreeMap<String, Vec<Turn>>,
    /// The name of the model.
    #[serde(default = "default_model")]
    pub model: String,
    /// When set, requests without this key are refused with 401.
    #[serde(default)]
    pub api_key: Option<String>,
    /// The same call many times, for measuring.
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
    /// A script of these turns.
    pub fn turns(turns: impl IntoIterator<Item = Turn>) -> Self {
        Self { turns: turns.into_iter().collect(), ..Self::default() }
    }

    /// A script of conversations, each known by a text in the first message of its user and answered by these turns, however
    /// often it asks.
    pub fn conversations<'a>(all: impl IntoIterator<Item = (&'a str, Vec<Turn>)>) -> Self {
        let turns_of = all.into_iter().map(|(text, turns)| (text.to_owned(), turns)).collect();
        Self { turns_of, by_conversation: true, ..Self::default() }
    }

    /// A script of `count` calls of one tool, then the text `then`.
    pub fn steps(tool: &str, arguments: Value, count: u64, then: &str) -> Self {
        let steps = Steps { tool: tool.to_owned(), arguments, count, then: then.to_owned() };
        Self { steps: Some(steps), ..Self::default() }
    }
}

/// A call `count` times, then a text for ever. Requests are only counted, not parsed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Steps {
    /// The tool to call.
    pub tool: String,
    /// Its arguments; `{n}` in them is the step's number, from 1, so that no two calls need be the same.
    pub arguments: Value,
    /// How often.
    pub count: u64,
    /// The final text.
    pub then: String,
}

impl Steps {
    /// The call of one step.
    pub(super) fn call(&self, step: u64) -> ScriptedCall {
        let arguments = self.arguments.to_string().replace("{n}", &step.to_string());
        ScriptedCall { name: self.tool.clone(), arguments: Value::String(arguments) }
    }
}

/// One answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Turn {
    /// A text.
    Text(TextTurn),
    /// A text that repeats what the model was given: all messages of the user's role.
    Repeat(RepeatTurn),
    /// Calls of tools.
    ToolCalls(ToolCallsTurn),
    /// An HTTP error.
    Status(StatusTurn),
    /// No answer, ever.
    Hang(HangTurn),
    /// A text with a pause before each piece but the first.
    Slow(SlowTurn),
    /// An answer that breaks off.
    Cut(CutTurn),
    /// Bytes that mean nothing, as a success.
    Garbage(GarbageTurn),
    /// A very long text.
    Huge(HugeTurn),
    /// The connection is closed without an answer.
    Close(CloseTurn),
}

impl Turn {
    /// A text.
    pub fn text(text: &str) -> Self {
        Self::Text(TextTurn { text: text.to_owned() })
    }

    /// What the model was given, once more.
    pub fn repeat() -> Self {
        Self::Repeat(RepeatTurn {})
    }

    /// One call.
    pub fn call(name: &str, arguments: Value) -> Self {
        Self::calls([(name, arguments)])
    }

    /// Several calls in one answer.
    pub fn calls<'a>(calls: impl IntoIterator<Item = (&'a str, Value)>) -> Self {
        let call = |(name, arguments): (&str, Value)| ScriptedCall { name: name.to_owned(), arguments };
        Self::ToolCalls(ToolCallsTurn {
            text: None,
            calls: calls.into_iter().map(call).collect(),
            fragment: false,
        })
    }

    /// An HTTP error with the dialect's usual body.
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

/// What was given, once more.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepeatTurn {}

/// Calls of tools.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolCallsTurn {
    /// Text besides the calls.
    #[serde(default)]
    pub text: Option<String>,
    /// The calls.
    pub calls: Vec<ScriptedCall>,
    /// Whether the arguments are streamed in small pieces.
    #[serde(default)]
    pub fragment: bool,
}

/// One call.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedCall {
    /// The tool.
    pub name: String,
    /// Its arguments; a string is sent as it is, so that broken JSON can be played.
    pub arguments: Value,
}

/// An HTTP error.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatusTurn {
    /// The status code.
    pub code: u16,
    /// The body: a string is sent as it is, anything else as JSON; the dialect's error object when absent.
    #[serde(default)]
    pub body: Option<Value>,
    /// The header `Retry-After`, in seconds.
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
    /// Milliseconds between two pieces.
    pub ms_per_chunk: u64,
    /// The text.
    #[serde(default = "default_text")]
    pub text: String,
}

/// An answer that breaks off.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CutTurn {
    /// Bytes of the response's body that are sent.
    pub after_bytes: usize,
    /// The text.
    #[serde(default = "default_text")]
    pub text: String,
    /// Calls behind the text.
    #[serde(default)]
    pub calls: Vec<ScriptedCall>,
}

fn default_text() -> String {
    "One two three four five six seven eight nine ten. ".repeat(20)
}

/// Bytes that mean nothing.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GarbageTurn {
    /// How many; always the same ones.
    pub bytes: usize,
}

/// A very long text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HugeTurn {
    /// Length of the text.
    pub bytes: usize,
}

/// The connection is closed without an answer.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CloseTurn {}
