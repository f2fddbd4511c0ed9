//! The ports: what the agent asks a model for, no matter who answers.

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

/// Gets the pieces of the model's text as they arrive. It must return at once: it runs where answers are read.
pub type ProgressSink = Arc<dyn Fn(&str) + Send + Sync>;

/// Answers one iteration of a task with a plan.
#[async_trait]
pub trait Planner: Send + Sync {
    /// Plans. Once `cancel` is cancelled it fails with the code `cancelled`, at once.
    async fn plan(
        &self,
        request: PlanRequest,
        progress: ProgressSink,
        cancel: CancellationToken,
    ) -> Result<PlanReply, PlanError>;

    /// One answer to one text, without tools. Taken back when dropped.
    async fn complete(&self, _request: CompleteRequest) -> Result<CompleteReply, PlanError> {
        Err(PlanError::new(PlanErrorCode::BadSettings, say::no_single_texts()))
    }

    /// The models that a backend offers, asked now.
    async fn models(&self, _backend: BackendRef) -> Result<Vec<String>, PlanError> {
        Err(PlanError::new(PlanErrorCode::BadSettings, say::no_models()))
    }

    /// What it says of itself once it has started.
    async fn hello(&self) -> Result<InitializeResult, PlanError> {
        Err(PlanError::new(PlanErrorCode::BadSettings, say::does_not_start()))
    }

    /// The models of a server that no key is meant for, asked now.
    async fn models_without_key(&self, _backend: BackendRef) -> Result<Vec<String>, PlanError> {
        Err(PlanError::new(PlanErrorCode::BadSettings, say::no_models()))
    }

    /// Takes other keys, by backend. Plans that are under way end with those they began with; from now on a key
    /// goes to the address that it is bound to and to no other.
    fn take_keys(&self, _keys: BTreeMap<String, BoundKey>) {}
}

/// Turns texts into vectors.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Embeds: as many vectors as texts, all of one dimension, every number finite.
    async fn embed(&self, request: EmbedRequest) -> Result<Embedded, PlanError>;

    /// Ends what was started to embed, where that is its own.
    async fn close(&self) {}
}

/// Texts as vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedded {
    /// Name of the model; with the dimension the key of an index.
    pub model: String,
    /// Numbers of each vector.
    pub dimension: usize,
    /// The vectors, in the order of the texts.
    pub vectors: Vec<Vec<f32>>,
}
