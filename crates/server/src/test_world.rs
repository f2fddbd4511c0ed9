//! A host with a real journal and a clock that the test controls, for the tests of this crate.

use crate::mirror::Mirror;
use deputy_agent::config::Config;
use deputy_agent::{Host, HostParts};
use deputy_protocol::{
    Answerer, CallId, Choice, Confinement, Created, DenyChoice, Digest, LocalAnswerer, PermissionAnswer,
    PermissionRequest, PermissionRequested, RequestDetails, RequestId, Risk, SessionId, StopReason, Stopped,
    TaskEvent, TaskId, TaskSpec,
};
use deputy_store::Store;
use deputy_testkit::{FakeClock, ScriptedPlanner, TempHome};
use std::sync::Arc;

/// A home with one task.
pub(crate) struct World {
    pub(crate) home: TempHome,
    pub(crate) host: Host,
    pub(crate) clock: FakeClock,
    pub(crate) task: TaskId,
}

impl World {
    pub(crate) async fn new() -> Self {
        let (home, clock) = (TempHome::new().unwrap(), FakeClock::default());
        let task = TaskId::new("t");
        let host = open(&home, &clock);
        let spec = TaskSpec {
            id: task.clone(),
            session: SessionId::new("s"),
            goal: "go".to_owned(),
            profile: "general".to_owned(),
            backend: "offline".to_owned(),
            model: None,
            workspace: home.workspace().to_str().unwrap().to_owned(),
            scope: Default::default(),
            limits: Default::default(),
            standing_consent: None,
            parent: None,
            terminal: None,
        };
        let created = TaskEvent::Created(Created { spec, notice: None, named: Vec::new() });
        host.store().append(&task, clock.now_ms(), vec![created]).await.unwrap();
        Self { home, host, clock, task }
    }

    pub(crate) fn mirror(&self) -> Mirror {
        Mirror::of(self.host.clone(), &self.home.path()).unwrap()
    }

    /// Opens the home in a new process after a crash of the previous one.
    pub(crate) fn restart(self) -> Self {
        let Self { home, host, clock, task } = self;
        drop(host);
        Self { host: open(&home, &clock), home, clock, task }
    }

    pub(crate) async fn append(&self, event: TaskEvent) {
        self.host.store().append(&self.task, self.clock.now_ms(), vec![event]).await.unwrap();
    }

    pub(crate) async fn ask(&self, id: &str, summary: &str) {
        let now_ms = self.clock.now_ms();
        let request = PermissionRequest {
            id: RequestId::new(id),
            task: self.task.clone(),
            session: SessionId::new("s"),
            call: CallId::of(&self.task, 1, 1),
            tool: "shell".to_owned(),
            summary: summary.to_owned().into(),
            details: RequestDetails {
                cwd: "/".to_owned(),
                command: None,
                parts: Vec::new(),
                background: false,
                diff: None,
                steps: Vec::new(),
                plan: None,
                confinement: Confinement::ReadOnly,
                not_kept: None,
                refused_at_ms: None,
                away_from: None,
                time_limit_secs: None,
                wanted: None,
            },
            risk: Risk::Low,
            reasons: Vec::new(),
            digest: Digest::new(format!("{id:0>64}")),
            offered: Vec::new(),
            created_at_ms: now_ms,
            expires_at_ms: now_ms + 1_000_000_000,
        };
        self.append(TaskEvent::PermissionRequested(PermissionRequested { request, touches: Vec::new() }))
            .await;
    }

    pub(crate) async fn say_no(&self, id: &str) {
        let answer = PermissionAnswer {
            request: RequestId::new(id),
            digest: Digest::new(format!("{id:0>64}")),
            choice: Choice::Deny(DenyChoice::default()),
            by: Answerer::Local(LocalAnswerer { screen: "test".to_owned() }),
        };
        self.host.store().answer_permission(answer, self.clock.now_ms()).await.unwrap();
    }

    pub(crate) async fn stop(&self, summary: &str) {
        let stopped =
            Stopped { reason: StopReason::Completed, summary: summary.to_owned().into(), report: None };
        self.append(TaskEvent::Stopped(stopped)).await;
    }
}

fn open(home: &TempHome, clock: &FakeClock) -> Host {
    Host::new(HostParts {
        home: home.path(),
        user_home: home.user(),
        config: Config::load(&home.path()).unwrap(),
        store: Store::open(&home.path()).unwrap(),
        planner: Arc::new(ScriptedPlanner::default()),
        embedder: Arc::new(deputy_planner::NoEmbedder),
        registry: deputy_tools::Registry::standard(),
        clock: clock.source(),
    })
}
