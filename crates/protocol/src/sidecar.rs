//! The protocol between the core and the Python sidecar: newline-delimited JSON-RPC 2.0 over stdio.
//!
//! The core calls the methods `initialize`, `inference.plan`, `inference.plan_more`, `inference.complete`,
//! `inference.embed`, `model.list`, `health.ping` and `lifecycle.shutdown`, and sends the notification `$/cancel`.
//! The sidecar sends the notifications `progress` and `log`.

use crate::{AgentPlan, Message, Messages, Phrase, StopReason, TaskId, ToolSpec, Usage};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The parameters of `initialize`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InitializeParams {
    /// The core's [`crate::PROTOCOL_VERSION`]. A sidecar with a different version answers with an error.
    pub protocol: u32,
    /// The folder with the user's own backend files.
    pub backends_dir: String,
    /// The API keys, by the name of the backend. They are never logged and never passed in the environment.
    #[serde(default)]
    pub keys: BTreeMap<String, String>,
    /// The secret from which the marks around untrusted data are made. It stays the same through restarts, so that a
    /// conversation is sent again as it was sent before. If empty, the sidecar makes one for its own life.
    #[serde(default)]
    pub marks: String,
}

/// The result of `initialize`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InitializeResult {
    /// The sidecar's protocol version.
    pub protocol: u32,
    /// The version of the sidecar's package.
    pub version: String,
    /// The names of the available backends.
    pub backends: Vec<String>,
}

/// A backend with its settings. It is part of every request, so that a restart of the sidecar loses no settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BackendRef {
    /// The name of the backend.
    pub name: String,
    /// The settings of the backend from `config.toml`, e.g. `base_url`, `model`, `timeout_secs`.
    #[serde(default)]
    pub settings: BTreeMap<String, serde_json::Value>,
}

/// The parameters of `inference.plan`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanRequest {
    /// The backend that makes the plan.
    pub backend: BackendRef,
    /// The system text: the profile's prompt and the core's rules.
    pub system: String,
    /// The conversation so far. The last message is never from the assistant.
    #[schemars(with = "Vec<Message>")]
    pub messages: Messages,
    /// The tools that may be called.
    pub tools: Arc<Vec<ToolSpec>>,
    /// Earlier tasks of the same conversation, newest last.
    #[serde(default)]
    pub earlier: Arc<Vec<EarlierTask>>,
    /// The name under which the sidecar keeps the conversation. The next request then only needs to contain what is
    /// new. If absent, the sidecar does not keep the conversation.
    #[serde(default)]
    pub conversation: Option<String>,
}

/// The parameters of `inference.plan_more`: the new messages of a conversation that the sidecar keeps. The rest of
/// the request is unchanged. If the sidecar does not have the conversation up to `base`, it answers with the error
/// -32001.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanMore {
    /// The backend that makes the plan.
    pub backend: BackendRef,
    /// The name under which the conversation is kept.
    pub conversation: String,
    /// How much of the conversation the sidecar already has.
    pub base: ConversationMark,
    /// The messages that follow.
    #[schemars(with = "Vec<Message>")]
    pub messages: Messages,
}

/// A position in a conversation, identified by what was sent up to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConversationMark {
    /// The size in bytes of the messages as JSON, including the commas between them.
    pub bytes: u64,
    /// The hexadecimal SHA-256 digest of the JSON of `system`, `tools` and `earlier`, each followed by a line feed,
    /// and the messages.
    pub sha256: String,
}

/// An earlier task of the same conversation, as shown to the planner of a later task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EarlierTask {
    /// The id of the task.
    pub id: TaskId,
    /// What the user wanted, in their own words.
    pub goal: String,
    /// How the task ended. Absent if it has not ended.
    pub reason: Option<StopReason>,
    /// The final summary, for the user. Absent if the task has not ended.
    #[serde(default)]
    pub summary: Option<String>,
    /// The files that the task changed, according to Deputy's own record. Only the first ones if there are many.
    #[serde(default)]
    pub changed_files: Vec<String>,
    /// When the task was submitted.
    pub created_at_ms: i64,
    /// The jobs of `organize` that the task executed, in order.
    #[serde(default)]
    pub jobs: Vec<String>,
}

