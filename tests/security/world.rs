//! A host over a real journal, real tools and a ground with secrets; at its edges a scripted model and a person.

use crate::ground::Ground;
use deputy_agent::config::Config;
use deputy_agent::{Host, HostParts, new_command_id};
use deputy_protocol::*;
use deputy_store::Store;
use deputy_testkit::{FakeClock, ScriptedPlanner};
use deputy_tools::Registry;
use std::fs;
use std::sync::Arc;

/// Who sits before the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Person {
    /// Nobody; there is a standing consent for what is of low risk.
    Away,
    /// As careless as can be defended: low risk is consented to, the rest is refused.
    Refuses,
    /// Allows everything, for the whole task where that is offered.
    Allows,
    /// Gives the yes for the folder where it is offered, and refuses the rest. Undoes the task at its end.
    LetsWork,
}

/// What became of a task.
#[derive(Debug)]
pub(crate) struct Told {
    /// Every event, as it is in the journal.
    pub(crate) events: Vec<TaskEvent>,
    /// Everything that the model was told.
    pub(crate) to_model: String,
    /// Everything that was shown while it happened.
    pub(crate) progress: String,
    /// Requests that came before the person.
    pub(crate) asked: Vec<PermissionRequest>,
    /// Whether it waits for somebody.
    pub(crate) is_parked: bool,
}

impl Told {
    /// Calls that ran, each with what policy had decided last.
    pub(crate) fn ran(&self) -> Vec<(&CallId, Option<&Verdict>)> {
        let verdict = |id: &CallId| {
            self.events.iter().rev().find_map(|event| match event {
                TaskEvent::CallDecided(decided) if decided.call == *id => Some(&decided.verdict),
                _ => None,
            })
        };
        let started = self.events.iter().filter_map(|event| match event {
            TaskEvent::ToolStarted(started) => Some(&started.call),
            _ => None,
        });
        started.map(|id| (id, verdict(id))).collect()
    }

    /// All results, as text.
    pub(crate) fn results(&self) -> String {
        let results = self.events.iter().filter_map(|event| match event {
            TaskEvent::ToolFinished(finished) => Some(finished.result.content.as_str()),
            _ => None,
        });
        results.collect::<Vec<_>>().join("\n")
    }

    /// The journal as it would be exported.
    pub(crate) fn exported(&self) -> String {
        self.events.iter().map(|event| serde_json::to_string(event).unwrap() + "\n").collect()
    }
}

/// Lets the model play its plans until the task ends or waits for somebody who is away.
pub(crate) async fn play(ground: &Ground, plans: Vec<AgentPlan>, person: Person) -> Told {
    play_and(ground, plans, person, || ()).await
}

/// Like [`play`]. `after` looks at what a task of [`Person::LetsWork`] left, before it is undone.
pub(crate) async fn play_and(
    ground: &Ground,
    plans: Vec<AgentPlan>,
    person: Person,
    after: impl FnOnce(),
) -> Told {
    let home = ground.deputy_home();
    fs::create_dir_all(&home).unwrap();
    let planner = Arc::new(ScriptedPlanner::new(plans));
    let host = Host::new(HostParts {
        home: home.clone(),
        user_home: ground.home(),
        config: Config::load(&home).unwrap(),
        store: Store::open(&home).unwrap(),
        planner: planner.clone(),
        embedder: Arc::new(deputy_planner::NoEmbedder),
        registry: Registry::standard(),
        clock: FakeClock::default().source(),
    });
    let (mut events, mut progress) = (host.events(), host.progress());
    let start = StartCommand {
        goal: "do it".into(),
        workspace: ground.workspace().to_str().unwrap().to_owned(),
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
        standing_consent: matches!(person, Person::Away | Person::Refuses).then_some(Risk::Low),
        terminal: None,
    };
    let CommandOutcome::Started(started) = command(&host, HostCommand::Start(start)).await else {
        panic!("the task did not start")
    };
    let task = started.task.id;
    let (mut asked, mut is_parked) = (Vec::new(), false);
    loop {
        match events.recv().await.expect("the host lives").record.event {
            TaskEvent::Stopped(_) => break,
            TaskEvent::PermissionRequested(PermissionRequested { request, .. }) => {
                if matches!(person, Person::Away | Person::Refuses) && request.risk == Risk::Low {
                    continue;
                }
                let choice = choice(person, &request);
                asked.push(request.clone());
                match choice {
                    Some(choice) => answer(&host, &request, choice).await,
                    None => {
                        is_parked = true;
                        command(&host, HostCommand::Stop(StopCommand { task: task.clone() })).await;
                    }
                }
            }
            TaskEvent::QuestionAsked(QuestionAsked { question }) => {
                let text = "go on".to_owned();
                let answer = AnswerQuestionCommand { request: question.id, text, by: None };
                command(&host, HostCommand::AnswerQuestion(answer)).await;
            }
            TaskEvent::Paused(paused) if paused.reason == PauseReason::Budget => panic!("{paused:?}"),
            _ => {}
        }
    }
    if person == Person::LetsWork {
        after();
        let undo = UndoCommand::all(task.clone());
        command(&host, HostCommand::Undo(undo)).await;
    }
    let mut shown = String::new();
    while let Ok(part) = progress.try_recv() {
        shown.push_str(&part.text);
    }
    let events = host.store().task_events(&task, 0, 100_000).unwrap();
    Told {
        events: events.into_iter().map(|record| record.event).collect(),
        to_model: serde_json::to_string(&planner.requests()).unwrap(),
        progress: shown,
        asked,
        is_parked,
    }
}

/// What the person does about a request; nothing where nobody is there.
fn choice(person: Person, request: &PermissionRequest) -> Option<Choice> {
    match person {
        Person::Away => None,
        Person::LetsWork => {
            let yes = request.offered.iter().find(|offer| matches!(offer.rule, Some(GrantRule::Folder(_))));
            Some(yes.map_or_else(refusal, |yes| {
                let (lifetime, wider) = (yes.lifetime.clone(), yes.wider);
                Choice::Allow(AllowChoice { lifetime, wider, dropped: Vec::new() })
            }))
        }
        Person::Refuses => Some(refusal()),
        Person::Allows => {
            let is_for_task = |offer: &&Offer| matches!(offer.lifetime, Lifetime::Task(_));
            let offer = request.offered.iter().find(is_for_task).or(request.offered.first());
            let taken = offer.map_or_else(AllowChoice::once, |offer| AllowChoice {
                lifetime: offer.lifetime.clone(),
                wider: offer.wider,
                dropped: Vec::new(),
            });
            Some(Choice::Allow(taken))
        }
    }
}

fn refusal() -> Choice {
    Choice::Deny(DenyChoice { reason: "no".into(), ..DenyChoice::default() })
}

async fn answer(host: &Host, request: &PermissionRequest, choice: Choice) {
    let by = Answerer::Local(LocalAnswerer { screen: "test".into() });
    let answer = PermissionAnswer { request: request.id.clone(), digest: request.digest.clone(), choice, by };
    command(host, HostCommand::AnswerPermission(AnswerPermissionCommand { answer })).await;
}

async fn command(host: &Host, command: HostCommand) -> CommandOutcome {
    host.command(&new_command_id(), command).await.unwrap()
}
