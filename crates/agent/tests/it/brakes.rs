//! Tests of brakes and limits: a task that repeats itself or is too expensive asks its user.

use crate::world::{World, deny};
use deputy_protocol::*;
use deputy_testkit::{Answer, ScriptedPlanner, calls, done};
use serde_json::json;

fn list() -> AgentPlan {
    calls([("search", json!({"action": "ls"}))])
}

#[tokio::test]
async fn the_same_call_three_times_asks() {
    let mut world = World::new(ScriptedPlanner::new([list(), list(), list(), list(), done("ok")])).await;
    let task = world.start(world.start_command()).await;
    let asked = world.asked().await;
    assert!(asked.text.contains("3 times in a row"), "{}", asked.text);
    let ran = world.events_of(&task).iter().filter(|e| matches!(e, TaskEvent::ToolFinished(_))).count();
    assert_eq!(ran, 3);
    world.answer(&asked, "go on").await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::Completed, "counting begins anew");
}

#[tokio::test]
async fn the_same_failure_three_times_asks_although_others_come_between() {
    let read = || calls([("code", json!({"action": "read", "path": "missing"}))]);
    let mut world = World::new(ScriptedPlanner::new([read(), list(), read(), list(), read()])).await;
    world.start(world.start_command()).await;
    let asked = world.asked().await;
    assert!(asked.text.contains("failed 3 times"), "{}", asked.text);
    world.answer(&asked, "stop").await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::ManualStop);
}

#[tokio::test]
async fn three_denials_in_a_row_ask() {
    let write =
        |n: u32| calls([("code", json!({"action": "write", "path": format!("{n}.txt"), "content": "x"}))]);
    let mut world = World::new(ScriptedPlanner::new([write(1), write(2), write(3)])).await;
    world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    for _ in 0..3 {
        let request = world.requested().await;
        world.decide(&request, deny("")).await.unwrap();
    }
    let asked = world.asked().await;
    assert!(asked.text.contains("3 calls in a row were denied"), "{}", asked.text);
    world.answer(&asked, "STOP").await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::ManualStop);
}

#[tokio::test]
async fn the_limit_of_iterations_stops() {
    let plan = |n: u32| calls([("search", json!({"action": "find", "pattern": format!("{n}*")}))]);
    let mut world = World::new(ScriptedPlanner::new([plan(1), plan(2), plan(3)])).await;
    world.start(StartCommand { max_iterations: Some(2), ..world.start_command() }).await;
    let end = world.ended().await;
    assert_eq!(end.reason, StopReason::IterationLimit);
    assert!(
        end.summary.contains("2 iterations") && end.summary.contains("--max-iterations"),
        "{}",
        end.summary
    );
}

#[tokio::test]
async fn a_task_of_its_own_limits_parks_by_them() {
    let expensive = |plan: AgentPlan| {
        Answer::Reply(PlanReply {
            plan,
            usage: Usage { input_tokens: 900, output_tokens: 200, ..Usage::default() },
        })
    };
    let find = |n: u32| calls([("search", json!({"action": "find", "pattern": format!("{n}*")}))]);
    let mut world = World::new(ScriptedPlanner::new([expensive(find(1)), expensive(find(2))])).await;
    let start = StartCommand { max_tokens: Some(1000), max_wall_secs: Some(60), ..world.start_command() };
    world.start(start).await;
    let reason = world.wait(|event| match event {
        TaskEvent::Paused(paused) => Some(paused.reason),
        _ => None,
    });
    assert_eq!(reason.await, PauseReason::Budget);
}

#[tokio::test]
async fn tokens_used_up_park_the_task_until_more_are_allowed() {
    let expensive = |plan: AgentPlan| {
        Answer::Reply(PlanReply {
            plan,
            usage: Usage { input_tokens: 900, output_tokens: 200, ..Usage::default() },
        })
    };
    let find = |n: u32| calls([("search", json!({"action": "find", "pattern": format!("{n}*")}))]);
    let planner = ScriptedPlanner::new([expensive(find(1)), expensive(find(2)), expensive(done("ok"))]);
    let home = deputy_testkit::TempHome::new().unwrap();
    std::fs::write(home.path().join("config.toml"), "[limits]\nmax_tokens = 1000\n").unwrap();
    let mut world = World::open(home, std::sync::Arc::new(planner)).await;
    let task = world.start(world.start_command()).await;
    for _ in 0..2 {
        let message = world
            .wait(|event| match event {
                TaskEvent::Paused(paused) => Some((paused.reason, paused.message.clone())),
                _ => None,
            })
            .await;
        assert_eq!(message.0, PauseReason::Budget);
        assert!(message.1.contains("has used"), "{}", message.1);
        world.command(HostCommand::Resume(ResumeCommand { task: task.clone() })).await.unwrap();
    }
    assert_eq!(world.ended().await.reason, StopReason::Completed);
}