/// A plan with its token usage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanReply {
    /// The plan. The ids of its calls only need to be unique within the plan.
    pub plan: AgentPlan,
    /// The tokens that the plan used. All zero if the provider does not report them.
    #[serde(default)]
    pub usage: Usage,
}

/// The result of `inference.plan` and `inference.plan_more`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanAnswer {
    /// The plan.
    pub plan: AgentPlan,
    /// The tokens that the plan used. All zero if the provider does not report them.
    #[serde(default)]
    pub usage: Usage,
    /// The position of the conversation that the plan answers. Absent if the sidecar does not keep the conversation.
    #[serde(default)]
    pub kept: Option<ConversationMark>,
}

/// The parameters of `inference.complete`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CompleteRequest {
    /// The backend that answers.
    pub backend: BackendRef,
    /// The instructions.
    pub system: String,
    /// The text to answer.
    pub prompt: String,
}

/// The result of `inference.complete`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CompleteReply {
    /// The answer.
    pub text: String,
    /// The tokens that the answer used.
    #[serde(default)]
    pub usage: Usage,
}

/// The parameters of `inference.embed`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EmbedRequest {
    /// The backend that embeds the texts.
    pub backend: BackendRef,
    /// The texts to embed.
    pub texts: Vec<String>,
}

/// The result of `inference.embed`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EmbedReply {
    /// The name of the model. Together with the dimension, it is the key of the index.
    pub model: String,
    /// The number of values in each vector.
    pub dimension: u32,
    /// The vectors in the order of the texts, in base64. Each value is a little-endian 32-bit float. Decimal text
    /// would be five times as long.
    pub vectors: String,
}

/// The parameters of `model.list`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelListRequest {
    /// The backend whose models are listed.
    pub backend: BackendRef,
}

/// The result of `model.list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelListReply {
    /// The names of the models.
    pub models: Vec<String>,
}

/// The parameters of `$/cancel`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CancelParams {
    /// The id of the request to cancel. The request is answered with the error `cancelled`.
    pub id: u64,
}

/// The parameters of the notification `progress`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProgressParams {
    /// The id of the request that the text belongs to.
    pub id: u64,
    /// The next piece of the model's text.
    pub text: String,
}

/// The parameters of the notification `log`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LogParams {
    /// The level of the log line.
    pub level: LogLevel,
    /// The log line. It contains no key.
    pub message: String,
}

/// The level of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LogLevel {
    /// Details for developers.
    Debug,
    /// General information.
    Info,
    /// An unexpected condition that was handled.
    Warning,
    /// A failure.
    Error,
}

/// Why a backend did not answer. The codes are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlanErrorCode {
    /// The key is missing, wrong, or lacks the permission.
    Auth,
    /// There were too many requests. `retry_after_secs` says when to retry.
    RateLimited,
    /// The conversation is too long for the model.
    ContextOverflow,
    /// The provider cannot be reached, is too slow, or closed the connection.
    Network,
    /// The provider's answer is not valid.
    BadResponse,
    /// The provider does not have the model.
    ModelMissing,
    /// The core cancelled the request.
    Cancelled,
    /// The name or the settings of the backend are not valid.
    BadSettings,
    /// The sidecar died or does not start.
    Sidecar,
    /// A bug in the sidecar or in a backend file.
    Internal,
}

/// The `error.data` of a JSON-RPC error. `error.message` is for people and says what to do next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanErrorData {
    /// Why the backend did not answer.
    pub code: PlanErrorCode,
    /// The number of seconds that the provider asks to wait. Absent if it does not say.
    #[serde(default)]
    pub retry_after_secs: Option<f64>,
    /// `error.message` as a message of the catalog. Absent if it is the backend's own text.
    #[serde(default)]
    pub said: Option<Phrase>,
    /// The tokens that the provider counted before the failure. Absent if it counted none.
    #[serde(default)]
    pub usage: Option<Usage>,
}
