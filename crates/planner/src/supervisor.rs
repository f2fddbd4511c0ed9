//! The owner of the process: starts it, routes answers by id, and fails all requests in flight when it dies.

use crate::crash_log::CrashLog;
use crate::link::{Link, LinkEvent};
use crate::redact::Redactor;
use crate::relay::Relay;
use crate::wire::{self, Incoming, MAX_LINE_BYTES};
use crate::{PlanError, ProgressSink, SidecarConfig};
use deputy_messages::planner as say;
use deputy_protocol::Phrase;
use deputy_protocol::{CancelParams, InitializeParams, InitializeResult, LogLevel, PROTOCOL_VERSION};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Duration, Instant, sleep_until};

/// The timeout of the start. A cold start compiles bytecode, which takes seconds on a slow disk.
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// A sidecar that lets a request time out must answer a ping within this time, or it is considered hung.
const PING_TIMEOUT: Duration = Duration::from_secs(10);
const SHUTDOWN_GRACE: Duration = Duration::from_secs(3);
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// The maximum number of unexpected output bytes between two answers. Beyond it the process is considered broken.
const MAX_NOISE_BYTES: usize = 64 * 1024 * 1024;
const STRAY_OUTPUT: &str = "The sidecar wrote to its standard output what is not of the protocol; a backend that \
                            prints must print to standard error.";
/// The maximum size of the streamed text of one request, in bytes.
const MAX_PROGRESS_BYTES: usize = 16 * 1024 * 1024;

/// A command of a handle. Each caller has at most one `Request` and one `Forget` in the queue.
pub(crate) enum Command {
    Request(Request),
    Warm(oneshot::Sender<Result<InitializeResult, PlanError>>),
    /// The caller no longer waits for this request; `is_overdue` if it timed out.
    Forget {
        id: u64,
        is_overdue: bool,
    },
    Shutdown(oneshot::Sender<()>),
}

pub(crate) struct Request {
    pub(crate) id: u64,
    /// The whole frame.
    pub(crate) line: Vec<u8>,
    pub(crate) progress: Option<ProgressSink>,
    /// Receives the line with the answer.
    pub(crate) reply: oneshot::Sender<Result<Vec<u8>, PlanError>>,
}

/// A request that was sent to the process.
struct Pending {
    progress: Option<ProgressSink>,
    progress_bytes: usize,
    reply: oneshot::Sender<Result<Vec<u8>, PlanError>>,
}

/// A request by the supervisor itself that must be answered in time.
struct Due {
    id: u64,
    by: Instant,
}

enum State {
    /// Not running; may be started after this time.
    Down {
        not_before: Instant,
    },
    /// `initialize` is in progress.
    Starting {
        link: Link,
        greeting: Due,
    },
    Up {
        link: Link,
        hello: InitializeResult,
        ping: Option<Due>,
    },
}

impl State {
    fn link(&mut self) -> Option<&mut Link> {
        match self {
            Self::Down { .. } => None,
            Self::Starting { link, .. } | Self::Up { link, .. } => Some(link),
        }
    }
}

pub(crate) struct Supervisor {
    config: SidecarConfig,
    redactor: Arc<Redactor>,
    relay: Relay,
    crashes: Arc<CrashLog>,
    next_id: Arc<AtomicU64>,
    commands: mpsc::UnboundedReceiver<Command>,
    state: State,
    /// Requests that wait for the process to start.
    waiting: VecDeque<Request>,
    warming: Vec<oneshot::Sender<Result<InitializeResult, PlanError>>>,
    pending: BTreeMap<u64, Pending>,
    /// The number of crashes since the process last answered a request.
    failures: u32,
    /// The number of unexpected output bytes since the last answer.
    noise_bytes: usize,
    /// Whether the hint about unexpected output was logged.
    has_hinted: bool,
}

impl Supervisor {
    pub(crate) fn new(
        config: SidecarConfig,
        redactor: Arc<Redactor>,
        crashes: Arc<CrashLog>,
        next_id: Arc<AtomicU64>,
        commands: mpsc::UnboundedReceiver<Command>,
    ) -> Self {
        Self {
            relay: Relay::new(redactor.clone(), config.log.clone()),
            config,
            redactor,
            crashes,
            next_id,
            commands,
            state: State::Down { not_before: Instant::now() },
            waiting: VecDeque::new(),
            warming: Vec::new(),
            pending: BTreeMap::new(),
            failures: 0,
            noise_bytes: 0,
            has_hinted: false,
        }
    }

