//! An embedder in a separate process. The planning sidecar does not hold the model in memory, and the input of the
//! model, which may be anything, is processed where there are no keys.

use crate::{Embedded, Embedder, PlanError, Sidecar, SidecarConfig};
use async_trait::async_trait;
use deputy_protocol::EmbedRequest;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long an idle process is kept.
const IDLE: Duration = Duration::from_secs(30);

/// A sidecar without keys that starts when it is needed, and ends after it was idle for a while.
#[derive(Clone)]
pub struct EmbedderProcess {
    config: SidecarConfig,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    sidecar: Option<Sidecar>,
    /// The number of requests so far, and the number in progress.
    begun: u64,
    under_way: usize,
}

impl EmbedderProcess {
    /// Creates an embedder that is not started yet. It gets none of the keys.
    pub fn new(config: SidecarConfig) -> Self {
        Self { config: SidecarConfig { keys: BTreeMap::new(), ..config }, state: Arc::default() }
    }

    /// Returns whether its process is running or about to start.
    pub fn is_running(&self) -> bool {
        lock(&self.state).sidecar.is_some()
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    // No code panics while holding the lock.
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[async_trait]
impl Embedder for EmbedderProcess {
    async fn embed(&self, request: EmbedRequest) -> Result<Embedded, PlanError> {
        let sidecar = {
            let mut state = lock(&self.state);
            state.begun += 1;
            state.under_way += 1;
            state.sidecar.get_or_insert_with(|| Sidecar::new(self.config.clone())).clone()
        };
        let _under_way = UnderWay(self.state.clone());
        sidecar.embed(request).await
    }

    async fn close(&self) {
        let sidecar = lock(&self.state).sidecar.take();
        if let Some(sidecar) = sidecar {
            sidecar.shutdown().await;
        }
    }
}

/// A request in progress. When the last one ends, the process ends after a while.
struct UnderWay(Arc<Mutex<State>>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        let begun = {
            let mut state = lock(&self.0);
            state.under_way -= 1;
            if state.under_way > 0 {
                return;
            }
            state.begun
        };
        let state = self.0.clone();
        // Without a runtime the program is about to end, and the process with it.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                tokio::time::sleep(IDLE).await;
                let idle = {
                    let mut state = lock(&state);
                    let is_idle = state.begun == begun && state.under_way == 0;
                    if is_idle { state.sidecar.take() } else { None }
                };
                if let Some(sidecar) = idle {
                    sidecar.shutdown().await;
                }
            });
        }
    }
}

/// An embedder that always fails: memories are found by their words only.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEmbedder;

#[async_trait]
impl Embedder for NoEmbedder {
    async fn embed(&self, _: EmbedRequest) -> Result<Embedded, PlanError> {
        Err(PlanError::new(
            deputy_protocol::PlanErrorCode::ModelMissing,
            "No embedding model is set up. Memories are found by their words alone.",
        ))
    }
}
