//! The ports: the requests of the agent to a model, independent of the implementation.

use crate::{BoundKey, PlanError};
use async_trait::async_trait;
use deputy_messages::planner as say;
use deputy_protocol::{
    BackendRef, CompleteReply, CompleteRequest, EmbedRequest, InitializeResult, PlanErrorCode, PlanReply,
    PlanRequest,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Receives the pieces of the model's text as they arrive. It must not block, because it is called by the code that
/// reads answers.
pub type ProgressSink = Arc<dyn Fn(&str) + Send + Sync>;

/// Answers one iteration of a task with a plan.
#[async_trait]
pub trait Planner: Send + Sync {
    /// Plans. Fails immediately with the code `cancelled` when `cancel` is cancelled.
    async fn plan(
        &self,
        request: PlanRequest,
        progress: ProgressSink,
        cancel: CancellationToken,
    ) -> Result<PlanReply, PlanError>;

    /// Answers one text, without tools. Dropping the future cancels the request.
    async fn complete(&self, _request: CompleteRequest) -> Result<CompleteReply, PlanError> {
        Err(PlanError::new(PlanErrorCode::BadSettings, say::no_single_texts()))
    }

    /// Returns the models that a backend currently offers.
    async fn models(&self, _backend: BackendRef) -> Result<Vec<String>, PlanError> {
        Err(PlanError::new(PlanErrorCode::BadSettings, say::no_models()))
    }

    /// Starts the sidecar if necessary, and returns its `initialize` result.
    async fn hello(&self) -> Result<InitializeResult, PlanError> {
        Err(PlanError::new(PlanErrorCode::BadSettings, say::does_not_start()))
    }

    /// Returns the models that a server currently offers. No key is sent to it.
    async fn models_without_key(&self, _backend: BackendRef) -> Result<Vec<String>, PlanError> {
        Err(PlanError::new(PlanErrorCode::BadSettings, say::no_models()))
    }

    /// Replaces the keys, by backend. Plans in progress keep the keys with which they began. From now on a key is only
    /// sent to the address that it is bound to.
    fn take_keys(&self, _keys: BTreeMap<String, BoundKey>) {}
}

/// Embeds texts.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Embeds texts: returns one vector for each text, all of one dimension, with finite numbers.
    async fn embed(&self, request: EmbedRequest) -> Result<Embedded, PlanError>;

    /// Ends the embedder's own process, if it has one.
    async fn close(&self) {}
}

/// Embedded texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedded {
    /// The name of the model. Together with the dimension, it identifies an index.
    pub model: String,
    /// The number of dimensions of each vector.
    pub dimension: usize,
    /// The vectors, in the order of the texts.
    pub vectors: Vec<Vec<f32>>,
}