    /// Runs until it is shut down or the last handle is dropped.
    pub(crate) async fn run(mut self) {
        loop {
            let deadline = self.deadline();
            tokio::select! {
                command = self.commands.recv() => match command {
                    Some(Command::Request(request)) => self.request(request),
                    Some(Command::Warm(reply)) => self.warm(reply),
                    Some(Command::Forget { id, is_overdue }) => self.forget(id, is_overdue),
                    Some(Command::Shutdown(done)) => {
                        self.shut_down().await;
                        let _ = done.send(());
                        return;
                    }
                    None => return,
                },
                event = link_event(&mut self.state) => match event {
                    LinkEvent::Line(line) => self.line(line).await,
                    LinkEvent::Stderr(line, is_cut) => self.relay.stderr(&line, is_cut),
                    LinkEvent::Closed => self.crash(say::closed_its_output(), true).await,
                    LinkEvent::LineTooLong => {
                        self.crash(say::line_too_long(MAX_LINE_BYTES), false).await;
                    }
                },
                () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => {
                    self.due().await;
                }
            }
        }
    }

    fn deadline(&self) -> Option<Instant> {
        match &self.state {
            State::Down { not_before } => {
                (!self.waiting.is_empty() || !self.warming.is_empty()).then_some(*not_before)
            }
            State::Starting { greeting, .. } => Some(greeting.by),
            State::Up { ping, .. } => ping.as_ref().map(|ping| ping.by),
        }
    }

    /// Handles the expiry of the deadline.
    async fn due(&mut self) {
        match &self.state {
            State::Down { .. } => self.start().await,
            State::Starting { .. } => {
                self.crash(say::did_not_greet(START_TIMEOUT.as_secs()), false).await;
            }
            State::Up { .. } => {
                self.crash(say::no_ping(PING_TIMEOUT.as_secs()), false).await;
            }
        }
    }

    async fn start(&mut self) {
        self.noise_bytes = 0;
        let params = InitializeParams {
            protocol: PROTOCOL_VERSION,
            backends_dir: self.config.backends_dir.to_string_lossy().into_owned(),
            keys: self.config.keys.clone(),
            marks: self.config.marks.clone(),
        };
        let id = self.next_id();
        let started =
            Link::spawn(&self.config).map_err(|error| Phrase::from(error.to_string())).and_then(|link| {
                Ok((link, wire::frame(Some(id), "initialize", &params).map_err(|e| e.message)?))
            });
        match started {
            Ok((mut link, line)) => {
                link.send(None, line);
                self.state =
                    State::Starting { link, greeting: Due { id, by: Instant::now() + START_TIMEOUT } };
            }
            Err(error) => {
                let program = self.config.argv.first().cloned().unwrap_or_default();
                self.crash(say::cannot_be_started(error, program.display()), false).await;
            }
        }
    }

    fn request(&mut self, request: Request) {
        match &mut self.state {
            State::Up { link, .. } => {
                link.send(Some(request.id), request.line);
                let pending = Pending { progress: request.progress, progress_bytes: 0, reply: request.reply };
                self.pending.insert(request.id, pending);
            }
            State::Down { .. } | State::Starting { .. } => self.waiting.push_back(request),
        }
    }

    fn warm(&mut self, reply: oneshot::Sender<Result<InitializeResult, PlanError>>) {
        match &self.state {
            State::Up { hello, .. } => {
                let _ = reply.send(Ok(hello.clone()));
            }
            State::Down { .. } | State::Starting { .. } => self.warming.push(reply),
        }
    }

    fn forget(&mut self, id: u64, is_overdue: bool) {
        self.waiting.retain(|request| request.id != id);
        if self.pending.remove(&id).is_none() {
            return;
        }
        let ping_id = self.next_id();
        let State::Up { link, ping, .. } = &mut self.state else {
            return;
        };
        if !link.withdraw(id)
            && let Ok(line) = wire::frame(None, "$/cancel", &CancelParams { id })
        {
            link.send(None, line);
        }
        if is_overdue
            && ping.is_none()
            && let Ok(line) = wire::frame(Some(ping_id), "health.ping", &BTreeMap::<String, String>::new())
        {
            link.send(None, line);
            *ping = Some(Due { id: ping_id, by: Instant::now() + PING_TIMEOUT });
        }
    }

    async fn line(&mut self, line: Vec<u8>) {
        match wire::read(&line) {
            Incoming::Answer(id) => self.answer(id, line).await,
            Incoming::Progress(progress) => {
                if let Some(pending) = self.pending.get_mut(&progress.id)
                    && let Some(sink) = &pending.progress
                    && pending.progress_bytes < MAX_PROGRESS_BYTES
                {
                    pending.progress_bytes += progress.text.len();
                    sink(&progress.text);
                } else {
                    self.noise(line.len()).await;
                }
            }
            Incoming::Log(log) => {
                if !self.relay.log(log.level, &log.message) {
                    self.noise(line.len()).await;
                }
            }
            Incoming::Noise => {
                if !std::mem::replace(&mut self.has_hinted, true) {
                    self.relay.log(LogLevel::Warning, STRAY_OUTPUT);
                }
                self.noise(line.len()).await;
            }
        }
    }

