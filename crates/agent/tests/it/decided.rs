//! Tests that a decision is journalled once, and again only if it has changed.

use crate::world::{World, allow_once, deny};
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, calls, done};
use serde_json::json;

fn write() -> AgentPlan {
    calls([("code", json!({"action": "write", "path": "a.txt", "content": "b\n"}))])
}

async fn start(world: &World) -> TaskId {
    world.start(StartCommand { standing_consent: None, ..world.start_command() }).await
}

/// Returns the digests of a task's journalled decisions.
fn decided(world: &World, task: &TaskId) -> Vec<Digest> {
    let digests = world.events_of(task).into_iter().filter_map(|event| match event {
        TaskEvent::CallDecided(decided) => Some(decided.digest),
        _ => None,
    });
    digests.collect()
}

/// Regression test: a second, equal event suggested a change.
#[tokio::test]
async fn a_call_that_asks_is_decided_once() {
    let mut world = World::new(ScriptedPlanner::new([write(), done("ok")])).await;
    world.home.write("a.txt", "a\n").unwrap();
    let task = start(&world).await;
    let request = world.requested().await;
    world.decide(&request, allow_once()).await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    assert_eq!(decided(&world, &task), [request.digest]);
    assert_eq!(world.home.read("a.txt").unwrap(), "b\n");
}

#[tokio::test]
async fn a_call_whose_file_changed_after_the_answer_is_decided_and_asked_once_more() {
    let mut world = World::new(ScriptedPlanner::new([write(), done("ok")])).await;
    world.home.write("a.txt", "a\n").unwrap();
    let task = start(&world).await;
    let first = world.requested().await;
    world.home.write("a.txt", "c\n").unwrap();
    world.decide(&first, allow_once()).await.unwrap();
    let second = world.requested().await;
    assert_ne!(first.digest, second.digest);
    world.decide(&second, deny("no")).await.unwrap();
    world.ended().await;
    assert_eq!(decided(&world, &task), [first.digest, second.digest]);
    assert_eq!(world.home.read("a.txt").unwrap(), "c\n");
}

#[tokio::test]
async fn a_call_that_changed_while_it_waited_for_its_turn_is_decided_once_more_and_asked() {
    let mut world = World::new(ScriptedPlanner::new([write(), write(), done("ok"), done("ok")])).await;
    world.home.write("a.txt", "a\n").unwrap();
    let first = start(&world).await;
    let request = world.requested().await;
    let second = start(&world).await;
    world.wait(|event| matches!(event, TaskEvent::Paused(_)).then_some(())).await;
    assert_eq!(decided(&world, &second), std::slice::from_ref(&request.digest));
    world.home.write("a.txt", "c\n").unwrap();
    // The answer was about another change, so both ask again, in any order.
    world.decide(&request, allow_once()).await.unwrap();
    let changed = world.requested().await;
    let mut open = Some(changed.clone());
    for _ in [&first, &second] {
        loop {
            if let Some(request) = open.take() {
                // If a denial counted for both, the other request is closed already.
                drop(world.decide(&request, deny("no")).await);
            }
            let event = world
                .wait(|event| match event {
                    TaskEvent::PermissionRequested(asked) => Some(Some(asked.request.clone())),
                    TaskEvent::Stopped(_) => Some(None),
                    _ => None,
                })
                .await;
            match event {
                Some(request) => open = Some(request),
                None => break,
            }
        }
    }
    for task in [&first, &second] {
        assert_eq!(decided(&world, task), [request.digest.clone(), changed.digest.clone()], "{task}");
    }
}
