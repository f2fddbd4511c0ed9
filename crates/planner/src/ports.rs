//! The ports: what the agent asks a model for, whoever answers.

use crate::PlanError;
use async_trait::async_trait;
use deputy_protocol::{EmbedReply, EmbedRequest, PlanReply, PlanRequest};
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
}

/// Turns texts into vectors.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Embeds: as many vectors as texts, all of one dimension, every number finite.
    async fn embed(&self, request: EmbedRequest) -> Result<EmbedReply, PlanError>;
}
