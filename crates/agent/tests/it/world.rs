//! A host with a real journal, real tools and a real folder, and a scripted planner.

use deputy_agent::config::Config;
use deputy_agent::{Host, HostParts, new_command_id};
use deputy_planner::{Embedder, Planner};
use deputy_protocol::*;
use deputy_store::{MirroredEvent, Store};
use deputy_testkit::{FakeClock, ScriptedPlanner, TempHome};
use deputy_tools::{OrganizeHome, Registry};
use std::sync::Arc;
use tokio::sync::broadcast::Receiver;

/// A home and its host.
pub(crate) struct World {
    pub(crate) home: TempHome,
    pub(crate) host: Host,
    pub(crate) clock: FakeClock,
    events: Receiver<MirroredEvent>,
}

impl World {
    pub(crate) async fn new(planner: ScriptedPlanner) -> Self {
        Self::open(TempHome::new().unwrap(), Arc::new(planner)).await
    }

    /// Opens a host on a home that may have been used before. It resumes unfinished tasks.
    pub(crate) async fn open(home: TempHome, planner: Arc<dyn Planner>) -> Self {
        Self::open_by(home, planner, FakeClock::default()).await
    }

    /// Like [`World::open`], at another time.
    pub(crate) async fn open_at(home: TempHome, planner: Arc<dyn Planner>, now_ms: i64) -> Self {
        Self::open_by(home, planner, FakeClock::at(now_ms)).await
    }

    async fn open_by(home: TempHome, planner: Arc<dyn Planner>, clock: FakeClock) -> Self {
        let registry = tools(&home);
        Self::open_with(home, planner, clock, registry).await
    }

    /// Like [`World::open`], with other tools.
    pub(crate) async fn open_with(
        home: TempHome,
        planner: Arc<dyn Planner>,
        clock: FakeClock,
        registry: Registry,
    ) -> Self {
        let host = host_with(&home, planner, &clock, registry);
        let events = host.events();
        host.resume_all().await.unwrap();
        Self { home, host, clock, events }
    }

    /// Creates a world with an embedder.
    pub(crate) async fn embedding(planner: Arc<dyn Planner>, embedder: Arc<dyn Embedder>) -> Self {
        let (home, clock) = (TempHome::new().unwrap(), FakeClock::default());
        let host = host_embedding(&home, planner, &clock, tools(&home), embedder);
        let events = host.events();
        Self { home, host, clock, events }
    }

    /// Closes the host, and returns the folder.
    pub(crate) async fn end(self) -> TempHome {
        self.host.close().await;
        self.home
    }

    pub(crate) fn start_command(&self) -> StartCommand {
        StartCommand {
            goal: "do it".into(),
            workspace: self.home.workspace().to_str().unwrap().to_owned(),
            profile: None,
            backend: None,
            model: None,
            session: None,
            after: None,
            scope: Scope::default(),
            max_iterations: None,
            max_wall_secs: None,
            max_tokens: None,
            max_cost_cents: None,
            standing_consent: Some(Risk::Low),
            terminal: None,
        }
    }

    pub(crate) async fn start(&self, start: StartCommand) -> TaskId {
        match self.command(HostCommand::Start(start)).await.unwrap() {
            CommandOutcome::Started(started) => started.task.id,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn command(&self, command: HostCommand) -> Result<CommandOutcome, ErrorBody> {
        self.host.command(&new_command_id(), command).await
    }

    /// Waits for an event of a kind, and skips the events before it.
    pub(crate) async fn wait<T>(&mut self, mut wanted: impl FnMut(&TaskEvent) -> Option<T>) -> T {
        loop {
            let record = self.events.recv().await.expect("the host lives").record;
            if let Some(found) = wanted(&record.event) {
                return found;
            }
        }
    }

    pub(crate) async fn ended(&mut self) -> Stopped {
        self.wait(|event| match event {
            TaskEvent::Stopped(stopped) => Some(stopped.clone()),
            _ => None,
        })
        .await
    }

    pub(crate) async fn asked(&mut self) -> Question {
        self.wait(|event| match event {
            TaskEvent::QuestionAsked(asked) => Some(asked.question.clone()),
            _ => None,
        })
        .await
    }

    pub(crate) async fn requested(&mut self) -> PermissionRequest {
        self.wait(|event| match event {
            TaskEvent::PermissionRequested(asked) => Some(asked.request.clone()),
            _ => None,
        })
        .await
    }

    /// Waits for a permission request at this risk.
    pub(crate) async fn requested_at(&mut self, risk: Risk) -> PermissionRequest {
        self.wait(|event| match event {
            TaskEvent::PermissionRequested(asked) if asked.request.risk == risk => {
                Some(asked.request.clone())
            }
            _ => None,
        })
        .await
    }

    /// Waits for the answer to a permission request.
    pub(crate) async fn answered(&mut self) -> PermissionAnswered {
        self.wait(|event| match event {
            TaskEvent::PermissionAnswered(answered) => Some(answered.clone()),
            _ => None,
        })
        .await
    }

    pub(crate) async fn answer(&self, question: &Question, text: &str) -> Result<CommandOutcome, ErrorBody> {
        let request = question.id.clone();
        self.command(HostCommand::AnswerQuestion(AnswerQuestionCommand {
            request,
            text: text.into(),
            by: None,
        }))
        .await
    }

    pub(crate) async fn decide(
        &self,
        request: &PermissionRequest,
        choice: Choice,
    ) -> Result<CommandOutcome, ErrorBody> {
        let by = Answerer::Local(LocalAnswerer { screen: "test".into() });
        let answer =
            PermissionAnswer { request: request.id.clone(), digest: request.digest.clone(), choice, by };
        self.command(HostCommand::AnswerPermission(AnswerPermissionCommand { answer })).await
    }

    pub(crate) fn events_of(&self, task: &TaskId) -> Vec<TaskEvent> {
        self.host
            .store()
            .task_events(task, 0, 100_000)
            .unwrap()
            .into_iter()
            .map(|record| record.event)
            .collect()
    }
}

pub(crate) fn host(home: &TempHome, planner: Arc<dyn Planner>, clock: &FakeClock) -> Host {
    host_with(home, planner, clock, tools(home))
}

fn tools(home: &TempHome) -> Registry {
    Registry::standard().organizing(OrganizeHome::of(&home.path(), &home.user()))
}

fn host_with(home: &TempHome, planner: Arc<dyn Planner>, clock: &FakeClock, registry: Registry) -> Host {
    host_embedding(home, planner, clock, registry, Arc::new(deputy_planner::NoEmbedder))
}

fn host_embedding(
    home: &TempHome,
    planner: Arc<dyn Planner>,
    clock: &FakeClock,
    registry: Registry,
    embedder: Arc<dyn Embedder>,
) -> Host {
    Host::new(HostParts {
        home: home.path(),
        user_home: home.user(),
        config: Config::load(&home.path()).unwrap(),
        store: Store::open(&home.path()).unwrap(),
        planner,
        embedder,
        registry,
        clock: clock.source(),
    })
}

pub(crate) fn allow_once() -> Choice {
    Choice::Allow(AllowChoice::once())
}

pub(crate) fn change(words: &str) -> Choice {
    Choice::Deny(DenyChoice { reason: words.into(), change: true })
}

pub(crate) fn deny(reason: &str) -> Choice {
    Choice::Deny(DenyChoice { reason: reason.into(), ..DenyChoice::default() })
}
