//! The mirror: the protocol by which a screen follows the host. Each JSON message is a line over the Unix socket, or
//! a frame over the WebSocket.

use crate::{
    CallId, Challenge, CommandEnvelope, CommandId, CommandOutcome, DeviceScope, ErrorBody, EventRecord,
    Grant, GrantId, JobProgress, Lifetime, MemoryRole, PermissionRequest, Phrase, Proof, Query, QueryAnswer,
    Question, RequestId, TaskId, TaskSummary, TaskUpdate,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state that every screen shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "agent", rename_all = "snake_case")]
pub enum AgentState {
    /// No task is running and nothing is waiting for a person.
    Idle(IdleAgent),
    /// Some tasks have not ended, or something is waiting for a person.
    Active(ActiveAgent),
}

/// The state in which no task is running and nothing is waiting.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IdleAgent {}

/// The state in which a task is running or something is waiting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ActiveAgent {
    /// Tasks that have not ended, oldest first. Queued tasks come after the others, in the order in which they will
    /// start.
    pub tasks: Vec<TaskSummary>,
    /// Permission requests that have not been answered.
    pub requests: Vec<PermissionRequest>,
    /// Questions that have not been answered.
    pub questions: Vec<Question>,
}

/// The state at a position in the stream of events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Snapshot {
    /// The sequence number of the last event that the state includes.
    pub seq: u64,
    /// The state.
    pub state: AgentState,
}

/// A message from a client to the host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "one is made for each message of a client, and not kept")]
pub enum ClientMessage {
    /// The first message of a client.
    Hello(Hello),
    /// Performs a command.
    Command(ClientCommand),
    /// Asks a query.
    Query(ClientQuery),
}

/// The first message of a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hello {
    /// The client's [`crate::PROTOCOL_VERSION`].
    pub protocol: u32,
    /// The sequence number of the last event that the client has. The client receives the events after it. If absent,
    /// the client receives a snapshot.
    #[serde(default)]
    pub resume_from: Option<u64>,
    /// Whether the client also wants live events and progress.
    #[serde(default)]
    pub follow: bool,
    /// Whether long texts in events may be shortened. They are always shortened except over the Unix socket.
    #[serde(default)]
    pub brief: bool,
    /// The proof that the client may connect. The Unix socket does not require one.
    #[serde(default)]
    pub proof: Option<Proof>,
}

/// A message that performs a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClientCommand {
    /// The command with its id.
    pub envelope: CommandEnvelope,
}

/// A message that asks a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClientQuery {
    /// The id of the query. The client creates it, and the reply repeats it.
    pub id: CommandId,
    /// The query.
    pub query: Query,
}

/// Asks for the state of the agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StateQuery {}

/// Asks for tasks, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TasksQuery {
    /// The maximum number of tasks.
    #[serde(default = "usual_limit")]
    pub limit: u32,
    /// Words to search for in the texts of all tasks. The last word may be a prefix. Absent to list tasks without a
    /// search.
    #[serde(default)]
    pub said: Option<String>,
}

/// A match of a search in a task: the newest text that contains all of the words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SaidInTask {
    /// The task.
    pub task: TaskId,
    /// The sequence number of the event that contains the text.
    pub event: u64,
    /// The author of the text.
    pub role: MemoryRole,
    /// When the text was written.
    pub at_ms: i64,
    /// An excerpt of the text around the words.
    pub text: String,
}

/// The default number of tasks or events in a page.
fn usual_limit() -> u32 {
    100
}

/// Asks for one task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskQuery {
    /// The id of the task.
    pub task: TaskId,
}

/// Asks for the events of one task, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EventsQuery {
    /// The id of the task.
    pub task: TaskId,
    /// Only events after this sequence number are returned.
    #[serde(default)]
    pub after: u64,
    /// The maximum number of events.
    #[serde(default = "usual_limit")]
    pub limit: u32,
    /// Whether to return the newest matching events instead of the oldest. A screen uses this to show a long task.
    #[serde(default)]
    pub newest: bool,
    /// Whether to shorten long texts, as in live events.
    #[serde(default)]
    pub brief: bool,
}

/// Asks for one event in full, for example an event that arrived shortened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EventQuery {
    /// The sequence number of the event.
    pub seq: u64,
}

/// Asks for the grants that are in effect.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GrantsQuery {}

/// Revokes a grant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RevokeGrantCommand {
    /// The id of the grant.
    pub grant: GrantId,
}

/// Asks which past calls a grant would have allowed. A screen asks this before it gives a broader answer than `once`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PreviewGrantQuery {
    /// The id of the open permission request.
    pub request: RequestId,
    /// The lifetime of the offer.
    pub lifetime: Lifetime,
    /// Whether the wider of the two offers with this lifetime is meant.
    #[serde(default)]
    pub wider: bool,
}

