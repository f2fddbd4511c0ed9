//! The connection to the host. The host is another process or, if none is running, this one; both are reached through
//! the same socket.

use crate::failure::Failure;
use crate::home::Homes;
use crate::sidecar;
use crate::view::complain;
use crate::view::ids::{are_shortened, know};
use deputy_agent::{Host, HostParts, config::Config, system_clock};
use deputy_protocol::{
    Command, CommandOutcome, ErrorCode, Query, QueryAnswer, StateQuery, TaskId, TaskSummary, TasksQuery,
};
use deputy_server::{
    Client, ClientError, HomeLock, Mirror, Notifier, Server, WebServer, WebSettings, serve_devices,
};
use deputy_store::Store;
use deputy_tools::{OrganizeHome, Registry};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// What a command that becomes the host does with unfinished tasks of a process that died.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tasks {
    /// The tasks are resumed.
    Resume,
    /// The tasks are not touched, because the command only reads or records something.
    Leave,
}

/// A host in this process.
pub struct OwnHost {
    pub(crate) host: Host,
    pub(crate) config: Config,
    pub(crate) mirror: Mirror,
    sidecar: deputy_planner::Sidecar,
    end: CancellationToken,
    serving: TaskTracker,
    /// Tells other processes that this one runs tasks, so that they do not wait for it to end.
    tasks_lock: Option<HomeLock>,
    _lock: HomeLock,
}

/// The name of the lock that a process holds as long as it runs tasks. A command that only looks does not hold it.
const TASKS_LOCK: &str = "tasks.lock";
/// How long a process that wants to run tasks waits for a command that only looks.
const LOOK_PATIENCE: Duration = Duration::from_secs(10);
const LOOK_RETRY: Duration = Duration::from_millis(50);
const LOCK_RETRY: Duration = Duration::from_millis(1);
/// How often, and at which interval, a command looks for the host.
const HOST_TRIES: u32 = 50;
const HOST_RETRY: Duration = Duration::from_millis(100);
/// How many hosts in a row a command asks.
pub(crate) const MOST_HOSTS: u32 = 10;
/// How long a command waits before it says what it waits for.
const QUIET_WAIT: Duration = Duration::from_secs(1);

/// The number of newest tasks whose ids may be abbreviated.
const MOST_KNOWN: u32 = 10_000;

/// A connection to the host of a home.
pub(crate) struct Session {
    pub(crate) client: Client,
    /// The host. `None` if the host is another process.
    pub(crate) own: Option<OwnHost>,
    /// Tasks that continued a task that was being watched.
    pub(crate) handed_over: Vec<TaskId>,
    homes: Homes,
    tasks: Tasks,
    follow: bool,
}

impl Session {
    /// Connects to the host, or becomes the host if there is none. A command that wants tasks to run waits for a host
    /// that runs none. With `follow`, the client receives all live events.
    pub(crate) async fn open(homes: &Homes, tasks: Tasks, follow: bool) -> Result<Self, Failure> {
        let begun = Instant::now();
        let mut is_told = false;
        let mut tries = 0;
        loop {
            let (client, own) = match Client::connect(&homes.deputy, None, follow).await? {
                Some(client) if tasks == Tasks::Leave || are_tasks_run(homes)? => (Some(client), None),
                Some(_) => {
                    if !is_told && begun.elapsed() > QUIET_WAIT {
                        is_told = true;
                        complain("Waiting for another Deputy command to end.");
                    }
                    (None, None)
                }
                // A host that is starting or shutting down holds the lock without listening. Retrying for a short
                // time bridges that.
                None if tries == HOST_TRIES => return Err(unreachable(homes)),
                None => {
                    tries += 1;
                    Self::become_host(homes, tasks, follow).await?
                }
            };
            if let Some(client) = client {
                let homes = homes.clone();
                let mut session = Self { client, own, handed_over: Vec::new(), homes, tasks, follow };
                session.know_ids().await;
                return Ok(session);
            }
            tokio::time::sleep(HOST_RETRY).await;
        }
    }

