//! What the drivers of all tasks share.

use crate::clock::{Clock, never_back};
use crate::config::Config;
use crate::documents::LookedAt;
use crate::driver::{Children, Line};
use crate::git_settings::GitSettings;
use crate::meaning::Meaning;
use crate::profile::Profiles;
use crate::profile_files::ProfileFiles;
use crate::routing::Routing;
use crate::slots::Slots;
use crate::spending::DayLifted;
use crate::user_shell::UserShell;
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

/// Pieces of progress that a slow screen may lag behind; it then misses text that the journal has anyway.
const PROGRESS_CAPACITY: usize = 1_024;

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

/// What the drivers of all tasks share.
pub(crate) struct Core {
    /// Deputy's own folder.
    pub(crate) home: PathBuf,
    /// The user's home.
    pub(crate) user_home: PathBuf,
    /// The settings that hold now; a task takes them up where it next asks.
    pub(crate) settings: RwLock<Arc<Config>>,
    /// Held while the settings are changed: one change at a time reads, writes and takes up the file.
    pub(crate) changing: tokio::sync::Mutex<()>,
    /// The settings that the host was started with, some of which hold until it ends.
    pub(crate) at_start: Config,
    pub(crate) store: Store,
    pub(crate) planner: Arc<dyn Planner>,
    pub(crate) routing: Routing,
    pub(crate) day_lifted: DayLifted,
    pub(crate) meaning: Meaning,
    /// Which folders of documents were looked through, and when.
    pub(crate) looked_at: LookedAt,
    pub(crate) registry: Registry,
    pub(crate) rules: RulesFile,
    pub(crate) profiles: Profiles,
    /// What profiles keep for people to read and to change.
    pub(crate) profile_files: ProfileFiles,
    pub(crate) progress: broadcast::Sender<Progress>,
    /// How far jobs over files got.
    pub(crate) jobs: broadcast::Sender<JobProgress>,
    /// A task holds one while it works; waiting for a person gives it back.
    pub(crate) slots: Arc<Slots>,
    /// Tasks that wait to ask for permission, and tasks that wait to ask a question.
    pub(crate) line: Arc<Line>,
    pub(crate) question_line: Arc<Line>,
    /// What starts and ends sub-tasks.
    children: OnceLock<Weak<dyn Children>>,
    pub(crate) clock: Clock,
    /// What was kept before commands, so that it is not read again.
    pub(crate) known: KnownFiles,
    /// What the person's terminal has.
    pub(crate) user_shell: UserShell,
    /// What git gets of the person's settings where nobody agreed to a command.
    pub(crate) git_settings: GitSettings,
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
            user_shell: UserShell::default(),
            git_settings: GitSettings::default(),
        }
    }

    /// From now on these start and end sub-tasks.
    pub(crate) fn hand_over_to(&self, children: Weak<dyn Children>) {
        // There is one host, which says it once.
        let _ = self.children.set(children);
    }

    /// What starts and ends sub-tasks; `None` where the host is going.
    pub(crate) fn children(&self) -> Option<Arc<dyn Children>> {
        self.children.get()?.upgrade()
    }

    pub(crate) fn now_ms(&self) -> i64 {
        (self.clock)()
    }

    /// Sleeps until a time of the host's clock; forever if there is none.
    pub(crate) async fn until(&self, at_ms: Option<i64>) {
        let Some(at_ms) = at_ms else { return std::future::pending().await };
        // In short naps, since the host's clock may be set while the machine sleeps.
        loop {
            let left = at_ms - self.now_ms();
            if left <= 0 {
                return;
            }
            let nap = u64::try_from(left).unwrap_or(0).min(30_000);
            tokio::time::sleep(Duration::from_millis(nap)).await;
        }
    }

    /// The state of a task's calls.
    pub(crate) fn place_of(&self, spec: &TaskSpec) -> Place {
        // It was read when the task was started; an older Deputy may not know it.
        let names = spec.scope.names.as_deref().and_then(|names| Convention::parse(names).ok());
        Place { workspace: PathBuf::from(&spec.workspace), home: self.user_home.clone(), names }
    }

    /// The settings that hold now.
    pub(crate) fn config(&self) -> Arc<Config> {
        self.settings.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A folder as policy sees it by today's settings and rules, where these grants hold; nobody's task, and no scope.
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
            ..Situation::new(self.user_home.clone(), workspace, self.home.clone())
        }
    }

    /// Shows something that is not journalled to anyone who looks on.
    pub(crate) fn show(&self, task: &TaskId, call: Option<&CallId>, text: &str) {
        // Nobody looking on is not an error.
        let _ =
            self.progress.send(Progress { task: task.clone(), call: call.cloned(), text: text.to_owned() });
    }

    /// Reports a job's progress to every screen, whether a call or a person started it.
    pub(crate) fn job_sink(&self, call: Option<CallId>) -> JobSink {
        let jobs = self.jobs.clone();
        Arc::new(move |progress| {
            // Nobody looking on is not an error.
            let _ = jobs.send(JobProgress { call: call.clone(), ..progress });
        })
    }
}

/// `rules.toml`, read again when it changes. A file with a mistake makes everything ask until it is fixed.
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

    /// The rules that hold now.
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
