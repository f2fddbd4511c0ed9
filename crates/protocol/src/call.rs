//! Plans and calls: what a planner answers, and what a tool gives back.

use crate::{CallId, CommandOutput, Digest, Phrase, ResultPart};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the planner answers for one iteration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentPlan {
    /// The planner's thought in plain words; shown to the user, may be empty.
    #[serde(default)]
    pub reasoning: String,
    /// Calls to make, in order.
    #[serde(default)]
    pub tool_calls: Vec<ToolCall>,
    /// A question for the user; the task waits for its answer.
    #[serde(default)]
    pub question: Option<String>,
    /// Whether the task is done; only then is `summary` the final answer.
    #[serde(default)]
    pub is_complete: bool,
    /// What was done, for the user.
    #[serde(default)]
    pub summary: Option<String>,
    /// Whether the task ends because only a model could do it; `summary` says what it would take.
    #[serde(default)]
    pub needs_model: bool,
    /// What the provider needs back together with this plan, such as signed thoughts, in the form of the backend that
    /// made it. Nothing else reads it.
    #[serde(default)]
    pub provider_state: Option<String>,
}

/// One call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCall {
    /// Unique over all tasks; the core replaces whatever id the model made.
    pub id: CallId,
    /// The tool's name.
    pub tool: String,
    /// An object that fits the tool's schema.
    pub parameters: serde_json::Value,
    /// Why the arguments that the model gave could not be read, and how they begin; such a call is not made.
    #[serde(default)]
    pub problem: Option<String>,
}

/// What running a call again would do; decides what happens to a call that a crash cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Changes nothing: may run next to others, and again after a crash.
    ReadOnly,
    /// Running it twice is the same as once.
    Idempotent,
    /// Running it twice may do harm: never run again without a person.
    Mutating,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CallStatus {
    /// It did what it says.
    Ok,
    /// It ran and failed, or could not run; `content` says why.
    Failed,
    /// Policy or a person said no; `content` says why.
    Denied,
    /// It was ended by stop or a time-out.
    Cancelled,
    /// The process died while it ran: it may or may not have happened.
    Unknown,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolResult {
    /// How it ended.
    pub status: CallStatus,
    /// What the planner reads, cut to the task's limit.
    pub content: String,
    /// One line for people, e.g. `214 files, 3 folders`; empty means the first line of `content`.
    #[serde(default)]
    pub summary: Phrase,
    /// Exit code of a command.
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// Bytes of output that were counted but not kept.
    #[serde(default)]
    pub omitted_bytes: u64,
    /// Files this call changed, for undo.
    #[serde(default)]
    pub changes: Vec<FileChange>,
    /// What the walls refused while a command ran, as they saw it.
    #[serde(default)]
    pub refused: Vec<RefusedAttempt>,
    /// What a command wrote, apart by stream; `content` has it as one text.
    #[serde(default)]
    pub output: Option<Box<CommandOutput>>,
    /// Operations of a plan that were left out, as what they are about had changed.
    #[serde(default)]
    pub left_out: u64,
    /// What it gave back beyond its text: pictures, files, data.
    #[serde(default)]
    pub parts: Vec<ResultPart>,
}

impl ToolResult {
    /// A result without files or exit code.
    pub fn new(status: CallStatus, content: impl Into<String>) -> Self {
        Self {
            status,
            content: content.into(),
            summary: Phrase::default(),
            exit_code: None,
            omitted_bytes: 0,
            changes: Vec::new(),
            refused: Vec::new(),
            output: None,
            left_out: 0,
            parts: Vec::new(),
        }
    }

    /// A result that is no more than its words.
    pub fn said(status: CallStatus, words: impl Into<Phrase>) -> Self {
        let words = words.into();
        Self { summary: words.first_line(), ..Self::new(status, words) }
    }

    /// The result of a call that policy, a person or its tool said no to.
    pub fn denied(reason: impl Into<Phrase>) -> Self {
        let reason = reason.into();
        Self { summary: reason.first_line(), ..Self::new(CallStatus::Denied, format!("Denied: {reason}")) }
    }
}

/// Something that a command tried and the walls refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RefusedAttempt {
    /// What it tried.
    pub operation: AttemptKind,
    /// On what: an absolute path.
    pub path: String,
    /// Why it was refused.
    pub why: Phrase,
}

/// What a command tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttemptKind {
    /// To start a program.
    Execute,
    /// To read a file or a folder.
    Read,
    /// To change, make, remove or rename something.
    Write,
}

/// One file or folder as a call left it; journalled before the change with what it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileChange {
    /// Absolute path.
    pub path: String,
    /// What was there before.
    pub before: FileState,
    /// What is there afterwards.
    pub after: FileState,
}

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FileState {
    /// Nothing.
    Absent(AbsentFile),
    /// A regular file whose content is kept as a blob.
    File(KeptFile),
    /// A folder.
    Folder(KeptFolder),
    /// A symbolic link, which is kept as what it says and never followed.
    Link(KeptLink),
    /// A pipe, socket or device: it has no content, and undo can only remove it.
    Special(SpecialFile),
    /// Something that is not known well enough to be brought back, such as a file of which no copy was made.
    Unkept(UnkeptFile),
}

/// Nothing is there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AbsentFile {}

/// A regular file by its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeptFile {
    /// BLAKE3 of the content; the blob store's key.
    pub digest: Digest,
    /// Size in bytes.
    pub size_bytes: u64,
    /// Permission bits, as in `0o644`.
    pub mode: u32,
}

/// A folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeptFolder {
    /// Permission bits, as in `0o755`; absent where they do not matter.
    #[serde(default)]
    pub mode: Option<u32>,
}

/// A pipe, socket or device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpecialFile {
    /// `pipe`, `socket` or `device`.
    pub what: String,
}

/// Something of which no copy was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnkeptFile {}

/// A symbolic link by what it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeptLink {
    /// The path it holds, as it was written.
    pub target: String,
}