    /// Starts the host in this process and connects to it. Returns nothing if another process is the host.
    async fn become_host(
        homes: &Homes,
        tasks: Tasks,
        follow: bool,
    ) -> Result<(Option<Client>, Option<OwnHost>), Failure> {
        let Some(own) = OwnHost::start(homes, tasks).await? else { return Ok((None, None)) };
        if tasks == Tasks::Resume {
            own.warm();
        }
        let client = Client::connect(&homes.deputy, None, follow).await?;
        Ok((Some(client.ok_or_else(|| unreachable(homes))?), Some(own)))
    }

    /// Opens the home again after its host, another process, has ended.
    pub(crate) async fn open_again(&mut self, tasks: Tasks) -> Result<(), Failure> {
        let again = Self::open(&self.homes, tasks, self.follow).await?;
        *self = Self { handed_over: std::mem::take(&mut self.handed_over), ..again };
        Ok(())
    }

    /// Executes a command. If the host, another process, ends before it answers, the next host gets the same command.
    pub(crate) async fn command(&mut self, command: Command) -> Result<CommandOutcome, Failure> {
        let id = deputy_agent::new_command_id();
        let mut tries = 0;
        loop {
            match self.client.command_as(id.clone(), command.clone()).await {
                Err(error) if self.may_try_again(&error, &mut tries) => self.open_again(self.tasks).await?,
                outcome => return Ok(outcome?),
            }
        }
    }

    /// Returns whether another host may answer. A host of another version, whose answers cannot be read, seems to end
    /// each time.
    fn may_try_again(&self, error: &ClientError, tries: &mut u32) -> bool {
        *tries += 1;
        self.own.is_none() && *tries < MOST_HOSTS && has_ended(error)
    }

    /// Executes a query. If the host, another process, ends before it answers, the next host gets it.
    pub(crate) async fn query(&mut self, query: Query) -> Result<QueryAnswer, Failure> {
        let mut tries = 0;
        loop {
            match self.client.query(query.clone()).await {
                Err(error) if self.may_try_again(&error, &mut tries) => self.open_again(self.tasks).await?,
                answer => return Ok(answer?),
            }
        }
    }

    /// Loads the ids of the home's tasks, so that each is printed as its shortest unique prefix. If this fails, ids
    /// are only longer.
    async fn know_ids(&mut self) {
        let query = Query::Tasks(TasksQuery { limit: MOST_KNOWN, said: None });
        if are_shortened()
            && let Ok(QueryAnswer::Tasks(answer)) = self.client.query(query).await
        {
            know(answer.tasks.iter().map(|task| &task.id));
        }
    }

    /// Ends the host if it is in this process. A host in another process continues.
    pub(crate) async fn close(self) {
        if let Some(own) = self.own {
            own.close().await;
        }
    }

    /// Finds the id of a task like [`Self::task`].
    pub(crate) async fn find_task(&mut self, text: &str) -> Result<TaskId, Failure> {
        Ok(self.task(text).await?.id)
    }

    /// Finds the task with an id or a prefix of it, or the newest task for `last`.
    pub(crate) async fn task(&mut self, text: &str) -> Result<TaskSummary, Failure> {
        if text == "last" {
            // It is usually the newest task. Sub-tasks are skipped, since no person started them.
            for limit in [1, MOST_KNOWN] {
                let tasks = self.tasks(limit).await?;
                if let Some(task) = tasks.into_iter().find(|task| task.parent.is_none()) {
                    return Ok(task);
                }
            }
        }
        let tasks = self.tasks(MOST_KNOWN).await?;
        let matching = |task: &TaskSummary| !text.is_empty() && task.id.as_str().starts_with(text);
        let mut found = tasks.into_iter().filter(matching);
        match (found.next(), found.next()) {
            (Some(task), None) => Ok(task),
            (Some(task), Some(_)) if task.id.as_str() == text => Ok(task),
            (Some(one), Some(other)) => {
                let message = format!("`{text}` may mean {} or {}.", one.id, other.id);
                Err(Failure::usage(message, "Give more of the ID."))
            }
            (None, _) => Err(Failure::new(
                ErrorCode::UnknownTask,
                format!("There is no task `{text}`."),
                "`deputy tasks` lists them.",
            )),
        }
    }

