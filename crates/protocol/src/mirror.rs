//! The mirror: how a screen follows the host. One JSON message a line over the Unix socket, one a frame over the WebSocket.

use crate::{
    CallId, Challenge, CommandEnvelope, CommandId, CommandOutcome, DeviceScope, ErrorBody, EventRecord,
    Grant, GrantId, JobProgress, Lifetime, MemoryRole, PermissionRequest, Phrase, Proof, Query, QueryAnswer,
    Question, RequestId, TaskId, TaskSummary, TaskUpdate,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What every screen shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "agent", rename_all = "snake_case")]
pub enum AgentState {
    /// Nothing runs and nothing waits.
    Idle(IdleAgent),
    /// Tasks that have not ended, and what waits for a person.
    Active(ActiveAgent),
}

/// Nothing runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IdleAgent {}

/// Something runs or waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ActiveAgent {
    /// Tasks that have not ended, oldest first; the queued ones after the others, in the order in which they will start.
    pub tasks: Vec<TaskSummary>,
    /// Permission requests without an answer.
    pub requests: Vec<PermissionRequest>,
    /// Questions without an answer.
    pub questions: Vec<Question>,
}

/// The state at a place in the stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Snapshot {
    /// The last event that is in it.
    pub seq: u64,
    /// The state.
    pub state: AgentState,
}

/// What a client sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "one is made for each message of a client, and not kept")]
pub enum ClientMessage {
    /// Must come first.
    Hello(Hello),
    /// Do something.
    Command(ClientCommand),
    /// Ask something.
    Query(ClientQuery),
}

/// The first message of a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hello {
    /// [`crate::PROTOCOL_VERSION`].
    pub protocol: u32,
    /// Last event the client has; it gets what came after. Absent: a snapshot.
    #[serde(default)]
    pub resume_from: Option<u64>,
    /// Whether live events and progress are wanted after that.
    #[serde(default)]
    pub follow: bool,
    /// Whether long texts of events may come shortened, as they always do but over the Unix socket.
    #[serde(default)]
    pub brief: bool,
    /// Why the client may connect; the Unix socket needs none.
    #[serde(default)]
    pub proof: Option<Proof>,
}

/// Do something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClientCommand {
    /// The command.
    pub envelope: CommandEnvelope,
}

/// Ask something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClientQuery {
    /// Made by the client; is in the answer.
    pub id: CommandId,
    /// What is asked.
    pub query: Query,
}

/// The state of the agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StateQuery {}

/// Tasks, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TasksQuery {
    /// How many at most.
    #[serde(default = "usual_limit")]
    pub limit: u32,
    /// Words to look for in what was said in all tasks; the last may be the beginning of one.
    #[serde(default)]
    pub said: Option<String>,
}

/// Where in a task something was said: the newest place that has all of the words that were looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SaidInTask {
    /// The task.
    pub task: TaskId,
    /// The event that said it.
    pub event: u64,
    /// Who said it.
    pub role: MemoryRole,
    /// When.
    pub at_ms: i64,
    /// The words with some around them.
    pub text: String,
}

/// Tasks or events of one page where nothing is said.
fn usual_limit() -> u32 {
    100
}

/// One task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskQuery {
    /// Which.
    pub task: TaskId,
}

/// The events of one task, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EventsQuery {
    /// The task.
    pub task: TaskId,
    /// Only events after this one.
    #[serde(default)]
    pub after: u64,
    /// How many at most.
    #[serde(default = "usual_limit")]
    pub limit: u32,
    /// The newest ones of them, and not the oldest: what a screen shows first of a long task.
    #[serde(default)]
    pub newest: bool,
    /// Long texts cut, as live events have them.
    #[serde(default)]
    pub brief: bool,
}

/// One event in full: what an event that came shortened left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EventQuery {
    /// Its place in the stream.
    pub seq: u64,
}

/// Grants that hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GrantsQuery {}

/// End a grant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RevokeGrantCommand {
    /// Which.
    pub grant: GrantId,
}

/// What a grant would have let through in the past: asked before a broader answer than `once` is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PreviewGrantQuery {
    /// The open request.
    pub request: RequestId,
    /// The offer, by its lifetime.
    pub lifetime: Lifetime,
    /// Whether the wider of two offers for that long is meant.
    #[serde(default)]
    pub wider: bool,
}

