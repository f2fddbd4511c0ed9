//! Background commands: their start, their end, and the output of commands.

use crate::{
    BackgroundId, CallId, ChangedRepository, Confinement, Digest, FileChange, Phrase, RefusedAttempt, TaskId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The output of a command, which is in the text of its result. The middle of a long output is omitted there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommandOutput {
    /// Whether the command wrote nothing to its standard output and standard error.
    #[serde(default)]
    pub is_empty: bool,
    /// The complete output. Absent if the result shows all of it.
    #[serde(default)]
    pub kept: Option<KeptOutput>,
}

/// The complete output of a command, stored next to the journal. It contains both streams in the order in which they
/// were written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeptOutput {
    /// The BLAKE3 digest of the text, which is the key in the blob store.
    pub digest: Digest,
    /// The size of the text in bytes.
    pub size_bytes: u64,
    /// The number of further bytes that were not kept, because `limits.command_output_mib` was reached.
    pub omitted_bytes: u64,
}

/// A command keeps running in the background while the task continues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackgroundStarted {
    /// The id of the command within its task: `b1`, `b2`, ...
    pub background: BackgroundId,
    /// The call that started the command. Live output of the command arrives as progress of this call.
    pub call: CallId,
    /// The command, with control characters escaped.
    pub command: String,
    /// The real path of the folder that the command runs in.
    pub cwd: String,
    /// What the operating system allows the command to do.
    pub confinement: Confinement,
    /// Whether the command runs in the task's private loopback network, which later commands of the task share.
    pub own_network: bool,
    /// The blob that lists the files from before the start. Absent if the command may not write anything.
    #[serde(default)]
    pub manifest: Option<Digest>,
}

/// A background command and all processes that it started have ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackgroundEnded {
    /// The id of the command.
    pub background: BackgroundId,
    /// The call that started the command.
    pub call: CallId,
    /// Why the command ended.
    pub why: BackgroundEnd,
    /// The exit code of the command. Absent if the command was killed.
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// One line for people and the planner, e.g. `exit code 1 after 3.2 s`.
    pub message: Phrase,
    /// The end of the command's output.
    #[serde(default)]
    pub tail: String,
    /// The complete output. Absent if `tail` contains all of it.
    #[serde(default)]
    pub kept: Option<KeptOutput>,
    /// The files that changed since the command started, for undo.
    #[serde(default)]
    pub changes: Vec<FileChange>,
    /// The git repositories that changed since the command started, for undo.
    #[serde(default)]
    pub repositories: Vec<ChangedRepository>,
    /// The accesses that the sandbox refused, as far as it recorded them.
    #[serde(default)]
    pub refused: Vec<RefusedAttempt>,
}

/// Why a background command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BackgroundEnd {
    /// The command exited.
    Exited,
    /// The task stopped the command.
    StoppedByTask,
    /// The user stopped the command.
    StoppedByUser,
    /// The command's task ended.
    TaskEnded,
    /// The command reached the limit `limits.background_secs`.
    TimeLimit,
    /// Deputy was restarted. The command ended with the process that had started it.
    HostRestarted,
}

/// Stops a background command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StopBackgroundCommand {
    /// The id of the command's task.
    pub task: TaskId,
    /// The id of the command within its task.
    pub background: BackgroundId,
}

/// Asks for a piece of the complete output of a command that has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutputQuery {
    /// The id of the task.
    pub task: TaskId,
    /// The call that ran the command or started it in the background.
    pub call: CallId,
    /// The byte at which the piece starts.
    #[serde(default)]
    pub offset: u64,
}

/// A piece of a command's output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutputAnswer {
    /// The text of the piece.
    pub text: String,
    /// The byte at which the piece starts.
    pub offset: u64,
    /// The byte at which the next piece starts. Absent at the end of the output.
    #[serde(default)]
    pub next: Option<u64>,
    /// The total number of bytes that were kept.
    pub size_bytes: u64,
}

/// A running background command, for screens that connect while it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConsoleBackground {
    /// The id of the command within its task.
    pub background: BackgroundId,
    /// The call that started the command.
    pub call: CallId,
    /// The command.
    pub command: String,
    /// When the command started.
    pub started_at_ms: i64,
    /// The end of the output so far.
    pub output: String,
}
