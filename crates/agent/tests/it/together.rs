//! Tests of several calls in one plan: one request for all of them, from which single calls can be left out.

use crate::world::{World, allow_once, deny};
use deputy_protocol::ErrorCode;
use deputy_protocol::*;
use deputy_testkit::{Answer, ScriptedPlanner, calls, done};
use serde_json::{Value, json};

fn write(path: &str) -> (&'static str, Value) {
    ("code", json!({"action": "write", "path": path, "content": format!("{path}\n")}))
}

fn asking(world: &World) -> StartCommand {
    StartCommand { standing_consent: None, ..world.start_command() }
}

fn without(dropped: &[&RequestedStep]) -> Choice {
    let dropped = dropped.iter().map(|edit| edit.call.clone()).collect();
    Choice::Allow(AllowChoice { dropped, ..AllowChoice::once() })
}

fn requests(events: &[TaskEvent]) -> Vec<&PermissionRequest> {
    let mut requests = Vec::new();
    for event in events {
        if let TaskEvent::PermissionRequested(asked) = event {
            requests.push(&asked.request);
        }
    }
    requests
}

/// Checks the results that the planner gets for the calls of its last plan.
fn told(check: impl FnOnce(&[&ToolMessage]) + Send + 'static) -> Answer {
    Answer::with(move |request| {
        let tools = request.messages.iter().filter_map(|message| match message {
            Message::Tool(tool) => Some(tool),
            _ => None,
        });
        check(&tools.collect::<Vec<_>>());
        Ok(PlanReply { plan: done("Done."), usage: Usage::default() })
    })
}

#[tokio::test]
async fn all_edits_of_a_plan_are_one_request_and_one_is_left_out() {
    let planner = ScriptedPlanner::new([
        Answer::from(calls([write("a.txt"), write("b.txt"), write("sub/c.txt")])),
        told(|tools| {
            let ok: Vec<bool> = tools.iter().map(|tool| tool.ok).collect();
            assert_eq!(ok, [true, false, true]);
            assert!(tools[1].content.contains("left this one out"), "{}", tools[1].content);
        }),
    ]);
    let mut world = World::new(planner).await;
    world.home.write("sub/old.txt", "old").unwrap();
    let task = world.start(asking(&world)).await;
    let request = world.requested().await;

    assert_eq!(request.summary, "3 edits: a.txt, b.txt, sub/c.txt");
    let edits = &request.details.steps;
    assert_eq!(request.call, edits[0].call);
    assert_eq!(request.details.diff, None);
    for (edit, name) in edits.iter().zip(["a.txt", "b.txt", "sub/c.txt"]) {
        assert!(edit.path.as_ref().unwrap().ends_with(&format!("/{name}")), "{edit:?}");
        assert!(edit.diff.as_ref().unwrap().contains(&format!("+{name}")), "{edit:?}");
        assert_eq!(edit.parts.len(), 1, "{edit:?}");
    }
    assert!(edits.iter().all(|edit| edit.digest != request.digest));
    let offered: Vec<&str> = request.offered.iter().map(|offer| offer.label.as_str()).collect();
    assert!(offered.iter().any(|label| label.starts_with("Work in ")), "{offered:?}");
    assert!(!offered.iter().any(|label| label.contains("a.txt")), "{offered:?}");

    world.decide(&request, without(&[&edits[1]])).await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    assert!(world.home.read("b.txt").is_err());
    assert_eq!(world.home.read("sub/c.txt").unwrap(), "sub/c.txt\n");

    let undo = UndoCommand::all(task);
    let undone = world.command(HostCommand::Undo(undo)).await.unwrap();
    assert!(matches!(undone, CommandOutcome::Undone(undone) if undone.files.len() == 2));
    assert!(world.home.read("a.txt").is_err() && world.home.read("sub/c.txt").is_err());
}

