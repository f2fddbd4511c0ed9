//! Tests of a clock that jumps while nothing runs: waiting requests remain, expired ones stay expired, and the task
//! continues.

use crate::world::{World, allow_once};
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, calls, done};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Returns a home in which a task waits for a permission and which is not open.
async fn waiting() -> (deputy_testkit::TempHome, PermissionRequest, TaskId, i64) {
    let write = calls([("code", json!({"action": "write", "path": "a.txt", "content": "text\n"}))]);
    let mut world = World::new(ScriptedPlanner::new([write])).await;
    let start = StartCommand { standing_consent: None, ..world.start_command() };
    let task = world.start(start).await;
    let request = world.requested().await;
    let now_ms = world.clock.now_ms();
    (world.end().await, request, task, now_ms)
}

#[tokio::test]
async fn set_back_by_a_year_a_request_still_waits_and_its_answer_counts() {
    let (home, request, task, now_ms) = waiting().await;
    let mut world =
        World::open_at(home, Arc::new(ScriptedPlanner::new([done("ok")])), now_ms - YEAR.as_millis() as i64)
            .await;
    assert_eq!(world.host.store().open_requests().unwrap()[0].id, request.id);
    world.decide(&request, allow_once()).await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    assert_eq!(world.home.read("a.txt").unwrap(), "text\n");
    let records = world.host.store().task_events(&task, 0, 1_000).unwrap();
    assert!(
        records.windows(2).all(|pair| pair[0].seq < pair[1].seq),
        "the journal's order is not the clock's"
    );
    world.host.store().check_integrity().unwrap();
}

#[tokio::test]
async fn set_forward_by_a_year_a_request_is_over_and_nothing_runs() {
    let (home, request, task, now_ms) = waiting().await;
    let world =
        World::open_at(home, Arc::new(ScriptedPlanner::new([done("ok")])), now_ms + YEAR.as_millis() as i64)
            .await;
    // The expiry is noticed either when the host starts, or by this answer: an approval is too late.
    let late = world.decide(&request, allow_once()).await.unwrap_err();
    assert_eq!(late.code, ErrorCode::Expired);
    let ran = |event: &TaskEvent| matches!(event, TaskEvent::ToolStarted(_));
    assert!(!world.events_of(&task).iter().any(ran));
    assert!(!world.home.workspace().join("a.txt").exists());
    world.host.store().check_integrity().unwrap();
}
