//! Crash points: a task is killed around every commit of its journal, and ends as if nothing had been.

use crate::support::{World, questions, results, shell, stopped, write};
use deputy_protocol::{AgentPlan, CallStatus, StopReason, TaskEvent};
use deputy_testkit::{CrashPoint, Fate, Finished, Script, Turn, crash_at_every_commit, run_to};
use serde_json::json;
use std::io;

/// A task that reads, makes a file, changes it, and runs a command that must not run twice.
fn world() -> World {
    let turns = [
        Turn::call("search", json!({"action": "ls"})),
        write("notes/a.txt", "one\ntwo\n"),
        Turn::call("code", json!({"action": "patch", "path": "notes/a.txt", "old": "two", "new": "2"})),
        shell("echo line >> log.txt"),
        Turn::text("All done."),
    ];
    World::of(Script { by_conversation: true, ..Script::turns(turns) })
}

const RUN: [&str; 4] = ["run", "work", "--yes", "medium"];

/// Kills the first process at the point, lets others finish the task, and checks what must hold.
fn play(point: CrashPoint) -> io::Result<Fate> {
    let world = world();
    let mut first = world.home.deputy()?;
    first.arg("--json").args(RUN);
    let fate = run_to(point, first)?;
    let end = match &fate {
        Fate::Untouched(_) => world.json(&["follow", "last"]),
        Fate::Killed => finish(&world),
    };
    check(&world, point, &end);
    Ok(fate)
}

/// Takes the task up until it ends. Where nothing of it was written down, it is handed over again.
fn finish(world: &World) -> Finished {
    let mut end = world.json(&["follow", "last"]);
    if end.code == Some(1) && end.error().is_ok_and(|error| error.code == "unknown_task") {
        end = world.json(&RUN);
    }
    if end.code == Some(4) {
        let question = questions(&end.events().unwrap()).pop().expect("it waits for an answer");
        let answer = world.json(&["answer", question.id.as_str(), "go on"]);
        assert_eq!(answer.code, Some(0), "{answer:?}");
        end = world.json(&["follow", "last"]);
    }
    end
}

fn check(world: &World, point: CrashPoint, end: &Finished) {
    assert_eq!(end.code, Some(0), "{point}: {end:?}");
    let events = end.events().unwrap();
    let stopped = stopped(&events);
    assert_eq!((stopped.reason, stopped.summary.as_str()), (StopReason::Completed, "All done."), "{point}");
    let text =
        world.home.read("notes/a.txt").unwrap_or_else(|error| panic!("{point}: {error} after {end:?}"));
    assert_eq!(text, "one\n2\n", "{point}");
    let left: Vec<_> = std::fs::read_dir(world.home.workspace().join("notes")).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "{point}: half-made files are left: {left:?}");

    // A command whose fate nobody knows is asked about, once, and is not run again; any other ran once.
    let asked = questions(&events);
    let unknown = results(&events).iter().filter(|result| result.status == CallStatus::Unknown).count();
    assert_eq!(asked.len(), unknown, "{point}: {asked:?}");
    let lines = world.home.read("log.txt").unwrap_or_default().lines().count();
    match unknown {
        0 => assert_eq!(lines, 1, "{point}"),
        _ => assert!(
            unknown == 1 && lines <= 1 && asked[0].text.contains("echo line"),
            "{point}: {lines} {asked:?}"
        ),
    }

    let plans: Vec<AgentPlan> = planned(&events);
    assert_eq!(plans.len(), 5, "{point}: every plan is journalled once");
    // A command begins once what it could change is kept; announced before that, it may be announced again.
    let begun = |event: &&TaskEvent| matches!(event, TaskEvent::TreeKept(kept) if kept.call.as_str().ends_with("-4-1"));
    assert_eq!(events.iter().filter(begun).count(), 1, "{point}: the command is not run again");
    let ended = results(&events).len();
    assert_eq!(ended, 4, "{point}: every call has one result");

    let undo = world.json(&["undo", "last"]);
    assert_eq!(undo.code, Some(0), "{point}: {undo:?}");
    assert!(!world.home.workspace().join("notes").exists(), "{point}: all file changes are taken back");
}

fn planned(events: &[TaskEvent]) -> Vec<AgentPlan> {
    let plan = |event: &TaskEvent| match event {
        TaskEvent::Planned(planned) => Some(planned.plan.clone()),
        _ => None,
    };
    events.iter().filter_map(plan).collect()
}

/// Only every other point is played here, so that the two tests run side by side.
fn only(wanted: fn(CrashPoint) -> bool) -> u64 {
    crash_at_every_commit(|point| if wanted(point) { play(point) } else { Ok(Fate::Killed) }).unwrap()
}

#[test]
fn killed_before_any_commit_a_task_ends_the_same() {
    let points = only(|point| matches!(point, CrashPoint::Before(_)));
    assert!(points > 20, "{points}");
}

#[test]
fn killed_after_any_commit_a_task_ends_the_same() {
    let points = only(|point| matches!(point, CrashPoint::After(_)));
    assert!(points > 20, "{points}");
}
