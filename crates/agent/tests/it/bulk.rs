//! Tests of `python_inference` in the background: it runs while its task continues, reports its progress, and ends when
//! it is done, is stopped, or loses its host. Answers are kept and counted once.

use crate::world::World;
use deputy_planner::PlanError;
use deputy_protocol::*;
use deputy_testkit::{Answer, ScriptedPlanner, TempHome, calls, done};
use serde_json::{Value, json};
use std::sync::Arc;

const LOCAL: &str = "backend = \"openai_compatible\"\n[backends.openai_compatible]\nbase_url = \"http://127.0.0.1:1/v1\"\n\
                     model = \"big\"\n[roles]\ncheap = \"ollama/small\"\n";

fn answer(text: &str) -> Option<Result<CompleteReply, PlanError>> {
    let usage = Usage { input_tokens: 90, output_tokens: 10, ..Usage::default() };
    Some(Ok(CompleteReply { text: text.to_owned(), usage }))
}

fn home() -> TempHome {
    let home = TempHome::new().unwrap();
    std::fs::write(home.path().join("config.toml"), LOCAL).unwrap();
    for (name, text) in [("a", "Total: 10 EUR"), ("b", "Dear Ada"), ("c", "Total: 20 EUR")] {
        home.write(&format!("mail/{name}.txt"), text).unwrap();
    }
    home
}

/// Creates a background call.
fn bulk(more: Value) -> AgentPlan {
    let mut call = json!({"prompt": "What kind of document?", "files": ["mail/*.txt"], "labels": ["invoice", "letter"],
                          "background": true});
    call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    calls([("python_inference", call)])
}

fn kind(request: &CompleteRequest) -> Option<Result<CompleteReply, PlanError>> {
    answer(if request.prompt.contains("Total") { "invoice" } else { "letter" })
}

fn output() -> AgentPlan {
    calls([("background", json!({"action": "output", "id": "b1", "wait_secs": 60}))])
}

fn ends(world: &World, task: &TaskId) -> Vec<BackgroundEnded> {
    let ended = |event| match event {
        TaskEvent::BackgroundEnded(ended) => Some(ended),
        _ => None,
    };
    world.events_of(task).into_iter().filter_map(ended).collect()
}

fn took(world: &World, task: &TaskId) -> Vec<(u64, u64)> {
    let took = |event| match event {
        TaskEvent::Inferred(took) => Some((took.answers, took.usage.input_tokens)),
        _ => None,
    };
    world.events_of(task).into_iter().filter_map(took).collect()
}

/// Polls the output until the job has ended, then completes the task.
fn until_ended() -> Answer {
    Answer::with(|request| {
        let has_ended = request.messages.iter().any(
            |message| matches!(message, Message::User(user) if user.text.contains("b1") && user.text.contains("has ended")),
        );
        let plan = if has_ended { done("ok") } else { output() };
        Ok(PlanReply { plan, usage: Usage::default() })
    })
}

fn planning(first: AgentPlan, steps: usize) -> Arc<ScriptedPlanner> {
    let planner = ScriptedPlanner::new([first]);
    (0..steps).for_each(|_| planner.push(until_ended()));
    Arc::new(planner)
}

#[tokio::test]
async fn it_runs_while_its_task_continues_and_its_answers_are_its_output() {
    let planner = planning(bulk(json!({"csv_file": "kinds.csv"})), 20);
    planner.complete_by(kind);
    let mut world = World::open(home(), planner.clone()).await;
    let task = world.start(world.start_command()).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);

    let events = world.events_of(&task);
    let started = events.iter().find_map(|event| match event {
        TaskEvent::BackgroundStarted(started) => Some(started.clone()),
        _ => None,
    });
    assert_eq!(started.unwrap().command, "python_inference: What kind of document?");
    let ended = ends(&world, &task);
    assert_eq!((ended.len(), ended[0].why), (1, BackgroundEnd::Exited));
    assert!(ended[0].message.contains("answered about 3 of 3"), "{}", ended[0].message);
    assert!(
        ended[0].tail.contains("1 of 3\n") && ended[0].tail.contains("mail/b.txt\tletter"),
        "{}",
        ended[0].tail
    );
    let changed: Vec<&str> = ended[0].changes.iter().map(|change| change.path.as_str()).collect();
    assert!(changed.len() == 1 && changed[0].ends_with("/kinds.csv"), "{changed:?}");
    assert_eq!(world.home.read("kinds.csv").unwrap().lines().count(), 4);
    assert_eq!(took(&world, &task), [(3, 270)], "counted once");
    let told = planner.requests();
    let first = told[1].messages.iter().find_map(|message| match message {
        Message::Tool(result) if result.tool == "python_inference" => Some(result.content.clone()),
        _ => None,
    });
    assert!(first.unwrap().contains("started as b1"), "the next plan does not wait for it");
}