    async fn answer(&mut self, id: u64, line: Vec<u8>) {
        if let State::Starting { greeting, .. } = &self.state {
            if greeting.id == id {
                self.greeted(&line).await;
            } else {
                self.noise(line.len()).await;
            }
        } else if let State::Up { ping, .. } = &mut self.state
            && ping.as_ref().is_some_and(|ping| ping.id == id)
        {
            *ping = None;
        } else if let Some(pending) = self.pending.remove(&id) {
            self.failures = 0;
            self.noise_bytes = 0;
            let _ = pending.reply.send(Ok(line));
        } else {
            // The late answer to a cancelled request, a duplicate answer, or an invented one.
            self.noise(line.len()).await;
        }
    }

    async fn greeted(&mut self, line: &[u8]) {
        let hello = match wire::result::<InitializeResult>(line, &self.redactor) {
            Ok(hello) if hello.protocol == PROTOCOL_VERSION => hello,
            Ok(hello) => {
                return self.crash(say::other_protocol(hello.protocol, PROTOCOL_VERSION), false).await;
            }
            Err(error) => return self.crash(say::refused_to_start(error.message), false).await,
        };
        for reply in self.warming.drain(..) {
            let _ = reply.send(Ok(hello.clone()));
        }
        let down = State::Down { not_before: Instant::now() };
        if let State::Starting { link, .. } = std::mem::replace(&mut self.state, down) {
            self.state = State::Up { link, hello, ping: None };
        }
        for request in std::mem::take(&mut self.waiting) {
            self.request(request);
        }
    }

    async fn noise(&mut self, bytes: usize) {
        // An empty line counts too.
        self.noise_bytes += bytes + 1;
        if self.noise_bytes > MAX_NOISE_BYTES {
            self.crash(say::stray_output(MAX_NOISE_BYTES), false).await;
        }
    }

    /// Fails everything that waits for the process, which has died or must be ended.
    async fn crash(&mut self, mut why: Phrase, is_closed: bool) {
        let not_before = Instant::now() + pause_after(self.failures);
        if let State::Starting { link, .. } | State::Up { link, .. } =
            std::mem::replace(&mut self.state, State::Down { not_before })
            && let Some(status) = link.finish(is_closed, &mut self.relay).await
        {
            why = say::died(status);
        }
        self.failures = self.failures.saturating_add(1);
        self.crashes.add();
        let last_words = self.relay.take_last_words();
        if !last_words.is_empty() {
            why = say::with_last_words(why, last_words.join(" | "));
        }
        let error = PlanError::sidecar(say::sidecar_crashed(why));
        self.relay.log(LogLevel::Error, &error.message);
        self.fail_all(&error);
    }

    fn fail_all(&mut self, error: &PlanError) {
        for (_, pending) in std::mem::take(&mut self.pending) {
            let _ = pending.reply.send(Err(error.clone()));
        }
        for request in self.waiting.drain(..) {
            let _ = request.reply.send(Err(error.clone()));
        }
        for reply in self.warming.drain(..) {
            let _ = reply.send(Err(error.clone()));
        }
    }

    async fn shut_down(&mut self) {
        self.commands.close();
        self.fail_all(&PlanError::closed());
        let id = self.next_id();
        let down = State::Down { not_before: Instant::now() };
        if let State::Starting { mut link, .. } | State::Up { mut link, .. } =
            std::mem::replace(&mut self.state, down)
        {
            if let Ok(line) = wire::frame(Some(id), "lifecycle.shutdown", &BTreeMap::<String, String>::new())
            {
                link.send(None, line);
            }
            link.close(SHUTDOWN_GRACE, &mut self.relay).await;
        }
    }

    fn next_id(&self) -> u64 {
        self.next_id.fetch_add(1, Ordering::Relaxed)
    }
}

async fn link_event(state: &mut State) -> LinkEvent {
    match state.link() {
        Some(link) => link.event().await,
        None => std::future::pending().await,
    }
}

/// Returns the pause before the next start, after `failures` previous crashes in a row.
fn pause_after(failures: u32) -> Duration {
    FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(failures)).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_a_limit() {
        let pauses: Vec<u128> = (0..8).map(|failures| pause_after(failures).as_millis()).collect();
        assert_eq!(pauses, [200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
        assert_eq!(pause_after(u32::MAX), LONGEST_PAUSE);
    }
}
