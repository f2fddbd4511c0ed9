//! The state that is shared by the drivers of all tasks.

use crate::clock::{Clock, never_back};
use crate::config::Config;
use crate::documents::LookedAt;
use crate::driver::{Children, Line};
use crate::git_settings::GitSettings;
use crate::meaning::Meaning;
use crate::profile::Profiles;
use crate::profile_files::ProfileFiles;
use crate::repositories::build_output::KnownBuildOutput;
use crate::routing::Routing;
use crate::slots::Slots;
use crate::spending::DayLifted;
use crate::temporary;
use crate::user_shell::{self, Surroundings, UserShell};
use crate::versions::Versions;
use deputy_organize::suggest::Convention;
use deputy_planner::{Embedder, Planner};
use deputy_policy::{Rules, Situation};
use deputy_protocol::{CallId, Confinement, Grant, JobProgress, Progress, TaskId, TaskSpec};
use deputy_store::Store;
use deputy_tools::tree::KnownFiles;
use deputy_tools::{JobSink, Place, Registry};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, Weak};
use std::time::{Duration, SystemTime};
use tokio::sync::broadcast;

/// The number of progress messages that a slow client can lag behind. Beyond that it misses text, which is also in the
/// journal.
const PROGRESS_CAPACITY: usize = 1_024;

/// The external parts that a host needs.
pub struct HostParts {
    /// Deputy's own folder.
    pub home: PathBuf,
    /// The user's home.
    pub user_home: PathBuf,
    /// The configuration as loaded from the home.
    pub config: Config,
    /// The journal and the memories.
    pub store: Store,
    /// The planner.
    pub planner: Arc<dyn Planner>,
    /// The embedder for memories.
    pub embedder: Arc<dyn Embedder>,
    /// The tools.
    pub registry: Registry,
    /// The clock.
    pub clock: Clock,
}

/// The state that is shared by the drivers of all tasks.
pub(crate) struct Core {
    /// Deputy's own folder.
    pub(crate) home: PathBuf,
    /// The user's home.
    pub(crate) user_home: PathBuf,
    /// The current settings. A task uses them from its next request on.
    pub(crate) settings: RwLock<Arc<Config>>,
    /// Held while the settings change, so that only one change at a time reads, writes and applies the file.
    pub(crate) changing: tokio::sync::Mutex<()>,
    /// The settings with which the host was started. Some of them stay in effect until it ends.
    pub(crate) at_start: Config,
    pub(crate) store: Store,
    pub(crate) planner: Arc<dyn Planner>,
    pub(crate) routing: Routing,
    pub(crate) day_lifted: DayLifted,
    pub(crate) meaning: Meaning,
    /// When each folder of documents was last scanned.
    pub(crate) looked_at: LookedAt,
    pub(crate) registry: Registry,
    pub(crate) rules: RulesFile,
    pub(crate) profiles: Profiles,
    /// Files of profiles that the user can read and edit.
    pub(crate) profile_files: ProfileFiles,
    pub(crate) progress: broadcast::Sender<Progress>,
    /// The progress of jobs over files.
    pub(crate) jobs: broadcast::Sender<JobProgress>,
    /// A task holds a slot while it works, and releases it while it waits for a person.
    pub(crate) slots: Arc<Slots>,
    /// The tasks that wait to request a permission, and those that wait to ask a question.
    pub(crate) line: Arc<Line>,
    pub(crate) question_line: Arc<Line>,
    /// Starts and stops sub-tasks.
    children: OnceLock<Weak<dyn Children>>,
    pub(crate) clock: Clock,
    /// Files that were saved before commands, so that they are not read again.
    pub(crate) known: KnownFiles,
    /// What is build output for the tasks that run.
    pub(crate) build_output: KnownBuildOutput,
    /// The environment of the person's terminal.
    pub(crate) user_shell: UserShell,
    /// The person's settings that git gets if nobody approved the command.
    pub(crate) git_settings: GitSettings,
    /// The versions of toolchains, for start blocks.
    pub(crate) versions: Versions,
}

impl Core {
    pub(crate) fn new(parts: HostParts) -> Self {
        Self {
            rules: RulesFile::new(parts.home.join("rules.toml")),
            profiles: Profiles::new(parts.home.clone()),
            profile_files: ProfileFiles::default(),
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
            routing: Routing::default(),
            day_lifted: DayLifted::default(),
            meaning: Meaning::new(parts.embedder),
            looked_at: LookedAt::default(),
            registry: parts.registry,
            line: Arc::default(),
            question_line: Arc::default(),
            children: OnceLock::new(),
            clock: never_back(parts.clock),
            known: KnownFiles::default(),
            build_output: KnownBuildOutput::default(),
            user_shell: UserShell::default(),
            git_settings: GitSettings::default(),
            versions: Versions::default(),
        }
    }

    /// Sets the object that starts and stops sub-tasks.
    pub(crate) fn hand_over_to(&self, children: Weak<dyn Children>) {
        // The only host calls this once.
        let _ = self.children.set(children);
    }

