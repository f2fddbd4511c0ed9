//! What every connection shares: the host, the hub and the gate; and what a caller may ask of them.

use crate::ServeError;
use crate::gate::{Caller, Gate, Refusal, Who};
use crate::hub::{Hub, briefly};
use crate::notify;
use crate::screens::Screens;
use deputy_agent::Host;
use deputy_agent::config::NotifySettings;
use deputy_messages::Phrase;
use deputy_messages::server as say;
use deputy_protocol::{
    Answerer, Answers, Command, CommandEnvelope, CommandId, CommandOutcome, Console, ConsoleQuery, ErrorBody,
    ErrorCode, LocalAnswerer, Operation, Query, QueryAnswer, Risk, SettingChange, Side, StateQuery,
};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::watch;

/// The screen of clients of the Unix socket.
pub(crate) const TERMINAL: &str = "terminal";
/// A longer id or name is none.
pub(crate) const MAX_ID_BYTES: usize = 128;

/// The live state of a host, as every screen sees it. Cheap to clone.
#[derive(Clone)]
pub struct Mirror {
    parts: Arc<Parts>,
}

struct Parts {
    host: Host,
    hub: Arc<Hub>,
    screens: Screens,
    gate: Gate,
    /// Where the desktop's page is served, once it is.
    page: OnceLock<SocketAddr>,
    /// Where devices connect.
    door: watch::Sender<Door>,
}

/// The door that other machines come through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Door {
    /// Nobody is to come.
    Shut,
    /// Somebody is to come.
    Wanted,
    /// Open, at this address as devices reach it.
    Open(String),
    /// It cannot be opened.
    Stuck(Phrase),
}

impl Mirror {
    /// Begins to mirror a host. `home` keeps the secrets of the gate.
    pub fn of(host: Host, home: &Path) -> Result<Self, ServeError> {
        let gate = Gate::open(home, host.store().clone())?;
        let screens = Screens::start().map_err(|source| ServeError { path: home.to_owned(), source })?;
        let hub = Hub::start(&host, &screens);
        let door = watch::channel(if gate.has_devices() { Door::Wanted } else { Door::Shut }).0;
        Ok(Self { parts: Arc::new(Parts { host, hub, screens, gate, page: OnceLock::new(), door }) })
    }

    pub(crate) fn host(&self) -> &Host {
        &self.parts.host
    }

    pub(crate) fn hub(&self) -> &Hub {
        &self.parts.hub
    }

    pub(crate) fn screens(&self) -> &Screens {
        &self.parts.screens
    }

    pub(crate) fn gate(&self) -> &Gate {
        &self.parts.gate
    }

    pub(crate) fn door(&self) -> &watch::Sender<Door> {
        &self.parts.door
    }

    pub(crate) fn now_ms(&self) -> i64 {
        self.parts.host.now_ms()
    }

    /// Says where the desktop's page is.
    pub fn page_is_at(&self, address: SocketAddr) {
        // One host serves one page.
        let _ = self.parts.page.set(address);
    }

    /// Returns when a session ends; never where there is no end.
    pub(crate) async fn after(&self, until_ms: Option<i64>) {
        let Some(until_ms) = until_ms else { return std::future::pending().await };
        loop {
            let left = until_ms - self.now_ms();
            if left <= 0 {
                return;
            }
            // Looked at again now and then: clocks jump.
            tokio::time::sleep(Duration::from_millis(left.min(60_000).unsigned_abs())).await;
        }
    }

    /// Does a command for a caller, on the host's threads.
    pub(crate) async fn command(
        &self,
        caller: &Caller,
        envelope: CommandEnvelope,
    ) -> Result<CommandOutcome, ErrorBody> {
        let (mirror, caller) = (self.clone(), caller.clone());
        self.parts.screens.work(async move { mirror.obey(&caller, envelope).await }).await
    }

    /// Answers a caller's query, on the host's threads.
    pub(crate) async fn query(&self, caller: &Caller, query: Query) -> Result<QueryAnswer, ErrorBody> {
        let (mirror, caller) = (self.clone(), caller.clone());
        self.parts.screens.work(async move { mirror.look_up(&caller, query).await }).await
    }

    /// Whether a caller may follow what happens: to follow is to ask for the state on and on.
    pub(crate) fn may_follow(&self, caller: &Caller) -> Result<(), Refusal> {
        caller.may(StateQuery::INFO.needs)
    }

