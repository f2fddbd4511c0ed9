//! The handle that the rest of the core uses.

use crate::conversation::{Conversations, Outgoing};
use crate::crash_log::CrashLog;
use crate::redact::Redactor;
use crate::supervisor::{Command, Request, Supervisor};
use crate::{BoundKey, Embedded, Embedder, PlanError, Planner, ProgressSink, SidecarConfig, wire};
use async_trait::async_trait;
use base64::Engine;
use deputy_protocol::{
    BackendRef, CompleteReply, CompleteRequest, EmbedReply, EmbedRequest, InitializeResult, ModelListReply,
    ModelListRequest, PlanAnswer, PlanErrorCode, PlanReply, PlanRequest,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

/// The maximum dimension of a vector, larger than that of any model.
const LARGEST_DIMENSION: usize = 8_192;

/// The Python sidecar. Cheap to clone. It starts on first use, and again after it died, with increasing pauses between
/// starts. The process ends when the last clone is dropped.
#[derive(Clone)]
pub struct Sidecar {
    /// Replaced when the keys change. The previous process ends with its last request.
    shared: Arc<RwLock<Arc<Shared>>>,
}

struct Shared {
    config: SidecarConfig,
    /// The addresses that the keys are bound to. Empty until the keys are replaced.
    addresses: BTreeMap<String, Option<String>>,
    redactor: Arc<Redactor>,
    crashes: Arc<CrashLog>,
    next_id: Arc<AtomicU64>,
    commands: OnceLock<mpsc::UnboundedSender<Command>>,
    /// The conversations that its process holds; a new process holds none.
    conversations: Conversations,
}

impl Shared {
    fn new(config: SidecarConfig, addresses: BTreeMap<String, Option<String>>) -> Self {
        Self {
            addresses,
            redactor: Arc::new(Redactor::new(config.keys.values(), config.redact)),
            config,
            crashes: Arc::default(),
            next_id: Arc::new(AtomicU64::new(1)),
            commands: OnceLock::new(),
            conversations: Conversations::default(),
        }
    }

    fn send(&self, command: Command) -> Result<(), PlanError> {
        // The supervisor is started here and not in `new`, because this always runs within a runtime.
        let commands = self.commands.get_or_init(|| {
            let (sender, commands) = mpsc::unbounded_channel();
            let Shared { config, redactor, crashes, next_id, .. } = self;
            let supervisor =
                Supervisor::new(config.clone(), redactor.clone(), crashes.clone(), next_id.clone(), commands);
            tokio::spawn(supervisor.run());
            sender
        });
        commands.send(command).map_err(|_| PlanError::closed())
    }
}

impl Shared {
    /// Returns an error if the key of a backend is bound to another address than that of this request. This happens to
    /// a request that was made before the settings changed.
    fn holds_for(&self, backend: &BackendRef) -> Result<(), PlanError> {
        let wanted = backend.settings.get("base_url").and_then(|address| address.as_str());
        match self.addresses.get(&backend.name) {
            Some(bound) if bound.as_deref() != wanted => Err(PlanError::new(
                PlanErrorCode::Network,
                deputy_messages::planner::address_changed(&backend.name),
            )),
            _ => Ok(()),
        }
    }
}

impl Sidecar {
    /// Creates a sidecar that is not started yet.
    pub fn new(config: SidecarConfig) -> Self {
        Self { shared: Arc::new(RwLock::new(Arc::new(Shared::new(config, BTreeMap::new())))) }
    }

    fn shared(&self) -> Arc<Shared> {
        self.shared.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Starts the process if it is not running, and returns its capabilities.
    pub async fn warm(&self) -> Result<InitializeResult, PlanError> {
        let (reply, answer) = oneshot::channel();
        let shared = self.shared();
        shared.send(Command::Warm(reply))?;
        match tokio::time::timeout(shared.config.request_timeout, answer).await {
            Ok(answer) => answer.map_err(|_| PlanError::closed())?,
            Err(_) => Err(PlanError::timed_out("initialize", shared.config.request_timeout)),
        }
    }

    /// Returns the models that a backend offers. Dropping the future cancels the request.
    pub async fn models(&self, backend: BackendRef) -> Result<ModelListReply, PlanError> {
        let asked = backend.clone();
        self.call("model.list", &asked, ModelListRequest { backend }).await
    }

    /// Answers one text, without tools. Dropping the future cancels the request.
    pub async fn complete(&self, request: CompleteRequest) -> Result<CompleteReply, PlanError> {
        let asked = request.backend.clone();
        self.call("inference.complete", &asked, request).await
    }

    /// Asks the process to end, and kills it after a few seconds. Requests in flight and later requests fail with the
    /// code `cancelled`.
    pub async fn shutdown(&self) {
        let (done, ended) = oneshot::channel();
        if self.shared().send(Command::Shutdown(done)).is_ok() {
            let _ = ended.await;
        }
    }

    /// Returns how often the process died, or failed to start, within the last `window`.
    pub fn crashes_within(&self, window: Duration) -> usize {
        self.shared().crashes.within(window)
    }

    async fn call<P: Serialize, R: DeserializeOwned>(
        &self,
        method: &str,
        backend: &BackendRef,
        params: P,
    ) -> Result<R, PlanError> {
        let shared = self.shared();
        let line = shared.ask(method, backend, &params, None).await?;
        wire::result(&line, &shared.redactor)
    }
}

impl Shared {
    /// Sends a request, and returns the line with its answer. Dropping the future cancels the request.
    async fn ask<P: Serialize>(
        &self,
        method: &str,
        backend: &BackendRef,
        params: &P,
        progress: Option<ProgressSink>,
    ) -> Result<Vec<u8>, PlanError> {
        self.holds_for(backend)?;
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let line = wire::frame(Some(id), method, params)?;
        let (reply, answer) = oneshot::channel();
        self.send(Command::Request(Request { id, line, progress, reply }))?;
        let mut flight = Flight { shared: self, id, end: FlightEnd::TakenBack };
        match tokio::time::timeout(self.config.request_timeout, answer).await {
            Ok(answer) => {
                flight.end = FlightEnd::Landed;
                answer.map_err(|_| PlanError::closed())?
            }
            Err(_) => {
                flight.end = FlightEnd::TimedOut;
                Err(PlanError::timed_out(method, self.config.request_timeout))
            }
        }
    }

    /// Plans: sends only the new messages, or the whole conversation if the sidecar does not hold the rest.
    async fn plan(&self, request: &PlanRequest, progress: ProgressSink) -> Result<PlanReply, PlanError> {
        if let Some(more) = self.conversations.more(request)?
            && let Some(reply) = self.plan_on(more, request, progress.clone()).await?
        {
            return Ok(reply);
        }
        let whole = self.conversations.whole(request)?;
        let reply = self.plan_on(whole, request, progress).await?;
        reply.ok_or_else(|| PlanError::bad_answer("it answers another conversation"))
    }

    /// Sends one request. `None` if the answer is for another conversation.
    async fn plan_on(
        &self,
        outgoing: Outgoing,
        request: &PlanRequest,
        progress: ProgressSink,
    ) -> Result<Option<PlanReply>, PlanError> {
        let line = self.ask(outgoing.method, &request.backend, &outgoing.params, Some(progress)).await?;
        match wire::result::<PlanAnswer>(&line, &self.redactor) {
            Ok(PlanAnswer { plan, usage, kept }) => {
                let is_for_it = self.conversations.answered(outgoing, kept.as_ref());
                Ok(is_for_it.then_some(PlanReply { plan, usage }))
            }
            Err(_) if outgoing.is_more() && wire::is_not_held(&line) => {
                self.conversations.forget(request.conversation.as_deref());
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

impl fmt::Debug for Sidecar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Sidecar").field(&self.shared().config).finish()
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
        // Dropping the call cancels the request, so nothing waits for the sidecar to confirm.
        let shared = self.shared();
        cancel
            .run_until_cancelled(shared.plan(&request, progress))
            .await
            .unwrap_or_else(|| Err(PlanError::cancelled()))
    }

    async fn complete(&self, request: CompleteRequest) -> Result<CompleteReply, PlanError> {
        Sidecar::complete(self, request).await
    }

    async fn models(&self, backend: BackendRef) -> Result<Vec<String>, PlanError> {
        Ok(Sidecar::models(self, backend).await?.models)
    }

    async fn hello(&self) -> Result<InitializeResult, PlanError> {
        self.warm().await
    }

    async fn models_without_key(&self, backend: BackendRef) -> Result<Vec<String>, PlanError> {
        let keyless = SidecarConfig { keys: BTreeMap::new(), ..self.shared().config.clone() };
        let keyless = Self::new(keyless);
        let models = Planner::models(&keyless, backend).await;
        keyless.shutdown().await;
        models
    }

    fn take_keys(&self, keys: BTreeMap<String, BoundKey>) {
        let bound = keys.iter().filter(|(_, key)| !key.key.is_empty());
        let addresses = bound.map(|(name, key)| (name.clone(), key.base_url.clone())).collect();
        let keys = keys.into_iter().map(|(name, key)| (name, key.key)).collect();
        let mut shared = self.shared.write().unwrap_or_else(PoisonError::into_inner);
        *shared = Arc::new(Shared::new(SidecarConfig { keys, ..shared.config.clone() }, addresses));
    }
}

#[async_trait]
impl Embedder for Sidecar {
    async fn embed(&self, request: EmbedRequest) -> Result<Embedded, PlanError> {
        let count = request.texts.len();
        let asked = request.backend.clone();
        let reply: EmbedReply = self.call("inference.embed", &asked, request).await?;
        unpack(reply, count)
    }
}

/// Decodes the vectors of a reply. An invalid vector would corrupt the index.
fn unpack(reply: EmbedReply, count: usize) -> Result<Embedded, PlanError> {
    let packed = base64::engine::general_purpose::STANDARD
        .decode(&reply.vectors)
        .map_err(|error| PlanError::bad_answer(format!("its vectors are not base64 ({error})")))?;
    let dimension = reply.dimension as usize;
    if count > 0 && !(1..=LARGEST_DIMENSION).contains(&dimension) {
        return Err(PlanError::bad_answer(format!("its vectors have {dimension} numbers")));
    }
    if packed.len() != count * dimension * size_of::<f32>() {
        let bytes = packed.len();
        return Err(PlanError::bad_answer(format!(
            "{bytes} bytes are not {count} vectors of {dimension} numbers, one for each text"
        )));
    }
    let (numbers, _) = packed.as_chunks();
    let numbers: Vec<f32> = numbers.iter().copied().map(f32::from_le_bytes).collect();
    if !numbers.iter().all(|number| number.is_finite()) {
        return Err(PlanError::bad_answer("a vector holds a number that is not finite"));
    }
    let vectors = numbers.chunks(dimension.max(1)).map(<[f32]>::to_vec).collect();
    Ok(Embedded { model: reply.model, dimension, vectors })
}

/// A request in flight. Informs the supervisor when the caller no longer waits.
struct Flight<'a> {
    shared: &'a Shared,
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
        let _ = self.shared.send(Command::Forget { id: self.id, is_overdue });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_bound_to_the_address_that_it_was_taken_for() {
        let config = SidecarConfig {
            argv: Vec::new(),
            backends_dir: "/".into(),
            keys: BTreeMap::new(),
            marks: String::new(),
            request_timeout: Duration::from_secs(1),
            log: None,
            redact: |text| text.into(),
        };
        let to = |address: Option<&str>| BackendRef {
            name: "b".to_owned(),
            settings: address.map(|address| ("base_url".to_owned(), address.into())).into_iter().collect(),
        };
        let sidecar = Sidecar::new(config);
        assert!(sidecar.shared().holds_for(&to(Some("https://a"))).is_ok());
        let key = BoundKey { key: "k".to_owned(), base_url: Some("https://a".to_owned()) };
        assert!(!format!("{key:?}").contains("\"k\""));
        sidecar.take_keys([("b".to_owned(), key)].into());
        assert!(sidecar.shared().holds_for(&to(Some("https://a"))).is_ok());
        for other in [Some("https://evil"), None] {
            assert!(sidecar.shared().holds_for(&to(other)).is_err());
        }
        let none = BoundKey { key: String::new(), base_url: None };
        sidecar.take_keys([("b".to_owned(), none)].into());
        assert!(sidecar.shared().holds_for(&to(Some("https://evil"))).is_ok(), "there is nothing to lose");
    }

    fn reply(dimension: u32, numbers: &[f32]) -> EmbedReply {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let vectors = base64::engine::general_purpose::STANDARD.encode(bytes);
        EmbedReply { model: "m".to_owned(), dimension, vectors }
    }

    #[test]
    fn vectors_are_unpacked_in_the_order_of_the_texts() {
        let embedded = unpack(reply(2, &[0.5, -1.0, 0.0, 1.0]), 2).unwrap();
        assert_eq!((embedded.model.as_str(), embedded.dimension), ("m", 2));
        assert_eq!(embedded.vectors, [[0.5, -1.0], [0.0, 1.0]]);
        assert!(unpack(reply(0, &[]), 0).unwrap().vectors.is_empty());
    }

    #[test]
    fn vectors_must_be_as_many_as_texts_alike_and_finite() {
        let unreadable = EmbedReply { vectors: "?".to_owned(), ..reply(2, &[]) };
        let huge = reply(u32::MAX, &[]);
        let bad = [reply(2, &[]), reply(2, &[1.0; 3]), reply(2, &[1.0; 6]), reply(0, &[]), unreadable, huge];
        let unlike = [[1.0, 2.0, 3.0, f32::NAN], [1.0, f32::INFINITY, 3.0, 4.0]].map(|four| reply(2, &four));
        for reply in bad.into_iter().chain(unlike) {
            let error = unpack(reply.clone(), 2).unwrap_err();
            assert_eq!(error.code, PlanErrorCode::BadResponse, "{reply:?}");
        }
    }
}
