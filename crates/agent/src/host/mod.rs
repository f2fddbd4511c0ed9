//! The host of all tasks: one a home. It owns the journal, drives every task, and answers commands and queries.

mod commands;
mod look;
mod memories;
mod organize;
mod output;
mod place;
mod preview;
mod queries;
mod queue;
mod settings;
mod undo;

use crate::clock::{Clock, never_back};
use crate::config::{Config, ConfigError};
use crate::core::{Core, RulesFile};
use crate::driver::{Driver, DriverError, Signal, Signalled};
use crate::meaning::Meaning;
use crate::profile::Profiles;
use crate::slots::Slots;
use crate::user_shell::UserShell;
use deputy_planner::{Embedder, Planner};
use deputy_protocol::{EventRecord, JobProgress, PermissionRequest, Progress, TaskId, TaskState};
use deputy_store::{MirroredEvent, Store, StoreError};
use deputy_tools::Registry;
use deputy_tools::tree::KnownFiles;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Pieces of progress that a slow screen may lag behind; it then misses text that the journal has anyway.
const PROGRESS_CAPACITY: usize = 1_024;
/// Signals that wait for one driver; more make the sender wait.
const SIGNAL_CAPACITY: usize = 16;

/// What a host needs from outside.
pub struct HostParts {
    /// Deputy's own folder.
    pub home: PathBuf,
    /// The user's home.
    pub user_home: PathBuf,
    /// The configuration as loaded from the home.
    pub config: Config,
    /// The journal and all that is remembered.
    pub store: Store,
    /// Who plans.
    pub planner: Arc<dyn Planner>,
    /// What embeds memories.
    pub embedder: Arc<dyn Embedder>,
    /// The tools.
    pub registry: Registry,
    /// The time.
    pub clock: Clock,
}

/// Why a host cannot do its work.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The journal does not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The configuration is not valid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A task cannot be loaded.
    #[error("{0}")]
    Task(String),
}

impl From<DriverError> for HostError {
    fn from(error: DriverError) -> Self {
        match error {
            DriverError::Store(error) => Self::Store(error),
            error @ DriverError::NoBeginning { .. } => Self::Task(error.to_string()),
        }
    }
}

/// The host.
#[derive(Clone)]
pub struct Host {
    core: Arc<Core>,
    drivers: Arc<Mutex<HashMap<TaskId, mpsc::Sender<Signalled>>>>,
    /// What keeps a command from being done twice.
    commands: Arc<commands::Commands>,
    /// Whether tasks are driven here. A process that only notes something down leaves them to the next one that does.
    is_driving: Arc<AtomicBool>,
    /// The drivers at work, and what ends them.
    at_work: TaskTracker,
    end: CancellationToken,
    /// Scans for screens.
    scans: Arc<organize::Scans>,
}

impl Host {
    /// A host over an open store. It drives nothing yet.
    pub fn new(parts: HostParts) -> Self {
        crate::redact::learn_environment(std::env::vars_os());
        let core = Core {
            rules: RulesFile::new(parts.home.join("rules.toml")),
            profiles: Profiles::new(parts.home.clone()),
            slots: Slots::new(parts.config.max_concurrent_tasks),
            progress: broadcast::channel(PROGRESS_CAPACITY).0,
            jobs: broadcast::channel(PROGRESS_CAPACITY).0,
            home: parts.home,
            user_home: parts.user_home,
            settings: RwLock::new(Arc::new(parts.config.clone())),
            changing: tokio::sync::Mutex::default(),
            at_start: parts.config,
            store: parts.store,
            planner: parts.planner,
            meaning: Meaning::new(parts.embedder),
            registry: parts.registry,
            line: Arc::default(),
            question_line: Arc::default(),
            clock: never_back(parts.clock),
            known: KnownFiles::default(),
            user_shell: UserShell::default(),
        };
        Self {
            core: Arc::new(core),
            drivers: Arc::default(),
            commands: Arc::default(),
            is_driving: Arc::default(),
            at_work: TaskTracker::new(),
            end: CancellationToken::new(),
            scans: Arc::default(),
        }
    }

    /// Ends every driver where it stands. Nothing is journalled by that: each task is as it was, and the next host
    /// takes it up as it would after a crash. Comes before the planner is ended, which no task shall read as a failure.
    pub async fn close(&self) {
        // What the first driver to end gives back would start a task that waits, only for it to be interrupted.
        let _held = self.core.slots.hold();
        self.end.cancel();
        self.at_work.close();
        self.at_work.wait().await;
        self.core.meaning.close().await;
    }

