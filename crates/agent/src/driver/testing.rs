//! Support for tests of the driver's parts: a core with its own home and tasks, without a host and without a loop.

#![allow(clippy::unwrap_used)] // A panic in a test's support is a failed test.

use super::journal::TaskJournal;
use crate::config::Config;
use crate::core::{Core, HostParts};
use deputy_protocol::{
    AgentPlan, CallId, Created, IterationStarted, Limits, Planned, Scope, SessionId, TaskEvent, TaskId,
    TaskSpec, Usage,
};
use deputy_store::Store;
use deputy_testkit::{FakeClock, ScriptedPlanner, TempHome};
use deputy_tools::Registry;
use std::sync::Arc;

/// A home with a core.
pub(super) struct Bench {
    pub(super) home: TempHome,
    pub(super) core: Arc<Core>,
    pub(super) planner: Arc<ScriptedPlanner>,
}

impl Bench {
    pub(super) fn new() -> Self {
        Self::with(Registry::standard())
    }

    pub(super) fn with(registry: Registry) -> Self {
        let home = TempHome::new().unwrap();
        let planner = Arc::new(ScriptedPlanner::new(Vec::<AgentPlan>::new()));
        let core = Core::new(HostParts {
            home: home.path(),
            user_home: home.user(),
            config: Config::load(&home.path()).unwrap(),
            store: Store::open(&home.path()).unwrap(),
            planner: planner.clone(),
            embedder: Arc::new(deputy_planner::NoEmbedder),
            registry,
            clock: FakeClock::default().source(),
        });
        Self { home, core: Arc::new(core), planner }
    }

    pub(super) fn spec(&self, task: &str) -> TaskSpec {
        TaskSpec {
            id: TaskId::new(task),
            session: SessionId::new("s1"),
            goal: "do it".into(),
            profile: "general".into(),
            backend: "offline".into(),
            model: None,
            workspace: self.home.workspace().to_str().unwrap().to_owned(),
            scope: Scope::default(),
            limits: Limits::default(),
            standing_consent: None,
            parent: None,
            terminal: None,
        }
    }

    /// Creates a task with this first plan, and journals both.
    pub(super) async fn task(&self, spec: TaskSpec, mut plan: AgentPlan) -> TaskJournal {
        let id = spec.id.clone();
        for (index, call) in plan.tool_calls.iter_mut().enumerate() {
            call.id = CallId::of(&id, 1, index + 1);
        }
        let planned = Planned {
            plan,
            usage: Usage::default(),
            duration_ms: 0,
            model: None,
            backend: None,
            cost_micros: None,
        };
        let events = vec![
            TaskEvent::Created(Created { spec, notice: None, named: Vec::new() }),
            TaskEvent::IterationStarted(IterationStarted { iteration: 1 }),
            TaskEvent::Planned(planned),
        ];
        self.core.store.append(&id, self.core.now_ms(), events).await.unwrap();
        TaskJournal::load(self.core.clone(), id).unwrap()
    }
}
