//! The handle: what the rest of the core calls.

use crate::crash_log::CrashLog;
use crate::redact::Redactor;
use crate::supervisor::{Command, Request, Supervisor};
use crate::{Embedder, PlanError, Planner, ProgressSink, SidecarConfig, wire};
use async_trait::async_trait;
use deputy_protocol::{
    BackendRef, CompleteReply, CompleteRequest, EmbedReply, EmbedRequest, InitializeResult, ModelListReply,
    ModelListRequest, PlanReply, PlanRequest,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

/// The Python sidecar. Cheap to clone; starts on first use, and again after it died, with a rising pause between
/// starts. When the last clone is dropped the process ends.
#[derive(Clone)]
pub struct Sidecar {
    shared: Arc<Shared>,
}

struct Shared {
    config: SidecarConfig,
    redactor: Arc<Redactor>,
    crashes: Arc<CrashLog>,
    next_id: Arc<AtomicU64>,
    commands: OnceLock<mpsc::UnboundedSender<Command>>,
}

impl Sidecar {
    /// A sidecar that is not started yet.
    pub fn new(config: SidecarConfig) -> Self {
        let redactor = Arc::new(Redactor::new(config.keys.values(), config.redact));
        Self {
            shared: Arc::new(Shared {
                config,
                redactor,
                crashes: Arc::default(),
                next_id: Arc::new(AtomicU64::new(1)),
                commands: OnceLock::new(),
            }),
        }
    }

    /// Starts it when it is not running, and says what it can do.
    pub async fn warm(&self) -> Result<InitializeResult, PlanError> {
        let (reply, answer) = oneshot::channel();
        self.send(Command::Warm(reply))?;
        match tokio::time::timeout(self.shared.config.request_timeout, answer).await {
            Ok(answer) => answer.map_err(|_| PlanError::closed())?,
            Err(_) => Err(PlanError::timed_out("initialize", self.shared.config.request_timeout)),
        }
    }

    /// The models that a backend offers. Taken back when dropped.
    pub async fn models(&self, backend: BackendRef) -> Result<ModelListReply, PlanError> {
        self.call("model.list", ModelListRequest { backend }, None).await
    }

    /// One answer to one text, without tools. Taken back when dropped.
    pub async fn complete(&self, request: CompleteRequest) -> Result<CompleteReply, PlanError> {
        self.call("inference.complete", request, None).await
    }

    /// Asks the process to end, and ends it after a few seconds. Requests in flight, and any later one, fail as
    /// `cancelled`.
    pub async fn shutdown(&self) {
        let (done, ended) = oneshot::channel();
        if self.send(Command::Shutdown(done)).is_ok() {
            let _ = ended.await;
        }
    }

    /// How often it died, or failed to start, within the last `window`.
    pub fn crashes_within(&self, window: Duration) -> usize {
        self.shared.crashes.within(window)
    }

    fn send(&self, command: Command) -> Result<(), PlanError> {
        // The supervisor is started here, and not in `new`, because this is always within a runtime.
        let commands = self.shared.commands.get_or_init(|| {
            let (sender, commands) = mpsc::unbounded_channel();
            let Shared { config, redactor, crashes, next_id, .. } = &*self.shared;
            let supervisor =
                Supervisor::new(config.clone(), redactor.clone(), crashes.clone(), next_id.clone(), commands);
            tokio::spawn(supervisor.run());
            sender
        });
        commands.send(command).map_err(|_| PlanError::closed())
    }

    async fn call<P: Serialize, R: DeserializeOwned>(
        &self,
        method: &str,
        params: P,
        progress: Option<ProgressSink>,
    ) -> Result<R, PlanError> {
        let id = self.shared.next_id.fetch_add(1, Ordering::Relaxed);
        let line = wire::frame(Some(id), method, &params)?;
        // The transcript now lives in `line` alone.
        drop(params);
        let (reply, answer) = oneshot::channel();
        self.send(Command::Request(Request { id, line, progress, reply }))?;
        let mut flight = Flight { sidecar: self, id, end: FlightEnd::TakenBack };
        let line = match tokio::time::timeout(self.shared.config.request_timeout, answer).await {
            Ok(answer) => {
                flight.end = FlightEnd::Landed;
                answer.map_err(|_| PlanError::closed())??
            }
            Err(_) => {
                flight.end = FlightEnd::TimedOut;
                return Err(PlanError::timed_out(method, self.shared.config.request_timeout));
            }
        };
        wire::result(&line, &self.shared.redactor)
    }
}

impl fmt::Debug for Sidecar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Sidecar").field(&self.shared.config).finish()
    }
}

#[async_trait]
impl Planner for Sidecar {
    async fn plan(
        &self,
        request: PlanRequest,
        progress: ProgressSink,
        cancel: CancellationToken,
    ) -> Result<PlanReply, PlanError> {
        // Dropping the call takes the request back, so nothing waits for the sidecar to agree.
        cancel
            .run_until_cancelled(self.call("inference.plan", request, Some(progress)))
            .await
            .unwrap_or_else(|| Err(PlanError::cancelled()))
    }
}

#[async_trait]
impl Embedder for Sidecar {
    async fn embed(&self, request: EmbedRequest) -> Result<EmbedReply, PlanError> {
        let count = request.texts.len();
        let reply: EmbedReply = self.call("inference.embed", request, None).await?;
        check_vectors(&reply.vectors, count)?;
        Ok(reply)
    }
}

/// A vector that is not one would poison the index.
fn check_vectors(vectors: &[Vec<f32>], count: usize) -> Result<(), PlanError> {
    if vectors.len() != count {
        return Err(PlanError::bad_answer(format!("{} vectors for {count} texts", vectors.len())));
    }
    let dimension = vectors.first().map_or(0, Vec::len);
    if vectors.iter().any(|vector| vector.is_empty() || vector.len() != dimension) {
        return Err(PlanError::bad_answer("its vectors are empty or not of one dimension"));
    }
    if vectors.iter().flatten().any(|number| !number.is_finite()) {
        return Err(PlanError::bad_answer("a vector holds a number that is not finite"));
    }
    Ok(())
}

/// A request that is under way; tells the supervisor when its caller no longer waits.
struct Flight<'a> {
    sidecar: &'a Sidecar,
    id: u64,
    end: FlightEnd,
}

enum FlightEnd {
    Landed,
    TakenBack,
    TimedOut,
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        let is_overdue = match self.end {
            FlightEnd::Landed => return,
            FlightEnd::TakenBack => false,
            FlightEnd::TimedOut => true,
        };
        let _ = self.sidecar.send(Command::Forget { id: self.id, is_overdue });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_must_be_as_many_as_texts_alike_and_finite() {
        assert!(check_vectors(&[vec![0.5, 1.0], vec![0.0, 1.0]], 2).is_ok());
        assert!(check_vectors(&[], 0).is_ok());
        for bad in
            [vec![], vec![vec![], vec![]], vec![vec![1.0], vec![1.0, 2.0]], vec![vec![1.0], vec![f32::NAN]]]
        {
            assert!(check_vectors(&bad, 2).is_err(), "{bad:?}");
        }
    }
}
