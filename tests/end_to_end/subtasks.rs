//! Sub-tasks through the built host: killed while they work, at every commit of the journal, stopped, undone, and shown.

use crate::crashes::only;
use crate::hosts::serve;
use crate::support::{World, ask, questions, requests, results, stopped, write};
use crate::terminal::Person;
use deputy_protocol::*;
use deputy_testkit::{CrashPoint, Fate, Finished, Script, Turn, run_to};
use rustix::process::Signal;
use serde_json::json;

const GOAL: &str = "Split the work";

fn hand_over(goals: &[&str]) -> Turn {
    let tasks: Vec<_> = goals.iter().map(|goal| json!({ "goal": goal })).collect();
    Turn::call("delegate", json!({ "tasks": tasks }))
}

/// All tasks that the host knows.
fn tasks(world: &World) -> Vec<TaskSummary> {
    let listed = world.json(&["tasks"]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
    listed.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn has_ended(task: &TaskSummary) -> bool {
    matches!(task.state, TaskState::Stopped(_))
}

/// Waits until something waits for an answer.
fn asked(world: &World) -> PermissionRequest {
    loop {
        if let AgentState::Active(active) = world.state()
            && let Some(request) = active.requests.into_iter().next()
        {
            return request;
        }
    }
}

#[test]
fn killed_while_sub_tasks_work_a_host_takes_all_of_them_up_again() {
    let slow = serde_json::from_value(
        json!({"type": "slow", "ms_per_chunk": 100, "text": "One two three four five."}),
    );
    let world = World::of(Script::conversations([
        (GOAL, vec![hand_over(&["Write part one", "Say part two"]), Turn::text("Both are done.")]),
        ("Write part one", vec![write("one.txt", "1\n"), Turn::text("Wrote one.")]),
        ("Say part two", vec![slow.unwrap()]),
    ]));
    let host = serve(&world);
    let run = world.json(&["run", GOAL, "--detach"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let request = asked(&world);
    assert!(world.model.wait_for_requests(3));
    host.signal(Signal::KILL).unwrap();
    assert_eq!(host.wait().unwrap(), None);

    let host = serve(&world);
    let all = tasks(&world);
    assert_eq!(
        all.iter().map(|task| task.goal.as_str()).collect::<Vec<_>>(),
        [GOAL, "Write part one", "Say part two"]
    );
    let parent = &all[0];
    assert!(all[1..].iter().all(|part| part.parent.as_ref().is_some_and(|by| by.task == parent.id)));
    let shown = world.say(&["tasks"]).stdout;
    assert!(
        shown.contains("waiting for its sub-tasks")
            && shown.contains(&format!("\n    {}", &all[1].id.as_str()[..5])),
        "{shown}"
    );
    assert_eq!(asked(&world).id, request.id, "it still asks, and once");
    assert_eq!(world.say(&["approve", request.id.as_str()]).code, Some(0));
    let end = world.json(&["follow", "last"]);
    assert_eq!(end.code, Some(0), "{end:?}");
    let events = end.events().unwrap();
    assert_eq!(stopped(&events).summary, "Both are done.");
    let results = results(&events);
    assert_eq!(results.len(), 1, "{results:?}");
    assert!(results[0].status == CallStatus::Ok && results[0].content.contains("Wrote one."), "{results:?}");
    assert_eq!(tasks(&world).len(), 3, "none was handed over twice");

    let story = world.say(&["show", "last"]).stdout;
    assert!(story.contains("Sub-tasks ended") && story.contains("Write part one"), "{story}");
    assert_eq!(world.say(&["undo", "last"]).code, Some(0));
    assert!(world.home.read("one.txt").is_err(), "undo reaches through");
    drop(host);
}

#[test]
fn stop_reaches_sub_tasks_that_hang_and_ask() {
    let hang = || vec![Turn::Hang(Default::default())];
    let world = World::of(Script::conversations([
        (GOAL, vec![hand_over(&["Write part one", "Hang in part two"])]),
        ("Write part one", vec![write("one.txt", "1\n")]),
        ("Hang in part two", hang()),
    ]));
    let host = serve(&world);
    assert_eq!(world.json(&["run", GOAL, "--detach"]).code, Some(0));
    asked(&world);
    assert!(world.model.wait_for_requests(3));
    assert_eq!(world.say(&["stop", "last"]).code, Some(0));
    let end = world.json(&["follow", "last"]);
    assert_eq!(stopped(&end.events().unwrap()).reason, StopReason::ManualStop, "{end:?}");
    assert!(tasks(&world).iter().all(has_ended), "{:?}", tasks(&world));
    assert!(world.home.read("one.txt").is_err());
    assert_eq!(world.state(), AgentState::Idle(Default::default()), "nothing waits any more");
    drop(host);
}

/// Two sub-tasks that write.
fn world() -> World {
    World::of(Script::conversations([
        (GOAL, vec![hand_over(&["Write part one", "Write part two"]), Turn::text("All done.")]),
        ("Write part one", vec![write("one.txt", "1\n"), Turn::text("Wrote one.")]),
        ("Write part two", vec![write("two.txt", "2\n"), Turn::text("Wrote two.")]),
    ]))
}

const RUN: [&str; 4] = ["run", GOAL, "--yes", "medium"];

/// Kills the first process at the point, lets others finish, and checks what must hold.
fn play(point: CrashPoint) -> std::io::Result<Fate> {
    let world = world();
    let mut first = world.home.deputy()?;
    first.arg("--json").args(RUN);
    let fate = run_to(point, first)?;
    let mut end = world.json(&["follow", "last"]);
    // Where nothing of it was written down, it is handed over again.
    if end.code == Some(1) && end.error().is_ok_and(|error| error.code == ErrorCode::UnknownTask) {
        end = world.json(&RUN);
    }
    check(&world, point, &end);
    Ok(fate)
}

fn check(world: &World, point: CrashPoint, end: &Finished) {
    assert_eq!(end.code, Some(0), "{point}: {end:?}");
    let events = end.events().unwrap();
    assert_eq!(stopped(&events).summary, "All done.", "{point}");
    let results = results(&events);
    assert_eq!(results.len(), 1, "{point}: {results:?}");
    assert!(
        results[0].content.contains("Wrote one.") && results[0].content.contains("Wrote two."),
        "{point}: {results:?}"
    );
    let all = tasks(world);
    assert!(all.len() == 3 && all.iter().all(has_ended), "{point}: {all:?}");
    let took = events.iter().filter_map(|event| match event {
        TaskEvent::SubtasksEnded(took) => Some(took.tokens),
        _ => None,
    });
    let spent: u64 = all.iter().filter(|task| task.parent.is_some()).map(|task| task.tokens).sum();
    assert_eq!(took.collect::<Vec<_>>(), [spent], "{point}: what they took counts once");
    assert_eq!(world.json(&["undo", "last"]).code, Some(0), "{point}");
    for file in ["one.txt", "two.txt"] {
        assert!(world.home.read(file).is_err(), "{point}: {file} is still there");
    }
}

#[test]
fn killed_before_any_commit_a_task_with_sub_tasks_ends_the_same() {
    let points = only(|point| matches!(point, CrashPoint::Before(_)), play);
    assert!(points > 20, "{points}");
}

#[test]
fn killed_after_any_commit_a_task_with_sub_tasks_ends_the_same() {
    let points = only(|point| matches!(point, CrashPoint::After(_)), play);
    assert!(points > 20, "{points}");
}

/// They waited unseen: the task that handed them over said nothing, and `deputy run` never came back.
#[test]
fn a_prompt_for_a_sub_task_closes_where_it_was_not_answered() {
    let world = World::of(Script::conversations([
        (GOAL, vec![hand_over(&["Write part one"]), Turn::text("It is done.")]),
        ("Write part one", vec![write("one.txt", "1\n"), ask("Which color?"), Turn::text("Wrote one.")]),
    ]));
    let _host = serve(&world);
    let mut person = Person::at(&world, &["run", GOAL]);
    person.sees("[?] > ");
    assert_eq!(world.say(&["approve", "r"]).code, Some(0));
    person.sees("Write part one: allowed at the command line");
    person.sees("Which color?");
    assert_eq!(world.say(&["answer", "q", "Blue"]).code, Some(0));
    person.sees("Write part one: answered: Blue");
    person.sees("It is done.");
    assert_eq!(person.leaves().1, 0);
}

#[test]
fn what_sub_tasks_ask_is_asked_where_their_task_is_watched() {
    let script = || {
        Script::conversations([
            (GOAL, vec![hand_over(&["Write part one", "Ask about part two"]), Turn::text("Both are done.")]),
            ("Write part one", vec![write("one.txt", "1\n"), Turn::text("Wrote one.")]),
            ("Ask about part two", vec![ask("Which color?"), Turn::text("Blue it is.")]),
        ])
    };
    let world = World::of(script());
    let run = world.say(&["run", GOAL]);
    assert_eq!(run.code, Some(4), "{run:?}");
    for part in
        ["↳ Write part one", "Write one.txt", "deputy approve r", "↳ Ask about part two", "? Which color?"]
    {
        assert!(run.stdout.contains(part), "{part:?} is missing in {}", run.stdout);
    }
    let world = World::of(script());
    let asked = world.json(&["run", GOAL]).events().unwrap();
    assert_eq!((requests(&asked).len(), questions(&asked).len()), (1, 1));
    let world = World::of(script());
    let mut person = Person::at(&world, &["run", GOAL]);
    // Whichever asks first is answered first: a key for the one, a line for the other.
    let (key, line) = ("[?] > ", "  > ");
    let (before, first) = person.sees_either(key, line);
    if first == key {
        assert!(before.contains("Write part one\r\n") && before.contains("Write one.txt"), "{before}");
        person.presses("y");
        person.sees(line);
        person.types("blue");
    } else {
        assert!(before.contains("Ask about part two\r\n") && before.contains("Which color?"), "{before}");
        person.types("blue");
        person.sees(key);
        person.presses("y");
    }
    person.sees("Both are done.");
    assert_eq!(person.leaves().1, 0);
    assert_eq!(std::fs::read_to_string(world.home.workspace().join("one.txt")).unwrap(), "1\n");
}
