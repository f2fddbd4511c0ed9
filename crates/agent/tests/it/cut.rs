//! Tests that truncate the journal of a whole task after every event: the task resumes and ends normally, no mutating
//! call runs twice, and none is lost.

use crate::world::World;
use deputy_protocol::*;
use deputy_store::Store;
use deputy_testkit::{Answer, ScriptedPlanner, TempHome, calls, done};
use serde_json::json;
use std::sync::Arc;

/// Returns the plan of each iteration, which depends only on the conversation, as with a real model.
fn plan_for(request: &PlanRequest) -> AgentPlan {
    let steps = request.messages.iter().filter(|m| matches!(m, Message::Assistant(_))).count();
    match steps {
        0 => {
            calls([("search", json!({"action": "ls"})), ("code", json!({"action": "read", "path": "a.txt"}))])
        }
        1 => calls([("code", json!({"action": "write", "path": "out.txt", "content": "one\n"}))]),
        // Two edits, which are approved together.
        2 => calls([
            ("code", json!({"action": "patch", "path": "out.txt", "old": "one\n", "new": "one\ntwo\n"})),
            ("code", json!({"action": "write", "path": "beside.txt", "content": "beside\n"})),
        ]),
        3 => calls([("shell", json!({"command": "echo line >> log.txt"}))]),
        _ => done("All done."),
    }
}

fn planner() -> ScriptedPlanner {
    let answer =
        || Answer::with(|request| Ok(PlanReply { plan: plan_for(request), usage: Usage::default() }));
    ScriptedPlanner::new((0..20).map(|_| answer()))
}

/// Runs the whole task once, and returns its events.
async fn whole_life() -> (Vec<TaskEvent>, String) {
    let mut world = World::new(planner()).await;
    world.home.write("a.txt", "content").unwrap();
    let start = StartCommand { standing_consent: Some(Risk::High), ..world.start_command() };
    let task = world.start(start).await;
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    assert_eq!(world.home.read("log.txt").unwrap(), "line\n");
    (world.events_of(&task), world.home.read("out.txt").unwrap())
}

/// Restores the disk to its state right after the last of the events: the effects of finished calls, and nothing else.
fn replay_disk(home: &TempHome, events: &[TaskEvent]) {
    home.write("a.txt", "content").unwrap();
    let mut plans: Vec<&ToolCall> = Vec::new();
    for event in events {
        match event {
            TaskEvent::Planned(planned) => plans.extend(&planned.plan.tool_calls),
            TaskEvent::ToolFinished(finished) if finished.result.status == CallStatus::Ok => {
                let call = plans.iter().find(|call| call.id == finished.call).unwrap();
                match (call.tool.as_str(), call.parameters["action"].as_str()) {
                    ("code", Some("write")) => {
                        let [path, content] = ["path", "content"].map(|name| call.parameters[name].as_str());
                        home.write(path.unwrap(), content.unwrap()).unwrap();
                    }
                    ("code", Some("patch")) => drop(home.write("out.txt", "one\ntwo\n").unwrap()),
                    ("shell", _) => drop(home.write("log.txt", "line\n").unwrap()),
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

/// Moves the events to the workspace of another home.
fn moved_to(events: &[TaskEvent], home: &TempHome) -> Vec<TaskEvent> {
    let workspace = home.workspace().canonicalize().unwrap();
    let mut events = events.to_vec();
    let mut old = String::new();
    for event in &mut events {
        if let TaskEvent::Created(created) = event {
            old = std::mem::replace(&mut created.spec.workspace, workspace.to_str().unwrap().to_owned());
        }
    }
    let text = serde_json::to_string(&events).unwrap().replace(&old, workspace.to_str().unwrap());
    serde_json::from_str(&text).unwrap()
}

#[tokio::test]
async fn cut_after_every_event_and_taken_up_again() {
    let (events, expected) = whole_life().await;
    assert!(events.len() > 20, "{events:#?}");
    let together = |event: &TaskEvent| matches!(event, TaskEvent::PermissionRequested(asked) if asked.request.details.steps.len() == 2);
    assert!(events.iter().any(together), "{events:#?}");
    // A fifth of the cuts, unless tests run at full length.
    let step = if deputy_testkit::is_full() { 1 } else { 5 };
    let first = 1 + deputy_testkit::seed() as usize % step;
    for cut in (first..events.len()).step_by(step) {
        let home = TempHome::new().unwrap();
        let left = moved_to(&events[..cut], &home);
        replay_disk(&home, &left);
        let TaskEvent::Created(created) = &left[0] else { panic!() };
        let task = created.spec.id.clone();
        {
            let store = Store::open(&home.path()).unwrap();
            store.append(&task, 1, left.clone()).await.unwrap();
        }
        let mut world = World::open(home, Arc::new(planner())).await;
        let last = &events[cut - 1];
        loop {
            // A shell command that may have run is asked about, and never repeated automatically.
            let next = world
                .wait(|event| match event {
                    TaskEvent::Stopped(stopped) => Some(Ok(stopped.clone())),
                    TaskEvent::QuestionAsked(asked) => Some(Err(asked.question.clone())),
                    TaskEvent::PermissionRequested(asked) if asked.request.risk == Risk::High => None,
                    _ => None,
                })
                .await;
            match next {
                Ok(stopped) => {
                    assert_eq!(stopped.reason, StopReason::Completed, "cut after {last:?}");
                    break;
                }
                Err(question) => {
                    assert!(question.text.contains("may or may not have happened"), "{}", question.text);
                    // A command starts only after the snapshot of what it could change.
                    assert!(matches!(last, TaskEvent::TreeKept(_)), "asked after {last:?}");
                    world.answer(&question, "go on").await.unwrap();
                }
            }
        }
        assert_eq!(world.home.read("out.txt").unwrap(), expected, "cut after {last:?}");
        assert_eq!(world.home.read("beside.txt").unwrap(), "beside\n", "cut after {last:?}");
        let log = world.home.read("log.txt").unwrap_or_default();
        assert!(log == "line\n" || log.is_empty(), "ran twice after a cut behind {last:?}: {log:?}");

        // Every call in the journal has ended, and a mutating call started at most once without its outcome being
        // examined.
        let all = world.events_of(&task);
        for event in &all {
            let TaskEvent::Planned(planned) = event else { continue };
            for call in &planned.plan.tool_calls {
                let ended = all.iter().any(|e| matches!(e, TaskEvent::ToolFinished(f) if f.call == call.id));
                assert!(ended, "{} was lost after a cut behind {last:?}", call.id);
            }
        }
    }
}