/// What the host sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// Who are you? Comes first, but not over the Unix socket.
    Challenge(Challenge),
    /// The hello was good; events after `resume_from` follow, or a snapshot.
    Welcome(Welcome),
    /// The state; what follows builds on it.
    Snapshot(SnapshotMessage),
    /// Something happened.
    Event(Box<EventMessage>),
    /// Something that is not journalled, e.g. streamed text.
    Progress(Progress),
    /// How far a job over files got.
    Job(JobProgress),
    /// Something needs a person, or does not any more.
    Notice(Notice),
    /// The answer to a command.
    CommandReply(CommandReply),
    /// The answer to a query.
    QueryReply(QueryReply),
    /// The message with this id, or the connection, failed.
    Error(ErrorMessage),
}

/// The hello was good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Welcome {
    /// The host's version of the protocol.
    pub protocol: u32,
    /// The host's version.
    pub version: String,
    /// The newest event.
    pub seq: u64,
    /// What this connection may do.
    #[serde(default)]
    pub scopes: Vec<DeviceScope>,
    /// Whether it is the host's own user's; only such a one sees devices and settings.
    #[serde(default)]
    pub local: bool,
}

/// The state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SnapshotMessage {
    /// The snapshot.
    pub snapshot: Snapshot,
}

/// Something happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventMessage {
    /// The event.
    pub record: EventRecord,
    /// Its task after it; of a past event that a client missed, as the task is by now. The mirror always says it.
    #[serde(default)]
    pub update: Option<TaskUpdate>,
    /// Whether long texts in it were cut; the query `event` gets it in full.
    #[serde(default)]
    pub shortened: bool,
}

/// Something that is not journalled; may be lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    /// The task.
    pub task: TaskId,
    /// The call whose output it is; the planner's text when absent.
    #[serde(default)]
    pub call: Option<CallId>,
    /// The next piece of text.
    pub text: String,
}

/// Something needs a person, or does not any more: what a screen shows as a notification, once for each id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Notice {
    /// The request's, the question's or the task's id.
    pub id: String,
    /// The task.
    pub task: TaskId,
    /// What it is about.
    pub kind: NoticeKind,
    /// A line for people, control characters escaped.
    pub text: String,
    /// Whether it is over: answered elsewhere, or no more needed. A screen takes it away.
    pub withdrawn: bool,
}

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    /// A call waits for permission.
    Request,
    /// A question waits for its answer.
    Question,
    /// A task has ended.
    Ended,
}

/// The answer to a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommandReply {
    /// The command's id.
    pub id: CommandId,
    /// What came of it.
    pub outcome: CommandOutcome,
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QueryReply {
    /// The query's id.
    pub id: CommandId,
    /// The answer.
    pub answer: QueryAnswer,
}

/// The state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StateAnswer {
    /// The snapshot.
    pub snapshot: Snapshot,
}

/// Tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TasksAnswer {
    /// Newest first.
    pub tasks: Vec<TaskSummary>,
    /// Where the words that were looked for were said: one place of each task, the newest first.
    #[serde(default)]
    pub said: Vec<SaidInTask>,
}

/// One task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskAnswer {
    /// The task.
    pub task: TaskSummary,
}

/// Events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventsAnswer {
    /// Oldest first.
    pub events: Vec<EventRecord>,
    /// Places of those whose long texts were cut; the query `event` gets them in full.
    #[serde(default)]
    pub shortened: Vec<u64>,
}

/// Grants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GrantsAnswer {
    /// Newest first.
    pub grants: Vec<Grant>,
}

/// What a grant would have let through, had it held before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GrantPreview {
    /// The offer in words.
    pub label: Phrase,
    /// How far back was looked.
    pub days: u32,
    /// Calls that were asked about in that time and would not have been; the open request itself is not counted.
    pub calls: u32,
    /// How many of them were refused.
    pub refused: u32,
    /// Whether there were more requests than were looked at, so that there may be more.
    pub and_more: bool,
    /// The newest of them.
    pub samples: Vec<PreviewedCall>,
}

/// A call of the past that a grant would have let through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PreviewedCall {
    /// Its task.
    pub task: TaskId,
    /// What it was, for people.
    pub summary: Phrase,
    /// When it was asked.
    pub at_ms: i64,
    /// Whether it was refused then.
    pub refused: bool,
}

/// A message failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorMessage {
    /// The command or query; absent when the connection itself is refused.
    #[serde(default)]
    pub id: Option<CommandId>,
    /// Why.
    pub error: ErrorBody,
}