    /// Returns the object that starts and stops sub-tasks. `None` if the host is shutting down.
    pub(crate) fn children(&self) -> Option<Arc<dyn Children>> {
        self.children.get()?.upgrade()
    }

    pub(crate) fn now_ms(&self) -> i64 {
        (self.clock)()
    }

    /// Sleeps until a time of the host's clock; forever if there is none.
    pub(crate) async fn until(&self, at_ms: Option<i64>) {
        let Some(at_ms) = at_ms else { return std::future::pending().await };
        // Sleeps in short intervals, because the host's clock may be changed while the machine is suspended.
        loop {
            let left = at_ms - self.now_ms();
            if left <= 0 {
                return;
            }
            let nap = u64::try_from(left).unwrap_or(0).min(30_000);
            tokio::time::sleep(Duration::from_millis(nap)).await;
        }
    }

    /// Returns the location in which a task's calls run.
    pub(crate) fn place_of(&self, spec: &TaskSpec) -> Place {
        // The convention was validated when the task was started, but an older version of Deputy may not know it.
        let names = spec.scope.names.as_deref().and_then(|names| Convention::parse(names).ok());
        let temporary = temporary::folder(&self.home, &spec.id);
        Place { workspace: PathBuf::from(&spec.workspace), home: self.user_home.clone(), temporary, names }
    }

    /// Returns the current settings.
    pub(crate) fn config(&self) -> Arc<Config> {
        self.settings.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the situation of a folder for the policy, with the current settings and rules and the given grants. It
    /// belongs to no task, and has no scope.
    pub(crate) fn situation(&self, workspace: PathBuf, grants: Vec<Grant>) -> Situation {
        let config = self.config();
        let known = self.user_shell.known().unwrap_or_default();
        Situation {
            secrets: config.secrets.clone(),
            allow_hosts: config.allow_hosts.clone(),
            rules: self.rules.current(),
            grants,
            now_ms: self.now_ms(),
            path: known.path.clone(),
            cargo_home: known.get("CARGO_HOME").map(PathBuf::from),
            walls: deputy_sandbox::walls().can_confine(Confinement::ReadOnly),
            guarded: deputy_sandbox::walls().has_guard(),
            ..Situation::new(self.user_home.clone(), workspace, self.home.clone())
        }
    }

    /// Returns the environment of a task's approved commands, and asks the person's shell for it if necessary.
    pub(crate) async fn surroundings(&self, spec: &TaskSpec) -> Arc<Surroundings> {
        let settings = &self.config().shell;
        let known = self.user_shell.ready(&self.user_home, settings).await;
        user_shell::in_terminal(&known, spec.terminal.as_ref(), &self.user_home, settings)
    }

    /// Returns the environment of a task's approved commands, as far as it is known.
    pub(crate) fn known_surroundings(&self, spec: &TaskSpec) -> Arc<Surroundings> {
        let known = self.user_shell.known().unwrap_or_default();
        user_shell::in_terminal(&known, spec.terminal.as_ref(), &self.user_home, &self.config().shell)
    }

    /// Sends text that is not in the journal to all clients.
    pub(crate) fn show(&self, task: &TaskId, call: Option<&CallId>, text: &str) {
        // Without a receiver, sending fails; this is not an error.
        let _ =
            self.progress.send(Progress { task: task.clone(), call: call.cloned(), text: text.to_owned() });
    }

    /// Returns a sink that reports the progress of a job to every client, whether a call or a person started it.
    pub(crate) fn job_sink(&self, call: Option<CallId>) -> JobSink {
        let jobs = self.jobs.clone();
        Arc::new(move |progress| {
            // Without a receiver, sending fails; this is not an error.
            let _ = jobs.send(JobProgress { call: call.clone(), ..progress });
        })
    }
}

/// The rules in `rules.toml`, read again when the file changes. If the file has an error, every call asks until it is
/// fixed.
pub(crate) struct RulesFile {
    path: PathBuf,
    loaded: Mutex<Loaded>,
}

struct Loaded {
    stamp: Option<(SystemTime, u64)>,
    rules: Arc<Rules>,
}

impl RulesFile {
    pub(crate) fn new(path: PathBuf) -> Self {
        let loaded = Mutex::new(Loaded { stamp: None, rules: Arc::new(Rules::empty()) });
        Self { path, loaded }
    }

    /// Returns the current rules.
    pub(crate) fn current(&self) -> Arc<Rules> {
        let stamp = std::fs::metadata(&self.path).and_then(|meta| Ok((meta.modified()?, meta.len()))).ok();
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if stamp != loaded.stamp {
            loaded.stamp = stamp;
            let result = if stamp.is_some() { Rules::load(&self.path) } else { Ok(Rules::empty()) };
            loaded.rules = Arc::new(result.unwrap_or_else(|problem| {
                tracing::warn!("{problem}");
                Rules::broken()
            }));
        }
        loaded.rules.clone()
    }
}
