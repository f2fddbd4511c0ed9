//! Crash points: a task is killed around every commit of its journal, and before calls of the system by which it changes
//! the disk, makes a change durable, or starts a program; it ends as if nothing had been.
//!
//! `DEPUTY_KILLS` says how often the latter is done, `SEED` with which seed it begins.

use crate::support::{World, questions, results, shell, stopped, write};
use deputy_protocol::{AgentPlan, CallStatus, ErrorCode, StopReason, TaskEvent};
use deputy_testkit::{CrashPoint, Fate, Finished, Script, Turn, crash_at_some_commits, run_to};
use serde_json::json;
use std::collections::BTreeMap;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};

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
    if end.code == Some(1) && end.error().is_ok_and(|error| error.code == ErrorCode::UnknownTask) {
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

/// Plays the wanted points alone, so that two tests can share them and run side by side.
pub(crate) fn only(
    wanted: fn(CrashPoint) -> bool,
    mut play: impl FnMut(CrashPoint) -> io::Result<Fate>,
) -> u64 {
    crash_at_some_commits(|point| if wanted(point) { play(point) } else { Ok(Fate::Killed) }).unwrap()
}

#[test]
fn killed_before_any_commit_a_task_ends_the_same() {
    let points = only(|point| matches!(point, CrashPoint::Before(_)), play);
    assert!(points > 20, "{points}");
}

#[test]
fn killed_after_any_commit_a_task_ends_the_same() {
    let points = only(|point| matches!(point, CrashPoint::After(_)), play);
    assert!(points > 20, "{points}");
}

/// Calls that change the disk, make a change durable, or start something. What a process that was started does after it
/// became another program is its own affair.
const CALLS: &str = "write,pwrite64,openat,ftruncate,fsync,fdatasync,syncfs,rename,renameat,renameat2,mkdir,mkdirat,unlink,\
    unlinkat,fchmod,clone,clone3,vfork,execve";

/// The first process of a world, under `strace`.
fn traced(world: &World, options: &[&str]) -> Command {
    let plain = world.home.deputy().unwrap();
    let mut command = Command::new("/usr/bin/strace");
    command.args(["-f", "-b", "execve", "-qq", "-e", "signal=none", "-e", &format!("trace={CALLS}")]);
    command.args(options).arg("--").arg(plain.get_program()).arg("--json").args(RUN);
    command.env_clear().envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command
        .current_dir(world.home.workspace())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Every call that one thread makes, by its name and its number among those of that name.
fn moments(log: &Path) -> Vec<(String, u64)> {
    let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
    for line in std::fs::read_to_string(log).unwrap().lines() {
        let Some((thread, rest)) = line.split_once(char::is_whitespace) else { continue };
        if let Some((call, _)) = rest.trim_start().split_once('(')
            && CALLS.split(',').any(|watched| watched.trim() == call)
        {
            *counts.entry((call.to_owned(), thread.to_owned())).or_default() += 1;
        }
    }
    let all = counts
        .into_iter()
        .flat_map(|((call, _), count)| (1..=count).map(move |number| (call.clone(), number)));
    // Half of them would be what the program reads as it starts.
    all.filter(|(call, number)| call != "openat" || number % 8 == 0).collect()
}

#[test]
fn killed_before_calls_that_change_the_disk_or_start_a_program_a_task_ends_the_same() {
    let number = |name, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let runs: u64 = number("DEPUTY_KILLS", 4);
    let first = deputy_testkit::seed();
    let counted = world();
    let log = counted.home.root().join("calls");
    assert!(traced(&counted, &["-o", log.to_str().unwrap()]).status().unwrap().success());
    let moments = moments(&log);
    println!("{runs} kills at {} moments", moments.len());
    let (mut kills, mut seed) = (0, first);
    while kills < runs {
        assert!(seed < first + 20 * runs, "most runs end by themselves: {kills} kills");
        // As far apart as the golden ratio spreads them.
        let place = (seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11) % moments.len() as u64;
        let (call, number) = &moments[place as usize];
        seed += 1;
        let world = world();
        let inject = format!("inject={call}:signal=SIGKILL:when={number}");
        let status = traced(&world, &["-o", "/dev/null", "-e", &inject]).status().unwrap();
        // It may be another thread's call this time, or that of a child which has not become its program.
        if status.signal() != Some(9) {
            continue;
        }
        kills += 1;
        println!("seed {}: killed before {call} number {number}", seed - 1);
        check(&world, CrashPoint::Before(*number), &finish(&world));
    }
    println!("figure: J1 {kills} kills");
}
