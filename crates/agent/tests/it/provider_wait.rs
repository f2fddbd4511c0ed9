//! Tests of a provider that names the time from which it accepts requests again: the task waits for it without a slot,
//! across restarts, and then asks once.

use crate::world::World;
use deputy_planner::PlanError;
use deputy_protocol::*;
use deputy_testkit::{Answer, ScriptedPlanner};
use std::sync::Arc;
use std::time::Duration;

const HOUR: f64 = 3_600.0;

/// Returns the answer of a provider that asks to wait.
fn later(code: PlanErrorCode, secs: f64) -> Answer {
    Answer::Error(PlanError {
        code,
        message: "too many requests".into(),
        retry_after_secs: Some(secs),
        usage: None,
    })
}

fn done(summary: &str) -> Answer {
    deputy_testkit::done(summary).into()
}

fn limited(secs: f64) -> Answer {
    later(PlanErrorCode::RateLimited, secs)
}

impl World {
    /// Returns a world in which a task waits for its provider, and the task.
    async fn awaiting(
        planner: &Arc<ScriptedPlanner>,
        start: impl FnOnce(&mut StartCommand),
    ) -> (Self, TaskId) {
        let mut world = Self::open(deputy_testkit::TempHome::new().unwrap(), planner.clone()).await;
        let mut command = world.start_command();
        start(&mut command);
        let task = world.start(command).await;
        world.waits().await;
        (world, task)
    }

    /// Waits until a task waits for its provider.
    async fn waits(&mut self) -> ProviderWait {
        self.wait(|event| match event {
            TaskEvent::PlanFailed(failed) => failed.wait.clone(),
            _ => None,
        })
        .await
    }

    fn state_of(&self, task: &TaskId) -> TaskState {
        self.host.store().task(task).unwrap().unwrap().state
    }

    async fn resume(&self, task: &TaskId) {
        self.command(HostCommand::Resume(ResumeCommand { task: task.clone() })).await.unwrap();
    }
}

fn planner(answers: impl IntoIterator<Item = Answer>) -> Arc<ScriptedPlanner> {
    Arc::new(ScriptedPlanner::new(answers))
}

#[tokio::test]
async fn a_task_waits_without_a_slot_and_across_restarts_and_asks_once_at_the_time() {
    for code in [PlanErrorCode::RateLimited, PlanErrorCode::Network] {
        let first = planner([later(code, HOUR), done("second")]);
        let (mut world, task) = World::awaiting(&first, |_| ()).await;
        let begun_ms = world.clock.now_ms();
        let until_ms = begun_ms + 3_600_000;
        let waits = TaskState::AwaitingProvider(AwaitingProviderTask {
            until_ms,
            backend: "offline".into(),
            iteration: 1,
        });
        assert_eq!(world.state_of(&task), waits);
        // Its slot is free.
        let second = world.start(world.start_command()).await;
        world.ended().await;
        assert!(matches!(world.state_of(&second), TaskState::Stopped(_)));
        assert!(world.host.is_busy().unwrap(), "the host lives on for the task that waits");

        let before = planner([done("too early")]);
        let world = World::open_at(world.end().await, before.clone(), until_ms - 1_000).await;
        assert_eq!(world.state_of(&task), waits);
        let home = world.end().await;
        assert_eq!(before.requests().len(), 0);

        let after = planner([done("in time")]);
        let mut world = World::open_at(home, after.clone(), until_ms).await;
        assert_eq!(world.ended().await.summary.to_string(), "in time");
        assert_eq!(after.requests().len(), 1);
        let events = world.events_of(&task);
        assert!(!events.iter().any(|event| matches!(event, TaskEvent::Interrupted(_))));
    }
}

#[tokio::test]
async fn the_time_passes_while_the_host_runs_and_the_provider_may_ask_again() {
    let planner = planner([limited(90.0), limited(600.0), done("in the end")]);
    let (mut world, task) = World::awaiting(&planner, |_| ()).await;
    let steer = |text: &str| HostCommand::Steer(SteerCommand { task: task.clone(), text: text.into() });
    // An instruction is no reason to ask earlier.
    world.command(steer("be brief")).await.unwrap();
    assert!(matches!(world.state_of(&task), TaskState::AwaitingProvider(_)));
    world.clock.advance(Duration::from_secs(91));
    world.command(steer("in German")).await.unwrap();
    assert_eq!(world.waits().await.until_ms, world.clock.now_ms() + 600_000);
    assert_eq!(planner.requests().len(), 2);
    world.clock.advance(Duration::from_secs(601));
    world.command(steer("please")).await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    assert_eq!(planner.requests().len(), 3);
}

#[tokio::test]
async fn a_person_can_let_the_task_continue_now() {
    let planner = planner([limited(HOUR), done("now")]);
    let (mut world, task) = World::awaiting(&planner, |_| ()).await;
    world.resume(&task).await;
    assert_eq!(world.ended().await.summary.to_string(), "now");
}

#[tokio::test]
async fn a_pause_a_stop_and_another_model_end_the_wait() {
    let asked = planner([limited(HOUR), limited(HOUR), limited(HOUR), done("another model")]);
    let (mut world, task) = World::awaiting(&asked, |_| ()).await;
    world.command(HostCommand::Pause(PauseCommand { task: task.clone() })).await.unwrap();
    assert!(matches!(world.state_of(&task), TaskState::Paused(_)));
    world.resume(&task).await;
    world.waits().await;
    world.command(HostCommand::Stop(StopCommand { task: task.clone() })).await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::ManualStop);

    let task = world.start(world.start_command()).await;
    world.waits().await;
    let (backend, model) = (Some("ollama".to_owned()), Some("qwen3".to_owned()));
    world.command(HostCommand::SwitchModel(SwitchModelCommand { task, backend, model })).await.unwrap();
    assert_eq!(world.ended().await.summary.to_string(), "another model");
}

#[tokio::test]
async fn the_wait_counts_for_no_limit_of_time() {
    let first = planner([limited(HOUR)]);
    let (world, task) = World::awaiting(&first, |start| start.max_wall_secs = Some(30)).await;
    let at_ms = world.clock.now_ms() + 3_600_000;
    let mut world = World::open_at(world.end().await, planner([done("in time")]), at_ms).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    assert!(!world.events_of(&task).iter().any(|event| matches!(event, TaskEvent::Paused(_))));
}

#[tokio::test]
async fn a_time_in_the_past_counts_as_now_and_more_than_a_day_asks_the_person() {
    let planner = planner([limited(0.0), limited(25.0 * HOUR), done("asked")]);
    let mut world = World::open(deputy_testkit::TempHome::new().unwrap(), planner.clone()).await;
    world.start(world.start_command()).await;
    let question = world.asked().await;
    assert!(question.text.to_string().contains("25 hours"), "{}", question.text);
    assert_eq!(planner.requests().len(), 2);
    world.answer(&question, "continue").await.unwrap();
    assert_eq!(world.ended().await.summary.to_string(), "asked");
}
