//! Grants: the remembered answers of a person.

use crate::{Decision, Digest, GrantId, Phrase, RequestId, SessionId, TaskId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A remembered answer. It can be listed and revoked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Grant {
    /// The id of the grant.
    pub id: GrantId,
    /// `allow` or `deny`. A grant never asks.
    pub decision: Decision,
    /// What the grant covers.
    pub rule: GrantRule,
    /// How long the grant applies.
    pub lifetime: Lifetime,
    /// The folder in which the grant applies: the real path of the workspace that it was given for.
    pub workspace: String,
    /// The permission request that was answered. Absent if there was none.
    #[serde(default)]
    pub request: Option<RequestId>,
    /// When the grant was given.
    pub created_at_ms: i64,
    /// When the grant expires. Absent if it does not expire at a fixed time.
    #[serde(default)]
    pub expires_at_ms: Option<i64>,
    /// When the grant was revoked. Absent if it was not revoked.
    #[serde(default)]
    pub revoked_at_ms: Option<i64>,
}

/// What a grant covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GrantRule {
    /// Exactly one call in exactly one folder.
    Call(CallRule),
    /// Simple commands whose argv is equal to a list of words or starts with it.
    Argv(ArgvRule),
    /// A path, or everything below a folder.
    Path(PathRule),
    /// A web origin.
    Origin(OriginRule),
    /// Work in a folder: every call of every tool that stays in it, without a network.
    Folder(FolderRule),
}

impl fmt::Display for GrantRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(call) => write!(formatter, "exactly: {}", call.summary),
            Self::Argv(argv) => {
                let more = if argv.prefix { " …" } else { "" };
                write!(formatter, "{}{more}", argv.argv.join(" "))
            }
            Self::Path(path) => {
                let does = match path.operation {
                    PathOperation::Read => "read",
                    PathOperation::Write => "write",
                    PathOperation::Delete => "delete",
                };
                let below = if path.below { "/…" } else { "" };
                let commits = if path.commits { " and commits of it" } else { "" };
                write!(formatter, "{does} {}{below}{commits}", path.path)
            }
            Self::Origin(origin) => formatter.write_str(&origin.origin),
            Self::Folder(folder) => write!(formatter, "work in {}", folder.path),
        }
    }
}

/// A rule that covers work in a folder. What a call does is bounded by the walls, and not by its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FolderRule {
    /// The real absolute path of the folder.
    pub path: String,
}

/// A rule that covers exactly one call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallRule {
    /// The name of the tool, for display.
    pub tool: String,
    /// What the call does, for display.
    pub summary: Phrase,
    /// The digest of the call.
    pub digest: Digest,
}

/// A rule that covers simple commands by their argv.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArgvRule {
    /// The words of the command, literally.
    pub argv: Vec<String>,
    /// Whether further words may follow.
    pub prefix: bool,
}

/// An operation on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PathOperation {
    /// Reading a file or listing a folder.
    Read,
    /// Creating or changing a file or folder.
    Write,
    /// Removing a file or folder.
    Delete,
}

/// A rule that covers a path or a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathRule {
    /// The operation that is covered.
    pub operation: PathOperation,
    /// The real absolute path.
    pub path: String,
    /// Whether everything below the path is also covered.
    pub below: bool,
    /// Whether `git add` and `git commit` of files below the path are also covered, without running hooks.
    #[serde(default)]
    pub commits: bool,
}

/// A rule that covers a web origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OriginRule {
    /// The origin in canonical form: `scheme://host[:port]`.
    pub origin: String,
}

/// How long an answer applies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "for", rename_all = "snake_case")]
pub enum Lifetime {
    /// For this call only. Nothing is remembered.
    Once(OnceLifetime),
    /// For this call only, which reads secrets and gets the names of their settings without the values.
    Names(NamesLifetime),
    /// Until the task ends.
    Task(TaskLifetime),
    /// For every task of the conversation.
    Session(SessionLifetime),
    /// For a number of minutes.
    Minutes(MinutesLifetime),
    /// Until it is revoked.
    Always(AlwaysLifetime),
}

impl Lifetime {
    /// Whether the answer applies to one call only.
    pub fn is_one_call(&self) -> bool {
        matches!(self, Self::Once(_) | Self::Names(_))
    }
}

/// The answer applies to this call only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OnceLifetime {}

/// The answer applies to this call only, and every value of the secrets that it reads is masked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NamesLifetime {}

/// The answer applies until the task ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskLifetime {
    /// The id of the task.
    pub task: TaskId,
}

/// The answer applies to every task of the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionLifetime {
    /// The id of the conversation.
    pub session: SessionId,
}

/// The answer applies for a number of minutes, starting when it is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MinutesLifetime {
    /// The number of minutes.
    pub minutes: u32,
}

/// The answer applies until it is revoked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AlwaysLifetime {}
