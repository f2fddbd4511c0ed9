//! What the drivers of all tasks share.

use crate::clock::Clock;
use crate::config::Config;
use crate::driver::Line;
use crate::meaning::Meaning;
use crate::profile::Profiles;
use crate::slots::Slots;
use crate::user_shell::UserShell;
use deputy_planner::Planner;
use deputy_policy::{Rules, Situation};
use deputy_protocol::{CallId, Confinement, Grant, JobProgress, Progress, TaskId};
use deputy_store::Store;
use deputy_tools::tree::KnownFiles;
use deputy_tools::{JobSink, Registry};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::SystemTime;
use tokio::sync::broadcast;

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
    pub(crate) meaning: Meaning,
    pub(crate) registry: Registry,
    pub(crate) rules: RulesFile,
    pub(crate) profiles: Profiles,
    pub(crate) progress: broadcast::Sender<Progress>,
    /// How far jobs over files got.
    pub(crate) jobs: broadcast::Sender<JobProgress>,
    /// A task holds one while it works; waiting for a person gives it back.
    pub(crate) slots: Arc<Slots>,
    /// Tasks that wait to ask for permission, and tasks that wait to ask a question.
    pub(crate) line: Arc<Line>,
    pub(crate) question_line: Arc<Line>,
    pub(crate) clock: Clock,
    /// What was kept before commands, so that it is not read again.
    pub(crate) known: KnownFiles,
    /// What the person's terminal has.
    pub(crate) user_shell: UserShell,
}

impl Core {
    pub(crate) fn now_ms(&self) -> i64 {
        (self.clock)()
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

    /// Shows something that is not journalled to whoever looks on.
    pub(crate) fn show(&self, task: &TaskId, call: Option<&CallId>, text: &str) {
        // Nobody looking on is no error.
        let _ =
            self.progress.send(Progress { task: task.clone(), call: call.cloned(), text: text.to_owned() });
    }

    /// Shows how far a job got to whoever looks on.
    pub(crate) fn job_sink(&self) -> JobSink {
        let jobs = self.jobs.clone();
        Arc::new(move |progress| {
            // Nobody looking on is no error.
            let _ = jobs.send(progress);
        })
    }
}

/// `rules.toml`, read again when it changes. A file with a mistake makes everything ask until it is mended.
pub(crate) struct RulesFile {
    path: PathBuf,
    loaded: Mutex<Loaded>,
}

struct Loaded {
    stamp: Option<(SystemTime, u64)>,
    rules: Arc<Rules>,
    problem: Option<String>,
}

impl RulesFile {
    pub(crate) fn new(path: PathBuf) -> Self {
        let loaded = Mutex::new(Loaded { stamp: None, rules: Arc::new(Rules::empty()), problem: None });
        Self { path, loaded }
    }

    /// The rules that hold now.
    pub(crate) fn current(&self) -> Arc<Rules> {
        let stamp = std::fs::metadata(&self.path).and_then(|meta| Ok((meta.modified()?, meta.len()))).ok();
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if stamp != loaded.stamp {
            loaded.stamp = stamp;
            let result = if stamp.is_some() { Rules::load(&self.path) } else { Ok(Rules::empty()) };
            loaded.problem = result.as_ref().err().map(ToString::to_string);
            if let Some(problem) = &loaded.problem {
                tracing::warn!("{problem}");
            }
            loaded.rules = Arc::new(result.unwrap_or_else(|_| Rules::broken()));
        }
        loaded.rules.clone()
    }

    /// What is wrong with the file, if anything.
    pub(crate) fn problem(&self) -> Option<String> {
        self.current();
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).problem.clone()
    }
}
