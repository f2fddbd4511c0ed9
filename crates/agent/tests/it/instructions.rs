//! Tests of what a person does in the middle of a plan: an instruction ends the plan with what has begun, and an undo is
//! told to the planner.

use crate::world::{World, allow_once};
use deputy_protocol::*;
use deputy_testkit::{Answer, ScriptedPlanner, calls, done, question};
use serde_json::json;
use std::sync::{Arc, Mutex};

/// An answer that completes the task and keeps the request that it answers.
fn ending(seen: &Arc<Mutex<Vec<Message>>>) -> Answer {
    let seen = seen.clone();
    Answer::with(move |request| {
        *seen.lock().unwrap() = request.messages.iter().cloned().collect();
        Ok(PlanReply { plan: done("Done."), usage: Usage::default() })
    })
}

fn write(path: &str) -> (&'static str, serde_json::Value) {
    ("code", json!({"action": "write", "path": path, "content": "text\n"}))
}

fn results(messages: &[Message]) -> Vec<&str> {
    fn result(message: &Message) -> Option<&str> {
        match message {
            Message::Tool(tool) => Some(&tool.content),
            _ => None,
        }
    }
    messages.iter().filter_map(result).collect()
}

fn last_words(messages: &[Message]) -> &str {
    match messages.last() {
        Some(Message::User(user)) => &user.text,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_instruction_withdraws_the_request_and_nothing_that_has_not_begun_runs() {
    let seen = Arc::default();
    let read = ("code", json!({"action": "read", "path": "a.txt"}));
    let shell = ("shell", json!({"command": "touch made"}));
    let planner = ScriptedPlanner::new([calls([read, shell, write("b.txt")]).into(), ending(&seen)]);
    let mut world = World::new(planner).await;
    world.home.write("a.txt", "here\n").unwrap();
    let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    let request = world.requested().await;
    let steer = SteerCommand { task: task.clone(), text: "Only look.".into() };
    world.command(HostCommand::Steer(steer)).await.unwrap();
    let answered = world.answered().await;
    assert!(matches!(answered.by, Answerer::Instruction(_)), "{:?}", answered.by);
    world.ended().await;

    let late = world.decide(&request, allow_once()).await.unwrap_err();
    assert_eq!(late.code, ErrorCode::AlreadyAnswered, "{late:?}");
    let messages = seen.lock().unwrap();
    let results = results(&messages);
    assert!(results[0].contains("here"), "{results:?}");
    assert!(results[1..].iter().all(|result| result.contains("not run: the user added an instruction")));
    assert_eq!((results.len(), last_words(&messages)), (3, "Only look."));
    assert!(!world.home.workspace().join("made").exists() && !world.home.workspace().join("b.txt").exists());
}

#[tokio::test]
async fn an_instruction_before_a_restart_counts_after_it() {
    let planner = ScriptedPlanner::new([calls([("shell", json!({"command": "touch made"}))])]);
    let mut world = World::new(planner).await;
    let task = world.start(StartCommand { standing_consent: None, ..world.start_command() }).await;
    world.requested().await;
    let home = world.end().await;
    {
        // Another process, which only records.
        let clock = deputy_testkit::FakeClock::default();
        let host = crate::world::host(&home, Arc::new(ScriptedPlanner::new::<Answer>([])), &clock);
        let steer = SteerCommand { task: task.clone(), text: "Stop that.".into() };
        host.command(&deputy_agent::new_command_id(), HostCommand::Steer(steer)).await.unwrap();
        host.close().await;
    }
    let seen = Arc::default();
    let mut world = World::open(home, Arc::new(ScriptedPlanner::new([ending(&seen)]))).await;
    world.ended().await;
    let messages = seen.lock().unwrap();
    assert!(results(&messages)[0].contains("not run"), "{messages:?}");
    assert_eq!(last_words(&messages), "Stop that.");
}

#[tokio::test]
async fn an_undo_while_the_task_waits_is_told_to_it() {
    let seen = Arc::default();
    let planner =
        ScriptedPlanner::new([calls([write("a.txt")]).into(), question("Go on?").into(), ending(&seen)]);
    let mut world = World::new(planner).await;
    let task = world.start(world.start_command()).await;
    let asked = world.asked().await;
    let undo = UndoCommand { task, call: None, dry_run: false, if_whole: false, files_only: false };
    world.command(HostCommand::Undo(undo)).await.unwrap();
    world.answer(&asked, "yes").await.unwrap();
    world.ended().await;
    let messages = seen.lock().unwrap();
    let is_told = messages.iter().any(|message| match message {
        Message::User(user) => user.text.contains("The user undid") && user.text.contains("a.txt"),
        _ => false,
    });
    assert!(is_told, "{messages:?}");
}