    /// Returns the newest tasks.
    async fn tasks(&mut self, limit: u32) -> Result<Vec<TaskSummary>, Failure> {
        match self.query(Query::Tasks(TasksQuery { limit, said: None })).await? {
            QueryAnswer::Tasks(answer) => {
                know(answer.tasks.iter().map(|task| &task.id));
                Ok(answer.tasks)
            }
            _ => Err(Failure::new(
                ErrorCode::Host,
                "The host's answer does not fit.",
                "Use the same version for both.",
            )),
        }
    }

    /// Returns the state of the agent.
    pub(crate) async fn state(&mut self) -> Result<deputy_protocol::AgentState, Failure> {
        match self.query(Query::State(StateQuery {})).await? {
            QueryAnswer::State(answer) => {
                let state = answer.snapshot.state;
                if let deputy_protocol::AgentState::Active(active) = &state {
                    know(active.tasks.iter().map(|task| &task.id));
                    know(active.requests.iter().map(|request| &request.id));
                    know(active.questions.iter().map(|question| &question.id));
                }
                Ok(state)
            }
            _ => Err(Failure::new(
                ErrorCode::Host,
                "The host's answer does not fit.",
                "Use the same version for both.",
            )),
        }
    }
}

/// Whether the host ended, so that another one may execute the command.
pub(crate) fn has_ended(error: &ClientError) -> bool {
    match error {
        ClientError::Gone => true,
        ClientError::Refused(body) => body.code == ErrorCode::HostEnding,
        ClientError::Connect { .. } => false,
    }
}

fn unreachable(homes: &Homes) -> Failure {
    let message = format!("Another process holds {} but does not answer.", homes.deputy.display());
    Failure::new(ErrorCode::Host, message, "Wait for it to end, or end it; nothing it was doing is lost.")
}

/// Connects to the host if it runs tasks. `None` if there is none, or if it is a command that only looks.
pub(crate) async fn connect_to_runner(homes: &Homes) -> Result<Option<Client>, Failure> {
    let client = Client::connect(&homes.deputy, None, false).await?;
    Ok(if are_tasks_run(homes)? { client } else { None })
}

/// Whether a process runs the tasks of a home.
fn are_tasks_run(homes: &Homes) -> Result<bool, Failure> {
    HomeLock::is_held(&homes.deputy, TASKS_LOCK).map_err(locked_out)
}

/// Takes the lock of a home's host that runs tasks. Another process may look at the lock, which takes it for a moment.
async fn take_tasks_lock(homes: &Homes) -> Result<HomeLock, Failure> {
    loop {
        if let Some(lock) = HomeLock::try_take_named(&homes.deputy, TASKS_LOCK).map_err(locked_out)? {
            return Ok(lock);
        }
        tokio::time::sleep(LOCK_RETRY).await;
    }
}

fn locked_out(error: deputy_server::LockError) -> Failure {
    let hint = "Give a folder that you may write to with --home DIR.";
    Failure::new(ErrorCode::Home, format!("{error}."), hint)
}

impl OwnHost {
    /// Becomes the host of a home to run its tasks. Waits for commands that only look into the home, and for a host that
    /// is ending. `None` if another process runs its tasks.
    pub async fn start_for_tasks(homes: &Homes) -> Result<Option<Self>, Failure> {
        let begun = Instant::now();
        loop {
            let own = Self::start(homes, Tasks::Resume).await?;
            // A host that is just ending runs tasks but cannot be connected to.
            if own.is_some() || connect_to_runner(homes).await?.is_some() || begun.elapsed() > LOOK_PATIENCE {
                return Ok(own);
            }
            tokio::time::sleep(LOOK_RETRY).await;
        }
    }

