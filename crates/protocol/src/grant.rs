//! Grants: what a person's answer is remembered as.

use crate::{Decision, Digest, GrantId, Phrase, RequestId, SessionId, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A remembered answer: what, where, until when. Listed and revocable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Grant {
    /// Its id.
    pub id: GrantId,
    /// `allow` or `deny`; a grant never asks.
    pub decision: Decision,
    /// What it covers.
    pub rule: GrantRule,
    /// How long it holds.
    pub lifetime: Lifetime,
    /// The folder it holds in: the real path of the workspace it was given for.
    pub workspace: String,
    /// The request it was given for, if any.
    #[serde(default)]
    pub request: Option<RequestId>,
    /// When it was given.
    pub created_at_ms: i64,
    /// From when it no longer holds.
    #[serde(default)]
    pub expires_at_ms: Option<i64>,
    /// When it was revoked.
    #[serde(default)]
    pub revoked_at_ms: Option<i64>,
}

/// What a grant covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GrantRule {
    /// Exactly this call in exactly this folder.
    Call(CallRule),
    /// Simple commands whose argv is exactly this, or begins with it.
    Argv(ArgvRule),
    /// One path, or everything below a folder.
    Path(PathRule),
    /// One web origin.
    Origin(OriginRule),
}

/// Exactly this call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallRule {
    /// The tool, for display.
    pub tool: String,
    /// The call in words, for display.
    pub summary: Phrase,
    /// The digest it is bound to.
    pub digest: Digest,
}

/// Simple commands by their argv.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArgvRule {
    /// The words, literally.
    pub argv: Vec<String>,
    /// Whether more words may follow.
    pub prefix: bool,
}

/// What may be done to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PathOperation {
    /// Read a file or list a folder.
    Read,
    /// Create or change.
    Write,
    /// Remove.
    Delete,
}

/// A path or a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathRule {
    /// What may be done.
    pub operation: PathOperation,
    /// Real absolute path.
    pub path: String,
    /// Whether everything below the path is covered too.
    pub below: bool,
    /// Whether git may note what is below the path too: `git add` and `git commit` there, where no hooks run.
    #[serde(default)]
    pub commits: bool,
}

/// A web origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OriginRule {
    /// `scheme://host[:port]` in canonical form.
    pub origin: String,
}

/// How long an answer holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "for", rename_all = "snake_case")]
pub enum Lifetime {
    /// This call only; nothing is remembered.
    Once(OnceLifetime),
    /// Until the task ends.
    Task(TaskLifetime),
    /// For every task of the session.
    Session(SessionLifetime),
    /// For some minutes.
    Minutes(MinutesLifetime),
    /// Until revoked.
    Always(AlwaysLifetime),
}

/// This call only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OnceLifetime {}

/// Until the task ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskLifetime {
    /// The task.
    pub task: TaskId,
}

/// For every task of the session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionLifetime {
    /// The session.
    pub session: SessionId,
}

/// For some minutes from the answer on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MinutesLifetime {
    /// How many.
    pub minutes: u32,
}

/// Until revoked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AlwaysLifetime {}