    async fn obey(
        &self,
        caller: &Caller,
        mut envelope: CommandEnvelope,
    ) -> Result<CommandOutcome, ErrorBody> {
        if envelope.id.as_str().is_empty() || envelope.id.as_str().len() > MAX_ID_BYTES {
            let message = say::command_id_has_to_bytes(MAX_ID_BYTES);
            return Err(ErrorBody::new(ErrorCode::BadMessage, message, say::make_short_random_one()));
        }
        if !is_about_itself(caller, &envelope.command) {
            caller.may(envelope.command.info().needs)?;
        }
        self.check(&envelope.command)?;
        match &caller.who {
            Who::Local(screen) => sign_local(&mut envelope.command, screen),
            Who::Device { id } => {
                if let Command::AnswerPermission(answer) = &mut envelope.command {
                    self.parts.gate.check_answer(&mut answer.answer, id)?;
                }
                if let Command::Start(start) = &envelope.command
                    && start.standing_consent.is_some()
                {
                    // It would answer requests that nobody has signed for.
                    return Err(Refusal::Unsigned.into());
                }
                // Each device numbers its own commands.
                envelope.id = CommandId(format!("{id}:{}", envelope.id));
            }
        }
        let CommandEnvelope { id, command } = envelope;
        match command.side() {
            Side::Host(command) => self.parts.host.command(&id, command).await,
            Side::Server(command) => {
                let effect = command.info().effect;
                self.parts.host.once(&id, effect, command.performed_by(&id, self)).await
            }
        }
    }

    /// What the host cannot know of a command: how to notify is the server's business, and so is what may be consented to.
    fn check(&self, command: &Command) -> Result<(), ErrorBody> {
        match command {
            Command::Start(start) if start.standing_consent.is_some_and(|up_to| up_to > Risk::Medium) => {
                let message = say::what_is_dangerous_is_asked();
                Err(ErrorBody::new(ErrorCode::NotOffered, message, say::consent_to_low_or_medium()))
            }
            Command::ChangeSettings(change) => check_notify(&change.changes),
            _ => Ok(()),
        }
    }

    async fn look_up(&self, caller: &Caller, query: Query) -> Result<QueryAnswer, ErrorBody> {
        caller.may(query.info().needs)?;
        let is_brief = matches!(&query, Query::Events(events) if events.brief);
        let answer = match query.side() {
            Side::Host(query) => self.parts.host.query(query).await?,
            Side::Server(query) => query.answered_by(self).await?,
        };
        Ok(match answer {
            QueryAnswer::Events(answer) if is_brief => QueryAnswer::Events(briefly(answer)),
            answer => answer,
        })
    }

    pub(crate) fn page(&self) -> Option<SocketAddr> {
        self.parts.page.get().copied()
    }
}

impl Answers<ConsoleQuery> for Mirror {
    async fn answer(&self, query: ConsoleQuery) -> Result<Console, ErrorBody> {
        Ok(self.parts.hub.console(&query.task))
    }
}

/// A device may give itself another name, say where push reaches it, and leave, whatever else it may do.
fn is_about_itself(caller: &Caller, command: &Command) -> bool {
    let Who::Device { id } = &caller.who else { return false };
    match command {
        Command::RenameDevice(rename) => rename.device == *id,
        Command::ReachDevice(reach) => reach.device == *id,
        Command::RevokeDevice(revoke) => revoke.device == *id,
        _ => false,
    }
}

fn check_notify(changes: &[SettingChange]) -> Result<(), ErrorBody> {
    let value = |key: &str| changes.iter().find(|change| change.key == key)?.value.clone();
    let settings =
        NotifySettings { quiet: value("notify.quiet"), ntfy: value("notify.ntfy"), command: Vec::new() };
    notify::check(&settings).map_err(|error| {
        ErrorBody::new(ErrorCode::BadSetting, format!("{error}."), say::take_out_to_have_none())
    })
}

/// Who answers is what the connection shows, never what the message claims. Only the terminal's socket is spoken to by
/// several programs, and which of them it is, is theirs to say.
fn sign_local(command: &mut Command, screen: &str) {
    let Command::AnswerPermission(answer) = command else { return };
    if !(screen == TERMINAL && matches!(answer.answer.by, Answerer::Local(_))) {
        answer.answer.by = Answerer::Local(LocalAnswerer { screen: screen.to_owned() });
    }
}