#[tokio::test]
async fn a_person_stops_it_and_what_was_answered_stays() {
    let planner = Arc::new(ScriptedPlanner::new([bulk(json!({}))]));
    (0..20).for_each(|_| planner.push(until_ended()));
    planner.complete_by(|request| if request.prompt.contains("20 EUR") { None } else { kind(request) });
    let mut world = World::open(home(), planner.clone()).await;
    let task = world.start(world.start_command()).await;
    while planner.completions().len() < 3 {
        tokio::task::yield_now().await;
    }
    let stop = StopBackgroundCommand { task: task.clone(), background: BackgroundId::new("b1") };
    while world.command(HostCommand::StopBackground(stop.clone())).await.is_err() {
        tokio::task::yield_now().await;
    }
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    let ended = ends(&world, &task);
    assert_eq!((ended.len(), ended[0].why), (1, BackgroundEnd::StoppedByUser));
    assert!(ended[0].tail.contains("mail/b.txt\tletter"), "{}", ended[0].tail);
    assert_eq!(took(&world, &task), [(2, 180)]);
}

#[tokio::test]
async fn it_ends_at_its_own_limit_of_tokens() {
    let planner = planning(bulk(json!({"max_tokens": 150})), 20);
    planner.complete_by(kind);
    let mut world = World::open(home(), planner.clone()).await;
    let task = world.start(world.start_command()).await;
    world.ended().await;
    let ended = ends(&world, &task);
    assert!(ended[0].message.contains("the limit of 150 tokens is reached"), "{}", ended[0].message);
    assert_eq!(took(&world, &task), [(2, 180)]);
}

/// The host shuts down while the job runs, and releases its home. After a restart the same call asks for the rest.
#[tokio::test]
async fn with_its_host_it_ends_and_the_same_call_asks_for_the_rest() {
    let first = Arc::new(ScriptedPlanner::new([bulk(json!({}))]));
    first.push(Answer::Hang);
    first.complete_by(|request| if request.prompt.contains("20 EUR") { None } else { kind(request) });
    let world = World::open(home(), first.clone()).await;
    let task = world.start(world.start_command()).await;
    while first.completions().len() < 3 || first.requests().len() < 2 {
        tokio::task::yield_now().await;
    }
    let home = world.end().await;
    let second = Arc::new(ScriptedPlanner::new(Vec::<AgentPlan>::new()));
    second.push(bulk(json!({})));
    (0..20).for_each(|_| {
        second.push(Answer::with(|request| {
            let has_ended = request.messages.iter().any(
                |message| matches!(message, Message::User(user) if user.text.contains("b2") && user.text.contains("has ended")),
            );
            let wait = calls([("background", json!({"action": "output", "id": "b2", "wait_secs": 60}))]);
            Ok(PlanReply { plan: if has_ended { done("ok") } else { wait }, usage: Usage::default() })
        }))
    });
    second.complete_by(kind);
    let mut world = World::open(home, second.clone()).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    let whys: Vec<BackgroundEnd> = ends(&world, &task).into_iter().map(|ended| ended.why).collect();
    assert_eq!(whys, [BackgroundEnd::HostRestarted, BackgroundEnd::Exited]);
    assert_eq!(second.completions().len(), 1, "only the rest is asked");
    assert_eq!(took(&world, &task), [(2, 180), (1, 90)], "each answer is counted once");
}

#[tokio::test]
async fn a_task_that_ends_ends_it() {
    let planner = Arc::new(ScriptedPlanner::new([bulk(json!({})), done("ok")]));
    planner.hang_completions();
    let mut world = World::open(home(), planner.clone()).await;
    let task = world.start(world.start_command()).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    assert_eq!(ends(&world, &task)[0].why, BackgroundEnd::TaskEnded);
}