/// An undo is one click, so it can be redone, and then undone again. What a person changed in the meantime is asked
/// about first, and is never overwritten.
#[tokio::test]
async fn an_undo_is_made_again_and_asks_about_what_a_person_changed_since() {
    let planner = ScriptedPlanner::new([
        calls([write("a.txt"), ("code", json!({"action": "write", "path": "old.txt", "content": "new\n"}))]),
        done("Done."),
    ]);
    let mut world = World::new(planner).await;
    world.home.write("old.txt", "old\n").unwrap();
    let task = world.start(world.start_command()).await;
    world.ended().await;
    let undo = || HostCommand::Undo(UndoCommand { if_whole: true, ..UndoCommand::all(task.clone()) });
    let redo = || HostCommand::Redo(RedoCommand::all(task.clone()));
    let is_undone = |world: &World| match world.host.store().task(&task).unwrap().unwrap().state {
        TaskState::Stopped(stopped) => stopped.undone,
        state => panic!("{state:?}"),
    };
    async fn sent(world: &World, command: HostCommand) -> UndoneOutcome {
        match world.command(command).await.unwrap() {
            CommandOutcome::Undone(outcome) => outcome,
            other => panic!("{other:?}"),
        }
    }

    let nothing = sent(&world, redo()).await;
    assert!(nothing.files.is_empty(), "nothing was undone yet: {nothing:?}");
    for _ in 0..2 {
        let undone = sent(&world, undo()).await;
        assert!(undone.applied && undone.files.iter().all(|file| file.restored), "{undone:?}");
        assert!(world.home.read("a.txt").is_err());
        assert_eq!(world.home.read("old.txt").unwrap(), "old\n");
        assert!(is_undone(&world));
        let redone = sent(&world, redo()).await;
        assert!(redone.files.len() == 2 && redone.files.iter().all(|file| file.restored), "{redone:?}");
        let said: Vec<&str> = redone.files.iter().map(|file| file.message.as_str()).collect();
        assert_eq!(said, ["created again", "changed again"]);
        assert_eq!(world.home.read("a.txt").unwrap(), "a.txt\n");
        assert_eq!(world.home.read("old.txt").unwrap(), "new\n");
        assert!(!is_undone(&world));
        assert!(sent(&world, redo()).await.files.is_empty(), "nothing is made twice");
    }

    world.home.write("old.txt", "mine\n").unwrap();
    let asks = sent(&world, undo()).await;
    assert!(!asks.applied && asks.files.len() == 2, "{asks:?}");
    assert_eq!(world.home.read("a.txt").unwrap(), "a.txt\n", "nothing is undone before the answer");
    let rest = sent(&world, HostCommand::Undo(UndoCommand::all(task.clone()))).await;
    assert_eq!(rest.files.iter().filter(|file| file.restored).count(), 1, "{rest:?}");
    assert_eq!(world.home.read("old.txt").unwrap(), "mine\n");
    world.home.write("a.txt", "mine too\n").unwrap();
    let kept = sent(&world, redo()).await;
    assert!(kept.files.iter().all(|file| !file.restored), "{kept:?}");
    assert_eq!(world.home.read("a.txt").unwrap(), "mine too\n");
}

#[tokio::test]
async fn what_cannot_be_shown_with_others_ends_the_request() {
    let patch = json!({"action": "patch", "path": "a.txt", "old": "a.txt", "new": "b"});
    let run = |command: &str| ("shell", json!({ "command": command }));
    let plans = [
        ("the same file again", calls([write("a.txt"), write("b.txt"), ("code", patch), write("c.txt")])),
        (
            "high risk",
            calls([write("a.txt"), write("b.txt"), write(".git/hooks/pre-commit"), write("c.txt")]),
        ),
        (
            "another reach",
            calls([write("a.txt"), run("python3 x.py"), run("curl https://example.com"), write("c.txt")]),
        ),
        ("a file as a folder", calls([write("a.txt"), write("b.txt"), write("a.txt/c")])),
        (
            "a command that keeps running",
            calls([
                write("a.txt"),
                write("b.txt"),
                ("background", json!({"action": "start", "command": "python3 x.py"})),
            ]),
        ),
        (
            "what fails anyway",
            calls([
                write("a.txt"),
                write("b.txt"),
                ("code", json!({"action": "patch", "path": "no.txt", "old": "a", "new": "b"})),
                write("c.txt"),
            ]),
        ),
    ];
    for (what, plan) in plans {
        let mut world = World::new(ScriptedPlanner::new([plan, done("Done.")])).await;
        world.start(asking(&world)).await;
        let request = world.requested().await;
        assert_eq!(request.details.steps.len(), 2, "{what}: {request:#?}");
    }
}

