//! The state shared by every connection, and the operations that a caller may request: the host, the hub and the gate.

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
    AnswerPermissionCommand, Answerer, Answers, Command, CommandEnvelope, CommandId, CommandOutcome, Console,
    ConsoleQuery, ErrorBody, ErrorCode, LocalAnswerer, Operation, Query, QueryAnswer, Responder, Risk,
    SettingChange, Side, StateQuery,
};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::watch;

/// The screen name of clients of the Unix socket.
pub(crate) const TERMINAL: &str = "terminal";
/// The maximum length of an id or a name, in bytes.
pub(crate) const MAX_ID_BYTES: usize = 128;

/// The live state of a host, which every client mirrors. Cheap to clone.
#[derive(Clone)]
pub struct Mirror {
    parts: Arc<Parts>,
}

struct Parts {
    host: Host,
    hub: Arc<Hub>,
    screens: Screens,
    gate: Gate,
    /// The address of the desktop page, once it is served.
    page: OnceLock<SocketAddr>,
    /// The state of the listener for devices.
    door: watch::Sender<Door>,
}

/// The state of the listener for other machines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Door {
    /// Not needed.
    Shut,
    /// Needed, but not listening yet.
    Wanted,
    /// Listening at this address, as devices reach it.
    Open(String),
    /// It cannot listen.
    Stuck(Phrase),
}

impl Mirror {
    /// Creates the mirror of a host. `home` contains the secrets of the gate.
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

    /// Sets the address of the desktop page.
    pub fn page_is_at(&self, address: SocketAddr) {
        // A host serves only one page.
        let _ = self.parts.page.set(address);
    }

    /// Waits until a session ends; forever if it has no end.
    pub(crate) async fn after(&self, until_ms: Option<i64>) {
        let Some(until_ms) = until_ms else { return std::future::pending().await };
        loop {
            let left = until_ms - self.now_ms();
            if left <= 0 {
                return;
            }
            // Checked again from time to time, because clocks may jump.
            tokio::time::sleep(Duration::from_millis(left.min(60_000).unsigned_abs())).await;
        }
    }

    /// Executes a command for a caller, on the host's threads.
    pub(crate) async fn command(
        &self,
        caller: &Caller,
        envelope: CommandEnvelope,
    ) -> Result<CommandOutcome, ErrorBody> {
        let (mirror, caller) = (self.clone(), caller.clone());
        self.parts.screens.work(async move { mirror.obey(&caller, envelope).await }).await
    }

    /// Executes a query for a caller, on the host's threads.
    pub(crate) async fn query(&self, caller: &Caller, query: Query) -> Result<QueryAnswer, ErrorBody> {
        let (mirror, caller) = (self.clone(), caller.clone());
        self.parts.screens.work(async move { mirror.look_up(&caller, query).await }).await
    }

    /// Checks that a caller may follow events, which requires the same permission as querying the state.
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
                match &mut envelope.command {
                    Command::AnswerPermission(answer) => {
                        self.parts.gate.check_answer(&mut answer.answer, id)?;
                    }
                    Command::AnswerQuestion(answer) => answer.by = Some(self.parts.gate.responder(id)?),
                    _ => {}
                }
                if let Command::Start(start) = &mut envelope.command {
                    if start.standing_consent.is_some() {
                        // Consent would answer requests without a signature.
                        return Err(Refusal::Unsigned.into());
                    }
                    // It would decide which programs run here.
                    start.terminal = None;
                }
                // Command ids are only unique for one device.
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

    /// Checks the parts of a command that the host cannot check: the settings of notifications, and the limit of
    /// standing consent.
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

/// Returns whether a command concerns the device itself: renaming, setting its push address and revoking are allowed
/// regardless of its permissions.
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

/// Sets the author of an answer from the connection, and not from the message. Only the terminal socket is used by
/// several programs, so there the message names the program.
fn sign_local(command: &mut Command, screen: &str) {
    let here = LocalAnswerer { screen: screen.to_owned() };
    let is_terminal = screen == TERMINAL;
    match command {
        Command::AnswerPermission(AnswerPermissionCommand { answer })
            if !(is_terminal && matches!(answer.by, Answerer::Local(_))) =>
        {
            answer.by = Answerer::Local(here);
        }
        Command::AnswerQuestion(answer)
            if !(is_terminal && matches!(answer.by, Some(Responder::Local(_)))) =>
        {
            answer.by = Some(Responder::Local(here));
        }
        _ => {}
    }
}
