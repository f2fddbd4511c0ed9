//! Plans, calls and results: what a planner answers and what a tool returns.

use crate::{CallId, ChangedRepository, CommandOutput, Digest, Phrase, ResultPart};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The planner's answer for one iteration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentPlan {
    /// The planner's reasoning, shown to the user. May be empty.
    #[serde(default)]
    pub reasoning: String,
    /// The calls to make, in order.
    #[serde(default)]
    pub tool_calls: Vec<ToolCall>,
    /// A question for the user. The task waits for the answer.
    #[serde(default)]
    pub question: Option<String>,
    /// Whether the task is done. Only then is `summary` the final answer.
    #[serde(default)]
    pub is_complete: bool,
    /// What was done, for the user.
    #[serde(default)]
    pub summary: Option<String>,
    /// Whether the task ends because it needs a model. `summary` then says what is needed.
    #[serde(default)]
    pub needs_model: bool,
    /// Data that the provider needs back together with this plan, such as signed reasoning, in the format of the
    /// backend that created it. Nothing else reads it.
    #[serde(default)]
    pub provider_state: Option<String>,
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCall {
    /// The id of the call, unique over all tasks. The core replaces any id that the model chose.
    pub id: CallId,
    /// The name of the tool.
    pub tool: String,
    /// The parameters: an object that conforms to the tool's schema.
    pub parameters: serde_json::Value,
    /// Why the arguments from the model could not be parsed, with their beginning. Such a call is not made.
    #[serde(default)]
    pub problem: Option<String>,
    /// The call as the model wrote it, if that differs. It is sent back to the model, and nothing else reads it.
    #[serde(default)]
    pub written: Option<WrittenCall>,
}

impl ToolCall {
    /// Returns the name that the model called.
    pub fn written_name(&self) -> &str {
        self.written.as_ref().map_or(&self.tool, |written| &written.name)
    }

    /// Returns the call as the model wrote it, for the model.
    pub fn as_written(&self) -> Self {
        let Some(written) = &self.written else { return self.clone() };
        let parameters = written.arguments.clone().unwrap_or_else(|| without_action(&self.parameters));
        let (id, problem) = (self.id.clone(), self.problem.clone());
        Self { id, tool: written.name.clone(), parameters, problem, written: None }
    }
}

/// A call as the model wrote it: a function of the model's, for one action of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WrittenCall {
    /// The name of the function.
    pub name: String,
    /// The arguments. `None` if they are the parameters of the tool without `action`.
    #[serde(default)]
    pub arguments: Option<serde_json::Value>,
}

impl WrittenCall {
    /// Creates the written form of a call with these parameters.
    pub fn new(name: String, arguments: serde_json::Value, parameters: &serde_json::Value) -> Self {
        let arguments = (arguments != without_action(parameters)).then_some(arguments);
        Self { name, arguments }
    }
}

fn without_action(parameters: &serde_json::Value) -> serde_json::Value {
    let mut parameters = parameters.clone();
    if let Some(parameters) = parameters.as_object_mut() {
        parameters.remove("action");
    }
    parameters
}

/// The effect of running a call twice. It decides what happens to a call that was interrupted by a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// The call changes nothing. It may run in parallel with others, and again after a crash.
    ReadOnly,
    /// Running the call twice has the same effect as running it once.
    Idempotent,
    /// Running the call twice may do harm. It is never run again without asking a person.
    Mutating,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CallStatus {
    /// The call succeeded.
    Ok,
    /// The call ran and failed, or could not run. The result's `content` says why.
    Failed,
    /// Policy or a person denied the call. The result's `content` says why.
    Denied,
    /// The call was ended by a stop or a timeout.
    Cancelled,
    /// The process died during the call. The call may or may not have taken effect.
    Unknown,
}

/// The result of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolResult {
    /// How the call ended.
    pub status: CallStatus,
    /// The text that the planner reads, cut to the task's limit.
    pub content: String,
    /// One line for people, e.g. `214 files, 3 folders`. If empty, the first line of `content` is shown.
    #[serde(default)]
    pub summary: Phrase,
    /// The exit code of a command. Absent if the call did not run a command that exited.
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// The number of bytes of output that were counted but not kept.
    #[serde(default)]
    pub omitted_bytes: u64,
    /// The files that the call changed, for undo.
    #[serde(default)]
    pub changes: Vec<FileChange>,
    /// The git repositories that the call changed, for undo.
    #[serde(default)]
    pub repositories: Vec<ChangedRepository>,
    /// The accesses of a command that the sandbox refused, as far as it recorded them.
    #[serde(default)]
    pub refused: Vec<RefusedAttempt>,
    /// Facts about the output of a command. `content` has its text.
    #[serde(default)]
    pub output: Option<Box<CommandOutput>>,
    /// The number of operations of a plan that were skipped because their files had changed.
    #[serde(default)]
    pub left_out: u64,
    /// The parts of the result beyond its text: pictures, files and data.
    #[serde(default)]
    pub parts: Vec<ResultPart>,
}