#[tokio::test]
async fn commands_edits_and_folders_are_one_request_and_reads_are_passed_over() {
    let plan = calls([
        write("a.txt"),
        ("search", json!({"action": "ls"})),
        ("shell", json!({"command": "python3 -c 'print(1)' > b.txt"})),
        ("code", json!({"action": "create_dir", "path": "d"})),
    ]);
    let mut world = World::new(ScriptedPlanner::new([plan, done("Done.")])).await;
    let task = world.start(asking(&world)).await;
    let request = world.requested().await;
    assert_eq!(request.summary, "3 steps: a.txt, python3 -c 'print(1)' > b.txt, Create the folder d");
    let [edit, command, folder] = request.details.steps.as_slice() else { panic!("{request:#?}") };
    assert!(edit.path.is_some() && edit.diff.is_some() && edit.command.is_none());
    assert!(command.path.is_none() && command.diff.is_none());
    assert_eq!(command.command.as_deref(), Some("python3 -c 'print(1)' > b.txt"));
    assert!(!command.parts.is_empty() && folder.command.is_none() && folder.path.is_none());
    assert_eq!((&request.details.command, request.details.parts.len()), (&None, 0));
    let labels: Vec<&str> = request.offered.iter().map(|offer| offer.label.as_str()).collect();
    assert!(labels.iter().any(|label| label.starts_with("Work in ")), "{labels:?}");
    world.decide(&request, without(&[edit])).await.unwrap();
    world.ended().await;
    assert!(world.home.read("a.txt").is_err());
    assert_eq!(world.home.read("b.txt").unwrap(), "1\n");
    assert_eq!(requests(&world.events_of(&task)).len(), 1);
}

/// What an approved call does can make the next one another one than was shown: it is asked about alone then.
#[tokio::test]
async fn a_call_that_would_do_something_else_by_then_is_asked_about_alone() {
    let outside = tempfile::tempdir().unwrap();
    let notes = outside.path().canonicalize().unwrap();
    let plan = calls([("shell", json!({"command": "python3 link.py"})), write("sub/a.txt"), write("b.txt")]);
    let mut world = World::new(ScriptedPlanner::new([plan, done("Done.")])).await;
    let link = format!("import os\nos.rmdir('sub')\nos.symlink({notes:?}, 'sub')\n");
    world.home.write("link.py", &link).unwrap();
    std::fs::create_dir(world.home.workspace().join("sub")).unwrap();
    let task = world.start(asking(&world)).await;
    let request = world.requested().await;
    assert_eq!(request.details.steps.len(), 3, "{request:#?}");
    world.decide(&request, allow_once()).await.unwrap();
    let again = world.requested().await;
    assert_eq!(again.call, request.details.steps[1].call);
    assert!(again.details.steps.is_empty() && again.risk > Risk::Low, "{again:#?}");
    world.decide(&again, deny("not there")).await.unwrap();
    world.ended().await;
    assert!(!notes.join("a.txt").exists() && world.home.read("b.txt").is_ok());
    assert_eq!(requests(&world.events_of(&task)).len(), 2);
}

#[tokio::test]
async fn an_edit_alone_is_asked_about_as_ever() {
    let mut world = World::new(ScriptedPlanner::new([calls([write("a.txt")]), done("Done.")])).await;
    world.start(asking(&world)).await;
    let request = world.requested().await;
    assert_eq!(request.details.steps, []);
    assert!(request.details.diff.is_some() && request.summary.starts_with("Write a.txt"), "{request:#?}");
    world.decide(&request, allow_once()).await.unwrap();
    world.ended().await;
}

#[tokio::test]
async fn a_no_is_a_no_to_all_and_counts_once() {
    let plan = || calls([write("a.txt"), write("b.txt"), write("c.txt"), write("d.txt")]);
    let mut world = World::new(ScriptedPlanner::new([plan(), plan(), done("Done.")])).await;
    let task = world.start(asking(&world)).await;
    for _ in 0..2 {
        let request = world.requested().await;
        assert_eq!(request.details.steps.len(), 4);
        world.decide(&request, deny("not now")).await.unwrap();
    }
    assert_eq!(world.ended().await.reason, StopReason::Denied, "no brake asks before the third no");
    let denied = |event: &&TaskEvent| matches!(event, TaskEvent::ToolFinished(end) if end.result.status == CallStatus::Denied);
    assert_eq!(world.events_of(&task).iter().filter(denied).count(), 8);
}

#[tokio::test]
async fn only_some_of_its_own_edits_can_be_left_out_and_only_once() {
    let plan = calls([write("a.txt"), write("b.txt"), write("c.txt")]);
    let mut world = World::new(ScriptedPlanner::new([plan, done("Done.")])).await;
    world.start(asking(&world)).await;
    let request = world.requested().await;
    let [a, b, c] = request.details.steps.as_slice() else { panic!("{request:#?}") };
    let stranger = RequestedStep { call: CallId::new("t1-1-1"), ..a.clone() };
    let wrong: [&[&RequestedStep]; 5] = [&[a, b, c], &[&stranger], &[a, &stranger], &[b, a], &[a, a]];
    for dropped in wrong {
        assert_eq!(world.decide(&request, without(dropped)).await.unwrap_err().code, ErrorCode::CannotDrop);
    }
    let wider = request.offered.iter().find(|offer| offer.wider).unwrap();
    let lasting =
        AllowChoice { lifetime: wider.lifetime.clone(), wider: true, dropped: vec![a.call.clone()] };
    assert_eq!(world.decide(&request, Choice::Allow(lasting)).await.unwrap_err().code, ErrorCode::CannotDrop);
    assert!(world.home.read("b.txt").is_err(), "nothing ran");
    world.decide(&request, without(&[a, c])).await.unwrap();
    world.ended().await;
    assert!(world.home.read("a.txt").is_err() && world.home.read("b.txt").is_ok());
}

