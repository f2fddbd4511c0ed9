//! What the core and the Python sidecar say to each other: newline-delimited JSON-RPC 2.0 over stdio.
//!
//! Methods of the core: `initialize`, `inference.plan`, `inference.plan_more`, `inference.complete`, `inference.embed`,
//! `model.list`, `health.ping`, `lifecycle.shutdown`; its notification `$/cancel`. Notifications of the sidecar: `progress`, `log`.

use crate::{AgentPlan, Message, Messages, Phrase, StopReason, TaskId, ToolSpec, Usage};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Parameters of `initialize`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InitializeParams {
    /// [`crate::PROTOCOL_VERSION`]; a sidecar with another one answers with an error.
    pub protocol: u32,
    /// Folder with the user's own backend files.
    pub backends_dir: String,
    /// Backend name to API key. Never logged, never in the environment.
    #[serde(default)]
    pub keys: BTreeMap<String, String>,
}

/// Result of `initialize`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InitializeResult {
    /// The sidecar's version of the protocol.
    pub protocol: u32,
    /// Version of the package.
    pub version: String,
    /// Names of the backends that can be asked for.
    pub backends: Vec<String>,
}

/// Which backend, set up how. It is in every request, so that no setting is lost with a restart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BackendRef {
    /// Its name.
    pub name: String,
    /// Its settings from `config.toml`, e.g. `base_url`, `model`, `timeout_secs`.
    #[serde(default)]
    pub settings: BTreeMap<String, serde_json::Value>,
}

/// Parameters of `inference.plan`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanRequest {
    /// Who plans.
    pub backend: BackendRef,
    /// The profile's prompt and the core's rules.
    pub system: String,
    /// The conversation so far; the last is never the assistant's.
    #[schemars(with = "Vec<Message>")]
    pub messages: Messages,
    /// What may be called.
    pub tools: Arc<Vec<ToolSpec>>,
    /// Tasks of the same conversation that came before, the newest last.
    #[serde(default)]
    pub earlier: Arc<Vec<EarlierTask>>,
    /// The name under which the sidecar is to keep the conversation, so that the next plan need only be sent what is new.
    #[serde(default)]
    pub conversation: Option<String>,
}

/// Parameters of `inference.plan_more`: what is new in a conversation that the sidecar keeps. The rest of the request is as
/// it was. Where the sidecar does not hold the conversation up to `base`, it refuses with the error -32001.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanMore {
    /// Who plans.
    pub backend: BackendRef,
    /// The name under which it is kept.
    pub conversation: String,
    /// How far it is held.
    pub base: ConversationMark,
    /// What follows.
    #[schemars(with = "Vec<Message>")]
    pub messages: Messages,
}

/// How far a conversation goes, by what was sent of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConversationMark {
    /// Bytes of the messages as JSON, with the commas between them.
    pub bytes: u64,
    /// SHA-256, in hexadecimal, of the JSON of `system`, `tools` and `earlier`, a line feed behind each, and the messages.
    pub sha256: String,
}

/// A task of the same conversation, as the planner of a later one sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EarlierTask {
    /// Its id.
    pub id: TaskId,
    /// What the user wanted, in their words.
    pub goal: String,
    /// How it ended; none where it has not.
    pub reason: Option<StopReason>,
    /// What it ended with, for the user; none where it has not.
    #[serde(default)]
    pub summary: Option<String>,
    /// Files that it changed, as Deputy's own record has them; the first of many.
    #[serde(default)]
    pub changed_files: Vec<String>,
    /// When it was submitted.
    pub created_at_ms: i64,
    /// Jobs of `organize` that it had carried out, in their order.
    #[serde(default)]
    pub jobs: Vec<String>,
}

/// A plan, and what it cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanReply {
    /// The plan; ids of its calls need only be unique within it.
    pub plan: AgentPlan,
    /// What it cost; zeros when the provider does not say.
    #[serde(default)]
    pub usage: Usage,
}

/// Result of `inference.plan` and `inference.plan_more`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanAnswer {
    /// The plan.
    pub plan: AgentPlan,
    /// What it cost; zeros when the provider does not say.
    #[serde(default)]
    pub usage: Usage,
    /// The conversation that it answers, where the sidecar keeps it.
    #[serde(default)]
    pub kept: Option<ConversationMark>,
}

/// Parameters of `inference.complete`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CompleteRequest {
    /// Who answers.
    pub backend: BackendRef,
    /// The instructions.
    pub system: String,
    /// The text to answer.
    pub prompt: String,
}

/// Result of `inference.complete`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CompleteReply {
    /// The answer.
    pub text: String,
    /// What it cost.
    #[serde(default)]
    pub usage: Usage,
}

/// Parameters of `inference.embed`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EmbedRequest {
    /// Who embeds.
    pub backend: BackendRef,
    /// The texts.
    pub texts: Vec<String>,
}

/// Result of `inference.embed`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EmbedReply {
    /// Name of the model; with the dimension the key of the index.
    pub model: String,
    /// Numbers of each vector.
    pub dimension: u32,
    /// The vectors in the order of the texts, each number a little-endian float of 32 bits, in base64. As text of decimal
    /// numbers they would be five times as long.
    pub vectors: String,
}

/// Parameters of `model.list`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelListRequest {
    /// Whose models.
    pub backend: BackendRef,
}

/// Result of `model.list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelListReply {
    /// Their names.
    pub models: Vec<String>,
}

/// Parameters of `$/cancel`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CancelParams {
    /// Id of the request to end; it is answered with the error `cancelled`.
    pub id: u64,
}

/// Parameters of the notification `progress`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProgressParams {
    /// Id of the request it belongs to.
    pub id: u64,
    /// The next piece of the model's text.
    pub text: String,
}

/// Parameters of the notification `log`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LogParams {
    /// How important.
    pub level: LogLevel,
    /// The line; holds no key.
    pub message: String,
}

/// How important a log line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LogLevel {
    /// For developers.
    Debug,
    /// For the curious.
    Info,
    /// Something is off, and was handled.
    Warning,
    /// Something failed.
    Error,
}

/// Why a backend did not answer; stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlanErrorCode {
    /// The key is missing, wrong, or may not do this.
    Auth,
    /// Too many requests; `retry_after_secs` says when.
    RateLimited,
    /// The conversation is too long for the model.
    ContextOverflow,
    /// The provider cannot be reached, is too slow, or broke off.
    Network,
    /// The provider's answer cannot be used.
    BadResponse,
    /// The provider does not have the model.
    ModelMissing,
    /// The core took the request back.
    Cancelled,
    /// The backend's name or settings are wrong.
    BadSettings,
    /// The sidecar died or does not start.
    Sidecar,
    /// A fault in the sidecar or a backend file.
    Internal,
}

/// `error.data` of a JSON-RPC error; `error.message` is for people and says what to do next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanErrorData {
    /// Why.
    pub code: PlanErrorCode,
    /// Seconds the provider asks to wait.
    #[serde(default)]
    pub retry_after_secs: Option<f64>,
    /// `error.message` as a message of the catalogue; absent where it is in a backend's own words.
    #[serde(default)]
    pub said: Option<Phrase>,
    /// What the provider counted before it failed; absent where it counted nothing.
    #[serde(default)]
    pub usage: Option<Usage>,
}