impl ToolResult {
    /// Returns a result without files or exit code.
    pub fn new(status: CallStatus, content: impl Into<String>) -> Self {
        Self {
            status,
            content: content.into(),
            summary: Phrase::default(),
            exit_code: None,
            omitted_bytes: 0,
            changes: Vec::new(),
            repositories: Vec::new(),
            refused: Vec::new(),
            output: None,
            left_out: 0,
            parts: Vec::new(),
        }
    }

    /// Returns a result that consists only of a text.
    pub fn said(status: CallStatus, words: impl Into<Phrase>) -> Self {
        let words = words.into();
        Self { summary: words.first_line(), ..Self::new(status, words) }
    }

    /// Returns the result of a call that policy, a person or its tool denied.
    pub fn denied(reason: impl Into<Phrase>) -> Self {
        let reason = reason.into();
        Self { summary: reason.first_line(), ..Self::new(CallStatus::Denied, format!("Denied: {reason}")) }
    }
}

/// An access by a command that the sandbox refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RefusedAttempt {
    /// The kind of access.
    pub operation: AttemptKind,
    /// The absolute path of the target.
    pub path: String,
    /// Why the access was refused.
    pub why: Phrase,
}

/// A kind of access that a command tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttemptKind {
    /// Starting a program.
    Execute,
    /// Reading a file or folder.
    Read,
    /// Changing, creating, removing or renaming a file or folder.
    Write,
}

/// A change of one file or folder by a call. Its previous state is journaled before the change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileChange {
    /// The absolute path.
    pub path: String,
    /// The state of the path before the change.
    pub before: FileState,
    /// The state of the path after the change.
    pub after: FileState,
    /// When the file of `before` was last modified, which undo restores with a file that was removed or moved. Absent
    /// if it was no file.
    #[serde(default)]
    pub before_modified: Option<FileTime>,
}

/// A time as file systems store it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileTime {
    /// Seconds since 1970.
    pub secs: i64,
    /// Nanoseconds of that second.
    pub nanos: u32,
}

/// The state of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FileState {
    /// Nothing exists at the path.
    Absent(AbsentFile),
    /// A regular file, whose content is kept as a blob.
    File(KeptFile),
    /// A folder.
    Folder(KeptFolder),
    /// A symbolic link. Only its target path is kept; the link is never followed.
    Link(KeptLink),
    /// A pipe, socket or device. It has no content, and undo can only remove it.
    Special(SpecialFile),
    /// Something that cannot be restored, such as a file that was not copied.
    Unkept(UnkeptFile),
}

/// Nothing exists at the path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AbsentFile {}

/// A regular file, identified by its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeptFile {
    /// The BLAKE3 digest of the content, which is the key in the blob store.
    pub digest: Digest,
    /// The size in bytes.
    pub size_bytes: u64,
    /// The permission bits, as in `0o644`.
    pub mode: u32,
}

/// A folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeptFolder {
    /// The permission bits, as in `0o755`. Absent if they do not matter.
    #[serde(default)]
    pub mode: Option<u32>,
    /// If programs made the folder: what is known of the files in it, whose contents are not kept. Absent for other
    /// folders.
    #[serde(default)]
    pub output: Option<BuildOutputState>,
}

/// What is known of a folder with build output. Undo removes such a folder if the call created it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BuildOutputState {
    /// The number of files in it that changed since the task began.
    pub files: u32,
    /// When this was found, in milliseconds since 1970. A file that changed later was not changed by the call.
    pub at_ms: u64,
}

/// A pipe, socket or device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpecialFile {
    /// `pipe`, `socket` or `device`.
    pub what: String,
}

/// Something that was not copied and cannot be restored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnkeptFile {}

/// A symbolic link, identified by its target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeptLink {
    /// The target path, exactly as stored in the link.
    pub target: String,
}