/// A message from the host to a client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The challenge that the client has to sign. It is the first message, except over the Unix socket.
    Challenge(Challenge),
    /// The hello was accepted. The events after `resume_from`, or a snapshot, follow.
    Welcome(Welcome),
    /// The state. Later messages update it.
    Snapshot(SnapshotMessage),
    /// An event of the journal.
    Event(Box<EventMessage>),
    /// Output that is not journaled, for example streamed text.
    Progress(Progress),
    /// The progress of a job over files.
    Job(JobProgress),
    /// Something needs a person's attention, or no longer does.
    Notice(Notice),
    /// The reply to a command.
    CommandReply(CommandReply),
    /// The reply to a query.
    QueryReply(QueryReply),
    /// The message with this id, or the connection, failed.
    Error(ErrorMessage),
}

/// The hello was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Welcome {
    /// The host's protocol version.
    pub protocol: u32,
    /// The host's version.
    pub version: String,
    /// The sequence number of the newest event.
    pub seq: u64,
    /// What this connection may do.
    #[serde(default)]
    pub scopes: Vec<DeviceScope>,
    /// Whether the connection belongs to the host's own user. Only such a connection can see devices and settings.
    #[serde(default)]
    pub local: bool,
}

/// A message with the state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SnapshotMessage {
    /// The snapshot.
    pub snapshot: Snapshot,
}

/// A message with an event of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventMessage {
    /// The event.
    pub record: EventRecord,
    /// The task's summary after the event. For a past event that the client missed, it is the task's current summary.
    /// The mirror always sets it.
    #[serde(default)]
    pub update: Option<TaskUpdate>,
    /// Whether long texts in the event were shortened. The query `event` returns the event in full.
    #[serde(default)]
    pub shortened: bool,
}

/// Output that is not journaled. It may be lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    /// The task.
    pub task: TaskId,
    /// The call that wrote the output. Absent if the text is the planner's.
    #[serde(default)]
    pub call: Option<CallId>,
    /// The next piece of the text.
    pub text: String,
}

/// Something needs a person's attention, or no longer does. A screen shows it as a notification, once for each id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Notice {
    /// The id of the permission request, the question or the task.
    pub id: String,
    /// The task.
    pub task: TaskId,
    /// The subject of the notice.
    pub kind: NoticeKind,
    /// One line for people, with control characters escaped.
    pub text: String,
    /// Whether the notice is obsolete, because it was answered elsewhere or is no longer needed. A screen then
    /// removes it.
    pub withdrawn: bool,
}

/// The subject of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    /// A call is waiting for permission.
    Request,
    /// A question is waiting for an answer.
    Question,
    /// A task has ended.
    Ended,
}

/// The reply to a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommandReply {
    /// The id of the command.
    pub id: CommandId,
    /// The result of the command.
    pub outcome: CommandOutcome,
}

/// The reply to a query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QueryReply {
    /// The id of the query.
    pub id: CommandId,
    /// The answer.
    pub answer: QueryAnswer,
}

/// The state of the agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StateAnswer {
    /// The snapshot.
    pub snapshot: Snapshot,
}

/// A list of tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TasksAnswer {
    /// The tasks, newest first.
    pub tasks: Vec<TaskSummary>,
    /// The matches of the search: one for each task, newest first.
    #[serde(default)]
    pub said: Vec<SaidInTask>,
}

/// One task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskAnswer {
    /// The summary of the task.
    pub task: TaskSummary,
}

/// A list of events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventsAnswer {
    /// The events, oldest first.
    pub events: Vec<EventRecord>,
    /// The sequence numbers of the events whose long texts were shortened. The query `event` returns such an event in
    /// full.
    #[serde(default)]
    pub shortened: Vec<u64>,
}

/// A list of grants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GrantsAnswer {
    /// The grants, newest first.
    pub grants: Vec<Grant>,
}

/// The past calls that a grant would have allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GrantPreview {
    /// The offer, described for people.
    pub label: Phrase,
    /// The number of days that were searched.
    pub days: u32,
    /// The number of calls in that time for which a person was asked but would not have been. The open request itself
    /// is not counted.
    pub calls: u32,
    /// The number of counted calls that were denied.
    pub refused: u32,
    /// Whether only some of the requests were examined, so that there may be more calls.
    pub and_more: bool,
    /// The newest of the counted calls.
    pub samples: Vec<PreviewedCall>,
}

/// A past call that a grant would have allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PreviewedCall {
    /// The task of the call.
    pub task: TaskId,
    /// What the call does, for people.
    pub summary: Phrase,
    /// When permission for the call was requested.
    pub at_ms: i64,
    /// Whether the call was denied.
    pub refused: bool,
}

/// The error for a message that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorMessage {
    /// The id of the command or query. Absent if the connection itself is refused.
    #[serde(default)]
    pub id: Option<CommandId>,
    /// The error.
    pub error: ErrorBody,
}
