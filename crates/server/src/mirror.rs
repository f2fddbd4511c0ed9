//! What every connection shares: the host, the hub and the gate; and what a caller may ask of them.

use crate::ServeError;
use crate::gate::{Caller, Gate, Refusal, Who};
use crate::hub::{Hub, briefly};
use crate::notify;
use crate::screens::Screens;
use deputy_agent::config::NotifySettings;
use deputy_agent::{Host, HostError};
use deputy_protocol::{
    Answerer, Command, CommandEnvelope, CommandId, CommandOutcome, ConfirmPairingQuery, DeviceId,
    DeviceScope, DevicesAnswer, ErrorBody, LinkAnswer, LocalAnswerer, PairingAnswer, Query, QueryAnswer,
    RenameDeviceQuery, Risk, SettingChange, StartPairingQuery,
};
use deputy_store::Store;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::watch;

/// The screen of clients of the Unix socket.
pub(crate) const TERMINAL: &str = "terminal";
/// A longer id or name is none.
const MAX_ID_BYTES: usize = 128;
/// How long the door for devices may take to open when a pairing begins.
const DOOR_TIMEOUT: Duration = Duration::from_secs(5);

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
    Stuck(String),
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

    async fn obey(
        &self,
        caller: &Caller,
        mut envelope: CommandEnvelope,
    ) -> Result<CommandOutcome, ErrorBody> {
        if envelope.id.as_str().is_empty() || envelope.id.as_str().len() > MAX_ID_BYTES {
            let message = format!("A command's id has 1 to {MAX_ID_BYTES} bytes.");
            return Err(ErrorBody::new("bad_message", message, "Make a short random one."));
        }
        match &envelope.command {
            Command::AnswerPermission(_) | Command::AnswerQuestion(_) => caller.may(DeviceScope::Approve)?,
            Command::Start(_)
            | Command::Stop(_)
            | Command::Pause(_)
            | Command::Resume(_)
            | Command::MoveInQueue(_)
            | Command::Steer(_)
            | Command::Undo(_)
            | Command::ResumeJob(_)
            | Command::UndoJob(_)
            // Later tasks are told what a memory says, so changing one is steering them.
            | Command::EditMemory(_)
            | Command::ForgetMemory(_)
            | Command::RestoreMemory(_)
            | Command::StopBackground(_)
            | Command::PromoteMemory(_) => caller.may(DeviceScope::Command)?,
        }
        if let Command::Start(start) = &envelope.command
            && start.standing_consent.is_some_and(|up_to| up_to > Risk::Medium)
        {
            let message = "What is dangerous is asked about each time; no consent beforehand covers it.";
            return Err(ErrorBody::new("not_offered", message, "Consent to low or medium risk at most."));
        }
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
        self.parts.host.command(envelope).await
    }

    async fn look_up(&self, caller: &Caller, query: Query) -> Result<QueryAnswer, ErrorBody> {
        match &query {
            Query::State(_)
            | Query::Tasks(_)
            | Query::Events(_)
            | Query::Event(_)
            | Query::Console(_)
            | Query::Choices(_)
            | Query::Usage(_)
            | Query::Grants(_)
            | Query::PreviewGrant(_)
            // No more than the events say, which whoever looks on has anyway.
            | Query::Memories(_)
            | Query::Output(_)
            | Query::Jobs(_) => caller.may(DeviceScope::Monitor)?,
            // Whoever may start tasks may also see what folders there are; who only answers may not look around.
            Query::Folders(_)
            | Query::StartScan(_)
            | Query::Scan(_)
            | Query::StopScan(_)
            | Query::Draft(_) => caller.may(DeviceScope::Command)?,
            Query::RevokeGrant(_) => caller.may(DeviceScope::Approve)?,
            Query::Link(_)
            | Query::Devices(_)
            | Query::RenameDevice(_)
            | Query::RevokeDevice(_)
            | Query::StartPairing(_)
            | Query::Pairing(_)
            | Query::ConfirmPairing(_)
            | Query::Settings(_)
            | Query::ChangeSettings(_)
            | Query::SetKey(_)
            | Query::CheckBackend(_)
            | Query::FindServers(_)
            | Query::Doctor(_)
            | Query::Explain(_)
            | Query::Rules(_) => {
                if !caller.is_local() {
                    return Err(Refusal::LocalOnly.into());
                }
            }
        }
        let gate = &self.parts.gate;
        match query {
            Query::Link(_) => Ok(QueryAnswer::Link(self.link()?)),
            Query::Console(query) => Ok(QueryAnswer::Console(self.parts.hub.console(&query.task))),
            Query::Devices(_) => self.devices(),
            Query::RenameDevice(rename) => self.rename(rename).await,
            Query::RevokeDevice(revoke) => {
                let was_known = gate.revoke(&revoke.device, self.now_ms()).await.map_err(HostError::from)?;
                if was_known { self.devices() } else { Err(unknown_device(&revoke.device)) }
            }
            Query::StartPairing(start) => Ok(QueryAnswer::Pairing(self.start_pairing(start).await?)),
            Query::Pairing(_) => Ok(QueryAnswer::Pairing(gate.pairing(self.now_ms())?)),
            Query::ConfirmPairing(ConfirmPairingQuery { number, accept }) => {
                Ok(QueryAnswer::Pairing(gate.confirm_pairing(&number, accept, self.now_ms())?))
            }
            Query::ChangeSettings(query) => {
                check_notify(self.parts.host.store(), &query.changes)?;
                self.parts.host.query(Query::ChangeSettings(query)).await
            }
            Query::Events(query) => {
                let brief = query.brief;
                match self.parts.host.query(Query::Events(query)).await? {
                    QueryAnswer::Events(answer) if brief => Ok(QueryAnswer::Events(briefly(answer))),
                    answer => Ok(answer),
                }
            }
            query => self.parts.host.query(query).await,
        }
    }

    /// A link that opens the desktop's page, once.
    pub fn link(&self) -> Result<LinkAnswer, ErrorBody> {
        let Some(address) = self.parts.page.get() else {
            return Err(ErrorBody::new(
                "no_page",
                "This host serves no page: it was not started by `deputy serve`.",
                "End it, or wait until it ends, and start `deputy serve`.",
            ));
        };
        Ok(self.parts.gate.link(&address.to_string(), self.now_ms())?)
    }

    fn devices(&self) -> Result<QueryAnswer, ErrorBody> {
        let devices = self.parts.gate.devices().map_err(HostError::from)?;
        Ok(QueryAnswer::Devices(DevicesAnswer { devices }))
    }

    async fn rename(&self, rename: RenameDeviceQuery) -> Result<QueryAnswer, ErrorBody> {
        let name = rename.name.trim();
        if name.is_empty() || name.len() > MAX_ID_BYTES || name.chars().any(char::is_control) {
            let message = format!("A device's name is one line of 1 to {MAX_ID_BYTES} bytes.");
            return Err(ErrorBody::new("bad_name", message, "Give another name."));
        }
        let renamed = self.parts.host.store().rename_device(&rename.device, name).await;
        if renamed.map_err(HostError::from)? { self.devices() } else { Err(unknown_device(&rename.device)) }
    }

    async fn start_pairing(&self, start: StartPairingQuery) -> Result<PairingAnswer, ErrorBody> {
        let mut door = self.parts.door.subscribe();
        self.parts.door.send_if_modified(|door| {
            let is_closed = matches!(door, Door::Shut | Door::Stuck(_));
            if is_closed {
                *door = Door::Wanted;
            }
            is_closed
        });
        let opened = door.wait_for(|door| matches!(door, Door::Open(_) | Door::Stuck(_)));
        let opened = tokio::time::timeout(DOOR_TIMEOUT, opened).await;
        let why = match opened.map(|door| door.map(|door| door.clone())) {
            Ok(Ok(Door::Open(address))) => {
                return Ok(self.parts.gate.start_pairing(&address, start.scopes, self.now_ms())?);
            }
            Ok(Ok(Door::Stuck(why))) => why,
            _ => "this host was not started by `deputy serve`".to_owned(),
        };
        Err(ErrorBody::new(
            "no_door",
            format!("Devices cannot connect: {why}."),
            "Start `deputy serve`; `deputy config set server.devices ADDRESS:PORT` chooses where devices connect.",
        ))
    }
}

/// How to notify is the server's business, so it checks what shall be set.
fn check_notify(store: &Store, changes: &[SettingChange]) -> Result<(), ErrorBody> {
    let value = |key: &str| changes.iter().find(|change| change.key == key)?.value.clone();
    let settings =
        NotifySettings { quiet: value("notify.quiet"), ntfy: value("notify.ntfy"), command: Vec::new() };
    notify::check(store, &settings)
        .map_err(|error| ErrorBody::new("bad_setting", format!("{error}."), "Take it out to have none."))
}

/// Who answers is what the connection shows, never what the message claims. Only the terminal's socket is spoken to by
/// several programs, and which of them it is, is theirs to say.
fn sign_local(command: &mut Command, screen: &str) {
    let Command::AnswerPermission(answer) = command else { return };
    if !(screen == TERMINAL && matches!(answer.answer.by, Answerer::Local(_))) {
        answer.answer.by = Answerer::Local(LocalAnswerer { screen: screen.to_owned() });
    }
}

fn unknown_device(device: &DeviceId) -> ErrorBody {
    let message = format!("There is no device `{device}`, or it was revoked before.");
    ErrorBody::new("unknown_device", message, "`deputy devices list` lists them.")
}