    /// Takes up every task that has not ended: what a dead process left behind goes on. Those that had begun are called
    /// first, oldest first, and then the queued ones in their order; the first of them once all stand in line.
    pub async fn resume_all(&self) -> Result<(), HostError> {
        self.is_driving.store(true, Ordering::Relaxed);
        let _held = self.core.slots.hold();
        for task in self.core.store.unfinished()? {
            self.drive(&task.id).await?;
        }
        let (core, end) = (self.core.clone(), self.end.clone());
        self.at_work.spawn(async move {
            end.run_until_cancelled(core.embed_in_quiet()).await;
        });
        Ok(())
    }

    /// Events from now on, in the journal's order.
    pub fn events(&self) -> broadcast::Receiver<MirroredEvent> {
        self.core.store.subscribe()
    }

    /// Progress from now on.
    pub fn progress(&self) -> broadcast::Receiver<Progress> {
        self.core.progress.subscribe()
    }

    /// How far jobs over files get, from now on.
    pub fn job_progress(&self) -> broadcast::Receiver<JobProgress> {
        self.core.jobs.subscribe()
    }

    /// The time, as every part of the host takes it.
    pub fn now_ms(&self) -> i64 {
        self.core.now_ms()
    }

    /// The journal.
    pub fn store(&self) -> &Store {
        &self.core.store
    }

    /// What is wrong with `rules.toml`, if anything.
    pub fn rules_problem(&self) -> Option<String> {
        self.core.rules.problem()
    }

    /// Whether a task works or waits for its turn. Those that wait for a person do not count, unless one of their calls runs
    /// meanwhile, which would end with the host.
    pub fn is_busy(&self) -> Result<bool, HostError> {
        let busy = |state: &TaskState| {
            matches!(state, TaskState::Queued(_) | TaskState::Running(_) | TaskState::Interrupted(_))
        };
        let runs = |request: &PermissionRequest| request.details.wanted.is_some();
        Ok(self.core.store.unfinished()?.iter().any(|task| busy(&task.state))
            || self.core.store.open_requests()?.iter().any(runs))
    }

    /// Starts a driver for a task, unless one is at work.
    async fn drive(&self, task: &TaskId) -> Result<mpsc::Sender<Signalled>, HostError> {
        let (sender, receiver) = mpsc::channel(SIGNAL_CAPACITY);
        {
            let mut drivers = self.drivers.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(running) = drivers.get(task).filter(|sender| !sender.is_closed()) {
                return Ok(running.clone());
            }
            drivers.insert(task.clone(), sender.clone());
        }
        let driver = match Driver::load(self.core.clone(), task.clone(), receiver).await {
            Ok(driver) => driver,
            Err(error) => {
                self.drivers.lock().unwrap_or_else(PoisonError::into_inner).remove(task);
                return Err(error.into());
            }
        };
        let (drivers, task, end) = (self.drivers.clone(), task.clone(), self.end.clone());
        self.at_work.spawn(async move {
            end.run_until_cancelled(driver.run()).await;
            let mut drivers = drivers.lock().unwrap_or_else(PoisonError::into_inner);
            // A new driver may have taken the place meanwhile.
            if drivers.get(&task).is_some_and(mpsc::Sender::is_closed) {
                drivers.remove(&task);
            }
        });
        Ok(sender)
    }

    /// Tells a task's driver something, and waits until that is journalled. A driver that ended meanwhile needs no
    /// telling: the journal has it, and the next driver reads it there.
    async fn signal(&self, task: &TaskId, signal: Signal) -> Result<(), HostError> {
        if !self.is_driving.load(Ordering::Relaxed) {
            self.core.store.append(task, self.core.now_ms(), signal.as_noted()).await?;
            return Ok(());
        }
        let driver = self.drive(task).await?;
        let (heard, hearing) = oneshot::channel();
        if driver.send((signal, heard)).await.is_ok()
            // Dropped unheard only by a driver that ended.
            && let Ok(journalled) = hearing.await
        {
            journalled?;
        }
        Ok(())
    }

    /// Tells the driver of something that the store has journalled. Where the driver ended, because the journal could
    /// not be written for a while, a new one reads it there.
    async fn journalled(&self, record: EventRecord) {
        let running = {
            let drivers = self.drivers.lock().unwrap_or_else(PoisonError::into_inner);
            drivers.get(&record.task).filter(|sender| !sender.is_closed()).cloned()
        };
        let Some(driver) = running else {
            if self.is_driving.load(Ordering::Relaxed)
                && let Err(error) = self.drive(&record.task).await
            {
                tracing::error!("task {} cannot go on: {error}", record.task);
            }
            return;
        };
        let (heard, hearing) = oneshot::channel();
        if driver.send((Signal::Journalled(Box::new(record)), heard)).await.is_ok() {
            let _ = hearing.await;
        }
    }
}
