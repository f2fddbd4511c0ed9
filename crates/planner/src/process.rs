//! An embedder in a process of its own: the planning sidecar never has the model in its memory, and what the model is given, which
//! may be anything, is read where no key is.

use crate::{Embedded, Embedder, PlanError, Sidecar, SidecarConfig};
use async_trait::async_trait;
use deputy_protocol::EmbedRequest;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long the process stays when it has nothing to do.
const IDLE: Duration = Duration::from_secs(30);

/// A sidecar without keys that starts when something is to be embedded, and ends when nothing was for a while.
#[derive(Clone)]
pub struct EmbedderProcess {
    config: SidecarConfig,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    sidecar: Option<Sidecar>,
    /// Requests so far, and those under way.
    begun: u64,
    under_way: usize,
}

impl EmbedderProcess {
    /// An embedder that has not started. It is given none of the keys.
    pub fn new(config: SidecarConfig) -> Self {
        Self { config: SidecarConfig { keys: BTreeMap::new(), ..config }, state: Arc::default() }
    }

    /// Whether its process is there, or about to be.
    pub fn is_running(&self) -> bool {
        lock(&self.state).sidecar.is_some()
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    // Nothing panics while it is locked.
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

/// A request; when the last one ends, so does the process after a while.
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

/// Embeds nothing: memories are found by their words alone.
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