    /// Becomes the host of a home. `None` if another process is the host.
    pub async fn start(homes: &Homes, tasks: Tasks) -> Result<Option<Self>, Failure> {
        homes.check()?;
        let Some(lock) = HomeLock::try_take(&homes.deputy).map_err(locked_out)? else { return Ok(None) };
        let tasks_lock = match tasks {
            Tasks::Resume => Some(take_tasks_lock(homes).await?),
            Tasks::Leave => None,
        };
        let config = Config::load(&homes.deputy)?;
        let store = open_store(homes)?;
        let sidecar = sidecar::make(homes, &config);
        let host = Host::new(HostParts {
            home: homes.deputy.clone(),
            user_home: homes.user.clone(),
            config: config.clone(),
            store,
            planner: Arc::new(sidecar.clone()),
            embedder: sidecar::embedder(homes, &config, &sidecar),
            registry: Registry::standard()
                .organizing(OrganizeHome::of(&homes.deputy, &homes.user).keeping(config.secrets.clone()))
                .searching(deputy_agent::searching::searching(&homes.deputy)),
            clock: system_clock(),
        });
        let unusable = |error: deputy_server::ServeError| {
            Failure::new(ErrorCode::Socket, format!("{error}."), "Is the folder yours and writable?")
        };
        let mirror = Mirror::of(host.clone(), &homes.deputy).map_err(unusable)?;
        let server = Server::bind(&homes.deputy).map_err(unusable)?;
        let end = CancellationToken::new();
        let serving = TaskTracker::new();
        serving.spawn(server.serve(mirror.clone(), end.clone()));
        if tasks == Tasks::Resume {
            host.resume_all().await?;
        }
        Ok(Some(Self { host, config, mirror, sidecar, end, serving, tasks_lock, _lock: lock }))
    }

    /// Whether this process has tasks to run.
    pub(crate) fn is_busy(&self) -> Result<bool, Failure> {
        Ok(self.tasks_lock.is_some() && self.host.is_busy()?)
    }

    /// Waits until no task is left to run and no command is in progress, and refuses commands from then on. Returns at
    /// once if this process runs no tasks. Cancel safe.
    pub(crate) async fn refuse_when_idle(&self) -> Result<(), Failure> {
        match self.tasks_lock {
            Some(_) => Ok(self.host.refuse_when_idle().await?),
            None => Ok(()),
        }
    }

    /// Starts the planner in advance, while the first task is written to disk. A failure shows when the planner is
    /// used.
    pub fn warm(&self) {
        let sidecar = self.sidecar.clone();
        tokio::spawn(async move {
            if let Err(error) = sidecar.warm().await {
                tracing::debug!("the sidecar did not start: {error}");
            }
        });
    }

    /// Also serves the page, and devices as soon as there are any, and notifies the user of what is waiting.
    pub(crate) fn serve_web(&self, web: WebServer, settings: WebSettings, notifier: Notifier) {
        self.mirror.page_is_at(web.address());
        self.serving.spawn(web.serve(self.mirror.clone(), self.end.clone()));
        self.serving.spawn(notifier.run(self.end.clone()));
        let devices = self.config.server.devices;
        self.serving.spawn(serve_devices(self.mirror.clone(), devices, settings, self.end.clone()));
    }

    /// Shuts the host down. Tasks stay in their current state in the journal.
    pub async fn close(self) {
        self.end.cancel();
        self.serving.close();
        self.serving.wait().await;
        self.host.close().await;
        self.sidecar.shutdown().await;
    }
}

#[cfg(not(debug_assertions))]
fn open_store(homes: &Homes) -> Result<Store, Failure> {
    Ok(Store::open(&homes.deputy)?)
}

/// Opens the store. Debug builds can be made to exit at a given journal write, so that tests can interrupt a task at
/// any point.
#[cfg(debug_assertions)]
fn open_store(homes: &Homes) -> Result<Store, Failure> {
    use deputy_store::{CommitMoment, Hooks};
    let Some(at) = std::env::var("DEPUTY_TEST_CRASH_AT").ok() else { return Ok(Store::open(&homes.deputy)?) };
    let around_commit = move |moment: CommitMoment, number: u64| {
        let word = match moment {
            CommitMoment::Before => "before",
            CommitMoment::After => "after",
        };
        if at == format!("{word}:{number}") {
            // Like a power failure: no destructor runs.
            let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
        }
    };
    Ok(Store::open_with(&homes.deputy, Hooks { around_commit: Some(Arc::new(around_commit)) })?)
}
