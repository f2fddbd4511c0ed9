//! Restarts on a home that is not as usual: with thousands of tasks, and in the middle of a change of format.
//!
//! `DEPUTY_QUEUED_TASKS` says how many tasks wait.

use crate::hosts::serve;
use crate::power::is_sound;
use crate::support::{World, ask, questions, shell};
use deputy_protocol::*;
use deputy_store::Store;
use deputy_testkit::Turn;
use deputy_testkit::power::Recording;
use rustix::process::Signal;
use std::process::Command;
use std::time::Instant;

/// Writes down tasks that wait.
async fn queue(world: &World, count: usize) {
    let store = Store::open(&world.home.path()).unwrap();
    let workspace = world.home.workspace().canonicalize().unwrap();
    let appends: Vec<_> = (0..count)
        .map(|number| {
            let id = TaskId::new(format!("t{number:05}"));
            let spec = TaskSpec {
                id: id.clone(),
                session: SessionId::new("s"),
                goal: format!("goal {number}"),
                profile: "general".to_owned(),
                backend: "openai_compatible".to_owned(),
                model: None,
                workspace: workspace.to_str().unwrap().to_owned(),
                scope: Scope::default(),
                limits: Limits::default(),
                standing_consent: None,
                parent: None,
                terminal: None,
            };
            store.append(&id, 1, vec![TaskEvent::Created(Created { spec, notice: None, named: Vec::new() })])
        })
        .collect();
    for append in appends {
        append.await.unwrap();
    }
}

/// Processor time of a process; the system counts in hundredths of a second.
fn busy_milliseconds(process: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let after_name = stat.rsplit(") ").next().unwrap();
    after_name.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap() * 10).sum()
}

fn resident_megabytes(process: u32) -> u64 {
    let pages = std::fs::read_to_string(format!("/proc/{process}/statm")).unwrap();
    pages.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4 / 1024
}

#[tokio::test]
async fn thousands_of_queued_tasks_are_all_there_after_a_restart_and_the_first_goes_on() {
    let count = std::env::var("DEPUTY_QUEUED_TASKS").map_or(2_000, |text| text.parse().unwrap());
    let world = World::new([Turn::Hang(Default::default()), Turn::Hang(Default::default())]);
    queue(&world, count).await;
    for restart in 1..=2 {
        let begun = Instant::now();
        let host = serve(&world);
        let ready = begun.elapsed();
        assert!(world.model.wait_for_requests(restart));
        // Depends on the machine and what else it does, so nothing is held against it.
        println!(
            "figure: J3 {count} queued tasks: answers after {} ms, plans after {} ms, {} ms of a processor, {} MB",
            ready.as_millis(),
            begun.elapsed().as_millis(),
            busy_milliseconds(host.id()),
            resident_megabytes(host.id())
        );
        let AgentState::Active(active) = world.state() else { panic!("tasks wait") };
        assert_eq!(active.tasks.len(), count, "none is lost");
        let waiting = active.tasks.iter().filter(|task| matches!(task.state, TaskState::Queued(_))).count();
        assert!(waiting < count, "one works");
        host.signal(Signal::TERM).unwrap();
        assert_eq!(host.wait().unwrap(), Some(0));
    }
    assert!(world.say(&["doctor"]).stdout.contains("the database is sound"));
}

/// Writes the database anew as an older program would have.
const OLDER: [&str; 2] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/end_to_end/older.py"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/../migrations"),
];

#[test]
fn what_was_sent_to_the_model_is_sent_again_as_it_was_by_the_next_process() {
    let world = World::new([shell("ls"), ask("Which one?"), Turn::text("Done.")]);
    world.home.write("a.txt", "a").unwrap();
    let asked = world.json(&["run", "look around"]);
    let question = questions(&asked.events().unwrap()).remove(0);
    assert_eq!(world.say(&["answer", question.id.as_str(), "The first"]).code, Some(0));
    assert_eq!(world.json(&["follow", "last"]).code, Some(0));
    let sent = world.model.requests();
    let messages = |n: usize| sent[n].body.as_ref().unwrap()["messages"].as_array().unwrap().clone();
    let (before, after) = (messages(1), messages(2));
    assert!(before.iter().any(|message| message.to_string().contains("<<data ")), "{before:#?}");
    assert_eq!(after[..before.len()], before[..]);
}

#[test]
fn a_change_of_format_that_is_cut_off_anywhere_leaves_the_old_one_or_the_new_one() {
    let world = World::new([Turn::text("done")]);
    assert_eq!(world.json(&["run", "first"]).code, Some(0));
    let database = world.home.path().join("deputy.db");
    let made = Command::new("/usr/bin/python3").arg(OLDER[0]).arg(&database).arg(OLDER[1]).status().unwrap();
    assert!(made.success());
    let mut command = world.home.deputy().unwrap();
    command.arg("tasks");
    let recording = Recording::of(&world.home.root().canonicalize().unwrap(), &command).unwrap();
    assert!(recording.output.status.success(), "{:?}", recording.output);
    let backups = world.home.path().join("backups");
    let kept = || std::fs::read_dir(&backups).into_iter().flatten().flatten().map(|entry| entry.path());
    let databases = || kept().filter(|path| path.extension().is_some_and(|ending| ending == "db"));
    assert_eq!(databases().count(), 1, "the format was changed");
    let count = std::env::var("DEPUTY_POWER_STARTS").map_or(8, |text| text.parse().unwrap());
    println!("{count} cuts of {} moments", recording.moments());
    let first = deputy_testkit::seed_or(1);
    for seed in first..first + count {
        let cut = recording.cut(seed);
        println!("{cut}");
        recording.restore(&cut).unwrap();
        // Whatever has a backup's name is a whole database of the old format.
        for backup in databases() {
            let bytes = std::fs::read(&backup).unwrap();
            assert_eq!(bytes.get(60..64), Some(&3_u32.to_be_bytes()[..]), "{cut}: {}", backup.display());
        }
        assert_eq!(world.task().goal, "first", "{cut}");
        is_sound(&world, &cut);
        assert!(databases().next().is_some(), "{cut}: there is a backup");
    }
    println!("figure: J3 {count} cuts of a change of format");
}