#[tokio::test]
async fn a_file_that_changes_meanwhile_is_asked_about_again_and_the_others_land() {
    let plan = calls([write("a.txt"), write("b.txt"), write("c.txt")]);
    let mut world = World::new(ScriptedPlanner::new([plan, done("Done.")])).await;
    let task = world.start(asking(&world)).await;
    let request = world.requested().await;
    world.home.write("b.txt", "somebody's own\n").unwrap();
    world.decide(&request, allow_once()).await.unwrap();
    let again = world.requested().await;
    assert_eq!(again.call, request.details.steps[1].call);
    assert_eq!(again.details.steps, [], "what was allowed is not asked again");
    assert!(again.details.diff.as_ref().unwrap().contains("-somebody's own"), "{again:#?}");
    world.decide(&again, deny("keep it")).await.unwrap();
    world.ended().await;
    assert_eq!(world.home.read("b.txt").unwrap(), "somebody's own\n");
    assert_eq!(world.home.read("c.txt").unwrap(), "c.txt\n");
    assert_eq!(requests(&world.events_of(&task)).len(), 2);
}

#[tokio::test]
async fn a_consent_covers_each_by_its_own_risk() {
    for (consent, is_asked) in [(Risk::Low, true), (Risk::Medium, false)] {
        let outside = tempfile::tempdir().unwrap();
        let path = outside.path().canonicalize().unwrap().join("out.txt");
        let plan = calls([write("a.txt"), write(path.to_str().unwrap())]);
        let mut world = World::new(ScriptedPlanner::new([plan, done("Done.")])).await;
        let start = StartCommand { standing_consent: Some(consent), ..world.start_command() };
        let task = world.start(start).await;
        if is_asked {
            let request = world.requested_at(Risk::Medium).await;
            assert!(request.details.steps.is_empty(), "{request:#?}");
            world.decide(&request, deny("no")).await.unwrap();
        }
        world.ended().await;
        assert_eq!(requests(&world.events_of(&task)).len(), 2);
        assert!(world.home.read("a.txt").is_ok(), "what the consent covers does not wait for the rest");
        assert_eq!(path.exists(), !is_asked);
    }
}

#[tokio::test]
async fn a_host_that_ends_while_they_wait_leaves_them_waiting_together() {
    let plan = calls([write("a.txt"), write("b.txt")]);
    let mut world = World::new(ScriptedPlanner::new([plan])).await;
    let task = world.start(asking(&world)).await;
    let request = world.requested().await;
    let home = world.end().await;

    let mut world = World::open(home, std::sync::Arc::new(ScriptedPlanner::new([done("Done.")]))).await;
    assert_eq!(world.host.store().open_requests().unwrap(), std::slice::from_ref(&request));
    world.decide(&request, without(&[&request.details.steps[0]])).await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    assert!(world.home.read("a.txt").is_err() && world.home.read("b.txt").is_ok());
    assert_eq!(requests(&world.events_of(&task)).len(), 1);
}

#[tokio::test]
async fn an_answer_for_the_task_covers_the_edits_that_follow() {
    let plan = calls([write("a.txt"), write("b.txt")]);
    let mut world = World::new(ScriptedPlanner::new([plan, calls([write("c.txt")]), done("Done.")])).await;
    let task = world.start(asking(&world)).await;
    let request = world.requested().await;
    let is_edits = |offer: &&Offer| offer.wider && matches!(offer.lifetime, Lifetime::Task(_));
    let offer = request.offered.iter().find(is_edits).unwrap();
    let choice = AllowChoice { lifetime: offer.lifetime.clone(), wider: true, dropped: Vec::new() };
    world.decide(&request, Choice::Allow(choice)).await.unwrap();
    world.ended().await;
    assert!(world.home.read("b.txt").is_ok() && world.home.read("c.txt").is_ok());
    assert_eq!(requests(&world.events_of(&task)).len(), 1);
}
