//! Commands that keep running: what starts, what ends, and how a screen or a model reads what a command has written.

use crate::{BackgroundId, CallId, Confinement, Digest, FileChange, Phrase, RefusedAttempt, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a command wrote, apart by stream, each with its middle left out where it is long.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommandOutput {
    /// What it wrote to its standard output.
    pub stdout: String,
    /// What it wrote to its standard error.
    pub stderr: String,
    /// All of it, where it is longer than what the result shows.
    #[serde(default)]
    pub kept: Option<KeptOutput>,
}

/// The whole output of a command, both streams in the order in which they came, kept next to the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeptOutput {
    /// BLAKE3 of the text; the blob store's key.
    pub digest: Digest,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// Bytes that came after it and are not kept: a command may write `limits.command_output_mib` at most.
    pub omitted_bytes: u64,
}

/// A command keeps running behind the calls that follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackgroundStarted {
    /// Its name within the task: `b1`, `b2`, ...
    pub background: BackgroundId,
    /// The call that started it. Its live output comes as progress of this call.
    pub call: CallId,
    /// The command, control characters escaped.
    pub command: String,
    /// Real path of the folder it runs in.
    pub cwd: String,
    /// What the operating system lets it do.
    pub confinement: Confinement,
    /// Whether it listens on the task's own loopback, which the task's later commands share.
    pub own_network: bool,
    /// The blob that lists what was there before it started; absent where it may write nothing.
    #[serde(default)]
    pub manifest: Option<Digest>,
}

/// A background command is gone, with everything that it started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackgroundEnded {
    /// Which.
    pub background: BackgroundId,
    /// The call that had started it.
    pub call: CallId,
    /// Why it ended.
    pub why: BackgroundEnd,
    /// Its exit code, where it ended by itself and was not killed.
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// One line for people and for the planner, e.g. `exit code 1 after 3.2 s`.
    pub message: Phrase,
    /// The end of what it wrote.
    #[serde(default)]
    pub tail: String,
    /// All that it wrote, where that is longer.
    #[serde(default)]
    pub kept: Option<KeptOutput>,
    /// Files that differ from before it started, for undo.
    #[serde(default)]
    pub changes: Vec<FileChange>,
    /// What the walls refused while it ran, as they saw it.
    #[serde(default)]
    pub refused: Vec<RefusedAttempt>,
}

/// Why a background command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BackgroundEnd {
    /// By itself.
    Exited,
    /// The task stopped it.
    StoppedByTask,
    /// The user stopped it.
    StoppedByUser,
    /// Its task ended.
    TaskEnded,
    /// It reached `limits.background_secs`.
    TimeLimit,
    /// Deputy was restarted; it ended with the process that had started it.
    HostRestarted,
}

/// Stop a background command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StopBackgroundCommand {
    /// Its task.
    pub task: TaskId,
    /// Which.
    pub background: BackgroundId,
}

/// A piece of the whole output of a command that ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutputQuery {
    /// The task.
    pub task: TaskId,
    /// The call that ran the command, or that started it in the background.
    pub call: CallId,
    /// From which byte on.
    #[serde(default)]
    pub offset: u64,
}

/// A piece of a command's output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutputAnswer {
    /// The piece.
    pub text: String,
    /// Its first byte.
    pub offset: u64,
    /// Where the next piece begins; absent at the end.
    #[serde(default)]
    pub next: Option<u64>,
    /// Bytes that are kept altogether.
    pub size_bytes: u64,
}

/// A background command that is running, for screens that join in between.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConsoleBackground {
    /// Its name within the task.
    pub background: BackgroundId,
    /// The call that started it.
    pub call: CallId,
    /// The command.
    pub command: String,
    /// When it started.
    pub started_at_ms: i64,
    /// The end of what it has written so far.
    pub output: String,
}
