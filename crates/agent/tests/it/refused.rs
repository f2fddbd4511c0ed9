//! Tests of refusals: what a person refused stays as it is for the rest of the task, whatever the task tries next.

use crate::world::{World, allow_once, deny};
use deputy_protocol::*;
use deputy_testkit::{Answer, ScriptedPlanner, TempHome, calls, done};
use serde_json::{Value, json};
use std::sync::Arc;

fn shell(command: &str) -> AgentPlan {
    calls([("shell", json!({"command": command}))])
}

fn code(parameters: Value) -> AgentPlan {
    calls([("code", parameters)])
}

/// Starts a task that removes `build`, refuses that, and returns the task. What it does next is up to its planner.
async fn refused(plans: impl IntoIterator<Item = AgentPlan>) -> (World, TaskId) {
    let plans = std::iter::once(shell("rm -r build")).chain(plans).chain([done("ok")]);
    let mut world = World::new(ScriptedPlanner::new(plans.collect::<Vec<_>>())).await;
    for name in ["build/a", "build/b", "src/a"] {
        world.home.write(name, "content\n").unwrap();
    }
    let start = StartCommand { standing_consent: None, ..world.start_command() };
    let task = world.start(start).await;
    let request = world.requested().await;
    assert_eq!(request.details.refused_at_ms, None);
    world.decide(&request, deny("keep it")).await.unwrap();
    (world, task)
}

fn is_whole(world: &World) -> bool {
    ["build/a", "build/b"].iter().all(|name| world.home.workspace().join(name).exists())
}

/// Returns the next high-risk request and allows the others. `None` if the task ends first.
async fn next_high(world: &mut World) -> Option<PermissionRequest> {
    loop {
        let asked = |event: &TaskEvent| match event {
            TaskEvent::PermissionRequested(asked) => Some(Some(asked.request.clone())),
            TaskEvent::Stopped(_) => Some(None),
            _ => None,
        };
        let request = world.wait(asked).await?;
        if request.risk > Risk::Medium {
            return Some(request);
        }
        world.decide(&request, allow_once()).await.unwrap();
    }
}

/// Returns the next high-risk request and allows the others. Panics if the task ends first.
async fn asked(world: &mut World) -> PermissionRequest {
    next_high(world).await.expect("the task asks before it ends")
}

fn says_it(request: &PermissionRequest) -> bool {
    request.reasons.iter().any(|reason| reason.contains("you refused") && reason.contains("keep it"))
}

#[tokio::test]
async fn another_way_to_the_same_end_asks_at_high_risk() {
    let write = |path: &str| code(json!({"action": "write", "path": path, "content": "new\n"}));
    for plan in [
        shell("mv build aside"),
        shell("truncate -s 0 build/a build/b"),
        shell("find build -type f -exec rm {} +"),
        shell("cd build && rm a b"),
        write("build/a"),
        write("build/new"),
        calls([(
            "organize",
            json!({"action": "submit_plan", "operations": [{"type": "trash", "path": "build"}]}),
        )]),
    ] {
        let (mut world, task) = refused([plan.clone()]).await;
        let request = asked(&mut world).await;
        assert_eq!(request.risk, Risk::High, "{plan:?}");
        assert!(says_it(&request), "{plan:?}: {request:#?}");
        assert!(request.details.refused_at_ms.is_some(), "{plan:?}");
        let is_once = |offer: &Offer| matches!(offer.lifetime, Lifetime::Once(_));
        assert!(request.offered.iter().all(is_once), "nothing is remembered: {:?}", request.offered);
        world.decide(&request, deny("")).await.unwrap();
        world.ended().await;
        assert!(is_whole(&world), "{plan:?} {:?}", world.events_of(&task));
    }
}

/// The name is nowhere in the call, so its sandbox notices the change.
#[tokio::test]
async fn a_program_that_changes_what_was_refused_asks_while_it_runs() {
    let script = "for each in b*/a; do echo x > \"$each\"; done";
    let (mut world, _) =
        refused([code(json!({"action": "write", "path": "s.sh", "content": script})), shell("bash s.sh")])
            .await;
    let request = asked(&mut world).await;
    let wanted = request.details.wanted.as_ref().expect("a running call");
    assert!(wanted.path.ends_with("/build") && request.risk == Risk::High, "{request:#?}");
    assert!(says_it(&request), "{request:#?}");
    world.decide(&request, deny("")).await.unwrap();
    world.ended().await;
    assert_eq!(std::fs::read_to_string(world.home.workspace().join("build/a")).unwrap(), "content\n");
}

