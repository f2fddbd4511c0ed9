//! Tests of a process that is killed at any moment: acknowledged events are not lost.

use crate::support::*;
use deputy_protocol::*;
use deputy_store::{CommitMoment, Hooks, Store};
use rustix::process::{Signal, getpid, kill_process};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

const HOME: &str = "DEPUTY_STORE_CRASH_HOME";
const COMMIT: &str = "DEPUTY_STORE_CRASH_COMMIT";
const MOMENT: &str = "DEPUTY_STORE_CRASH_MOMENT";

/// Starts this test binary as the process to be killed.
fn child(home: &Path, commit: u64, moment: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::the_process_that_is_killed", "--nocapture"])
        .envs([(HOME, home.as_os_str()), (COMMIT, commit.to_string().as_ref()), (MOMENT, moment.as_ref())])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Not a separate test: without a home it ends immediately. With a home it appends forever, prints each acknowledged
/// event, and dies at the given commit.
#[tokio::test]
async fn the_process_that_is_killed() {
    let Some(home) = std::env::var_os(HOME) else { return };
    let last: u64 = std::env::var(COMMIT).unwrap().parse().unwrap();
    let last_moment = match std::env::var(MOMENT).unwrap().as_str() {
        "before" => CommitMoment::Before,
        _ => CommitMoment::After,
    };
    let around_commit = move |moment, number| {
        if (moment, number) == (last_moment, last) {
            kill_process(getpid(), Signal::KILL).unwrap();
        }
    };
    let store =
        Store::open_with(home.as_ref(), Hooks { around_commit: Some(Arc::new(around_commit)) }).unwrap();
    let mut runs = tokio::task::JoinSet::new();
    for number in 0..8 {
        let store = store.clone();
        runs.spawn(async move {
            let id = start(&store, &format!("p{}t{number}", std::process::id())).await;
            for turn in 1.. {
                let records =
                    store.append(&id, 2, vec![iteration(turn), steered("on and on")]).await.unwrap();
                let mut out = std::io::stdout().lock();
                writeln!(out, "acknowledged {}", records[1].seq).unwrap();
                out.flush().unwrap();
            }
        });
    }
    runs.join_all().await;
}

/// Reads what the child acknowledged, completely or until there are `enough`, and then kills it.
fn acknowledged(mut child: Child, enough: usize) -> BTreeSet<u64> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut seen = BTreeSet::new();
    for line in lines {
        if let Some((_, seq)) = line.split_once("acknowledged ") {
            seen.insert(seq.parse().unwrap());
        }
        if seen.len() == enough {
            // What it writes after this is read until its end of the pipe closes.
            let _ = child.kill();
        }
    }
    child.wait().unwrap();
    seen
}

fn assert_whole(home: &Path, acknowledged: &BTreeSet<u64>) {
    let store = Store::open(home).unwrap();
    store.check_integrity().unwrap();
    let records = store.events_since(0, u32::MAX).unwrap();
    assert!(
        records.iter().enumerate().all(|(index, record)| record.seq == index as u64 + 1),
        "there are gaps"
    );
    let last = acknowledged.last().copied().unwrap_or(0);
    assert!(store.last_seq().unwrap() >= last, "{last} was acknowledged and is lost");
    for task in store.tasks(100).unwrap() {
        let events = store.task_events(&task.id, 0, u32::MAX).unwrap();
        assert_eq!(events.len() % 2, 1, "an append of two events is there by half");
        let turns = (events.len() / 2) as u32;
        let state = match turns {
            0 => TaskState::Queued(QueuedTask {}),
            iteration => TaskState::Running(RunningTask { iteration }),
        };
        assert_eq!(task.state, state, "the readable table and the journal disagree");
    }
}

#[test]
fn killed_before_and_after_each_of_the_first_commits() {
    for moment in ["before", "after"] {
        for commit in 1..=12 {
            let folder = tempfile::tempdir().unwrap();
            let seen = acknowledged(child(folder.path(), commit, moment), usize::MAX);
            assert_whole(folder.path(), &seen);
        }
    }
}

#[test]
fn killed_from_outside_again_and_again() {
    let folder = tempfile::tempdir().unwrap();
    for round in 1..=4 {
        let seen = acknowledged(child(folder.path(), u64::MAX, "after"), 30 * round);
        assert!(seen.len() >= 30 * round, "{seen:?}");
        assert_whole(folder.path(), &seen);
    }
}
