//! Tests of the review of calls that were allowed in advance: it can require that a person is asked, and nothing else.

use crate::world::{World, allow_once};
use deputy_planner::PlanError;
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, TempHome, calls, done};
use serde_json::json;
use std::sync::Arc;

fn reply(text: &str) -> Result<CompleteReply, PlanError> {
    Ok(CompleteReply {
        text: text.to_owned(),
        usage: Usage { input_tokens: 40, output_tokens: 2, ..Usage::default() },
    })
}

/// Creates a home with a reviewer that gives this answer, and a planner with these first plans.
async fn world(
    plans: impl IntoIterator<Item = AgentPlan>,
    answer: Result<CompleteReply, PlanError>,
) -> (World, Arc<ScriptedPlanner>) {
    let planner = Arc::new(ScriptedPlanner::new(plans));
    planner.complete_with(answer);
    let home = TempHome::new().unwrap();
    let config = "backend = \"openai_compatible\"\n[roles]\nreview = \"ollama/small\"\n\
                  [backends.openai_compatible]\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"first\"\n";
    std::fs::write(home.path().join("config.toml"), config).unwrap();
    (World::open(home, planner.clone()).await, planner)
}

/// Returns the plans of a task that writes a file.
fn writing() -> [AgentPlan; 2] {
    [calls([("code", json!({"action": "write", "path": "a.txt", "content": "x"}))]), done("ok")]
}

fn reviewed(world: &World, task: &TaskId) -> Vec<Reviewed> {
    let review = |event| match event {
        TaskEvent::Reviewed(reviewed) => Some(reviewed),
        _ => None,
    };
    world.events_of(task).into_iter().filter_map(review).collect()
}

#[tokio::test]
async fn a_call_that_the_review_finds_fine_runs_as_it_would_without_one() {
    let (mut world, planner) =
        world(writing(), reply("{\"ask\": false, \"reason\": \"It is the request.\"}")).await;
    let task = world.start(world.start_command()).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    let reviews = reviewed(&world, &task);
    assert_eq!((reviews.len(), reviews[0].asks), (1, false));
    assert_eq!((reviews[0].backend.as_str(), reviews[0].model.as_deref()), ("ollama", Some("small")));
    let asked = planner.completions();
    assert!(asked[0].prompt.contains("Request: do it") && asked[0].prompt.contains("a.txt"), "{asked:?}");
    assert_eq!(
        world.host.store().task(&task).unwrap().unwrap().tokens,
        2 * 110 + 42,
        "it counts as the plans do"
    );
}

#[tokio::test]
async fn a_call_that_the_review_doubts_waits_for_a_person_in_spite_of_the_consent() {
    for answer in [
        reply("{\"ask\": true, \"reason\": \"It is not what was asked for.\"}"),
        reply("It is fine, run it."),
        Err(PlanError::new(PlanErrorCode::Network, "no route")),
    ] {
        let (mut world, planner) = world(writing(), answer).await;
        let task = world.start(world.start_command()).await;
        let request = world.requested().await;
        let reasons: Vec<String> = request.reasons.iter().map(ToString::to_string).collect();
        assert!(reasons.join(" ").contains("review"), "{reasons:?}");
        world.decide(&request, allow_once()).await.unwrap();
        assert_eq!(world.ended().await.reason, StopReason::Completed);
        assert_eq!(planner.completions().len(), 1, "it is reviewed once");
        let by = world.events_of(&task).into_iter().find_map(|event| match event {
            TaskEvent::PermissionAnswered(answered) => Some(answered.by),
            _ => None,
        });
        assert!(matches!(by, Some(Answerer::Local(_))), "{by:?}");
    }
}

/// A call that a grant allows is reviewed too, and the result of the review is kept after a restart.
#[tokio::test]
async fn a_grant_does_not_answer_what_the_review_wants_a_person_for() {
    let write = |content: &str| {
        let parameters = json!({"action": "write", "path": "a.txt", "content": content});
        [calls([("code", parameters)]), done("ok")]
    };
    let plans = write("1\n").into_iter().chain(write("2\n"));
    let (mut world, planner) = world(plans, reply("{\"ask\": true, \"reason\": \"Look at it.\"}")).await;
    let start = StartCommand { standing_consent: None, ..world.start_command() };
    world.start(start.clone()).await;
    let request = world.requested().await;
    assert!(planner.completions().is_empty(), "a person is asked anyway");
    let minutes = request.offered.iter().find(|offer| matches!(offer.lifetime, Lifetime::Minutes(_)));
    let lifetime = minutes.unwrap().lifetime.clone();
    world.decide(&request, Choice::Allow(AllowChoice { lifetime, ..AllowChoice::once() })).await.unwrap();
    world.ended().await;

    world.start(start).await;
    let request = world.requested().await;
    assert!(request.reasons.iter().any(|reason| reason.contains("Look at it.")), "{:?}", request.reasons);
    let home = world.end().await;
    let mut world = World::open(home, planner.clone()).await;
    world.decide(&request, allow_once()).await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    assert_eq!(planner.completions().len(), 1);
}

/// A review may take a while. A stop does not wait for it, and the call never runs.
#[tokio::test]
async fn stop_takes_effect_while_a_review_is_made() {
    let (mut world, planner) = world(writing(), reply("{\"ask\": false}")).await;
    planner.hang_completions();
    let task = world.start(world.start_command()).await;
    while planner.completions().is_empty() {
        tokio::task::yield_now().await;
    }
    world.command(HostCommand::Stop(StopCommand { task: task.clone() })).await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::ManualStop);
    assert!(reviewed(&world, &task).is_empty());
    assert!(!world.home.workspace().join("a.txt").exists());
}