#[tokio::test]
async fn reading_and_other_files_ask_no_more_than_before() {
    let (mut world, task) = refused([
        shell("cat build/a"),
        shell("ls -l build"),
        code(json!({"action": "read", "path": "build/a"})),
        code(json!({"action": "write", "path": "src/a", "content": "new\n"})),
        shell("touch src/b"),
    ])
    .await;
    assert_eq!(next_high(&mut world).await, None);
    let told = world.events_of(&task).into_iter().filter(|event| match event {
        TaskEvent::PermissionRequested(asked) => asked.request.details.refused_at_ms.is_some(),
        _ => false,
    });
    assert_eq!(told.count(), 0);
    assert!(world.home.workspace().join("src/b").exists());
}

#[tokio::test]
async fn a_later_yes_lifts_the_refusal_for_what_it_names() {
    let (mut world, _) = refused([shell("rm build/a"), shell("touch build/a"), shell("rm build/b")]).await;
    let request = asked(&mut world).await;
    world.decide(&request, allow_once()).await.unwrap();
    // The file that was allowed may be changed again, and the other may not.
    let request = asked(&mut world).await;
    assert_eq!(request.details.command.as_deref(), Some("rm build/b"));
    assert!(world.home.workspace().join("build/a").exists(), "made again without a question");
    world.decide(&request, deny("")).await.unwrap();
    world.ended().await;
    assert!(world.home.workspace().join("build/b").exists());
}

#[tokio::test]
async fn a_refused_edit_asks_at_high_risk_until_a_person_allows_one() {
    let write = |content: &str| code(json!({"action": "write", "path": "src/a", "content": content}));
    let plans = [write("1\n"), write("2\n"), write("3\n"), done("ok")];
    let mut world = World::new(ScriptedPlanner::new(plans)).await;
    world.home.write("src/a", "0\n").unwrap();
    world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let first = world.requested().await;
    world.decide(&first, deny("not like this")).await.unwrap();
    let second = world.requested().await;
    assert_eq!(second.risk, Risk::High, "{second:#?}");
    world.decide(&second, allow_once()).await.unwrap();
    let third = world.requested().await;
    assert_eq!(third.risk, Risk::Low, "the yes lifted the refusal: {third:#?}");
    world.decide(&third, allow_once()).await.unwrap();
    world.ended().await;
    assert_eq!(std::fs::read_to_string(world.home.workspace().join("src/a")).unwrap(), "3\n");
}

/// Waits for the request for a command, of a task or of its sub-task, and allows the others.
async fn request_for(world: &mut World, command: &str) -> PermissionRequest {
    loop {
        let asked = |event: &TaskEvent| match event {
            TaskEvent::PermissionRequested(asked) => Some(asked.request.clone()),
            _ => None,
        };
        let request = world.wait(asked).await;
        if request.details.command.as_deref() == Some(command) {
            return request;
        }
        world.decide(&request, allow_once()).await.unwrap();
    }
}

/// A part of a task is no way around a refusal, in either direction.
#[tokio::test]
async fn a_refusal_holds_in_sub_tasks_and_in_the_task_above() {
    let answers = |plans: Vec<AgentPlan>| plans.into_iter().map(Answer::from).collect::<Vec<_>>();
    let delegate = calls([("delegate", json!({"tasks": [{"goal": "part"}]}))]);
    for is_refused_above in [true, false] {
        let (above, below) = match is_refused_above {
            true => (
                vec![shell("rm -r build"), delegate.clone(), done("ok")],
                vec![shell("mv build aside"), done("ok")],
            ),
            false => (
                vec![delegate.clone(), shell("mv build aside"), done("ok")],
                vec![shell("rm -r build"), done("ok")],
            ),
        };
        let planner = ScriptedPlanner::by_goal(vec![("do it", answers(above)), ("part", answers(below))]);
        let mut world = World::open(TempHome::new().unwrap(), Arc::new(planner)).await;
        world.home.write("build/a", "content\n").unwrap();
        world.home.write("build/b", "content\n").unwrap();
        world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
        let request = request_for(&mut world, "rm -r build").await;
        world.decide(&request, deny("keep it")).await.unwrap();
        let request = request_for(&mut world, "mv build aside").await;
        assert_eq!(request.risk, Risk::High);
        assert!(says_it(&request), "{request:#?}");
        world.decide(&request, deny("")).await.unwrap();
        world.ended().await;
        assert!(is_whole(&world));
    }
}

#[tokio::test]
async fn another_task_starts_without_refusals() {
    let plans = [shell("touch build/a"), done("ok"), shell("touch build/b"), done("ok")];
    let mut world = World::new(ScriptedPlanner::new(plans)).await;
    world.home.write("build/a", "content\n").unwrap();
    let start = || StartCommand { standing_consent: None, ..world.start_command() };
    let (first, second) = (start(), start());
    world.start(first).await;
    let request = world.requested().await;
    world.decide(&request, deny("")).await.unwrap();
    world.ended().await;
    world.start(second).await;
    let request = world.requested().await;
    assert_eq!((request.risk, request.details.refused_at_ms), (Risk::Medium, None), "{request:#?}");
}
