//! Tests of appending and reading events.

use crate::support::*;
use deputy_protocol::*;
use deputy_store::{CommitMoment, Hooks, Store, StoreError};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use tokio::sync::broadcast::error::RecvError;

#[tokio::test]
async fn what_was_appended_is_read_back_after_reopening() {
    let (folder, store) = home();
    let id = start(&store, "t1").await;
    let written = store.append(&id, 2, vec![iteration(1), steered("and the attic")]).await.unwrap();
    assert_eq!(written.iter().map(|record| record.seq).collect::<Vec<_>>(), [2, 3]);
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.last_seq().unwrap(), 3);
    assert_eq!(store.events_since(1, 10).unwrap(), written);
    assert_eq!(store.task_events(&id, 2, 10).unwrap(), written[1..]);
    let state = store.task(&id).unwrap().unwrap().state;
    assert_eq!(state, TaskState::Running(RunningTask { iteration: 1 }));
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_tasks_at_once_leave_no_gap_and_keep_their_order() {
    let (_folder, store) = home();
    let mut runs = tokio::task::JoinSet::new();
    for number in 0..50 {
        let store = store.clone();
        runs.spawn(async move {
            let id = start(&store, &format!("t{number}")).await;
            for turn in 1..=10 {
                store.append(&id, i64::from(turn), vec![iteration(turn), steered("on")]).await.unwrap();
            }
        });
    }
    runs.join_all().await;
    let records = store.events_since(0, 10_000).unwrap();
    assert_eq!(records.len(), 50 * (1 + 10 * 2));
    assert!(records.iter().enumerate().all(|(index, record)| record.seq == index as u64 + 1));
    for number in 0..50 {
        let mine = store.task_events(&task(&format!("t{number}")), 0, 100).unwrap();
        let turns = mine.iter().filter_map(|record| match &record.event {
            TaskEvent::IterationStarted(started) => Some(started.iteration),
            _ => None,
        });
        assert!(turns.eq(1..=10));
    }
}

#[tokio::test]
async fn what_is_queued_is_committed_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let commits = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&commits);
    let (open_gate, gate) = channel();
    let gate = Mutex::new(gate);
    // The first commit waits until everything else is queued.
    let around_commit = move |moment, number| match (moment, number) {
        (CommitMoment::Before, 1) => gate.lock().unwrap().recv().unwrap(),
        (CommitMoment::Before, _) => {}
        (CommitMoment::After, number) => seen.store(number, Ordering::SeqCst),
    };
    let store =
        Store::open_with(folder.path(), Hooks { around_commit: Some(Arc::new(around_commit)) }).unwrap();
    let queued = Arc::new(AtomicU64::new(0));
    let mut runs = tokio::task::JoinSet::new();
    for number in 0..50 {
        let (store, queued) = (store.clone(), Arc::clone(&queued));
        runs.spawn(async move {
            // This runtime has one thread, so the append is queued before the count is visible to other tasks.
            queued.fetch_add(1, Ordering::SeqCst);
            start(&store, &format!("t{number}")).await
        });
    }
    while queued.load(Ordering::SeqCst) < 50 {
        tokio::task::yield_now().await;
    }
    open_gate.send(()).unwrap();
    runs.join_all().await;
    assert_eq!(store.last_seq().unwrap(), 50);
    assert!(commits.load(Ordering::SeqCst) <= 3, "{commits:?} commits for fifty appends");
}

#[tokio::test]
async fn a_failed_append_takes_back_only_itself() {
    let (_folder, store) = home();
    let id = start(&store, "t1").await;
    let nobody = task("nobody");
    let (good, bad, also_good) = tokio::join!(
        store.append(&id, 2, vec![iteration(1)]),
        store.append(&nobody, 2, vec![iteration(1)]),
        store.append(&id, 2, vec![iteration(2)]),
    );
    assert!(matches!(bad, Err(StoreError::UnknownTask { .. })), "{bad:?}");
    assert_eq!([good.unwrap()[0].seq, also_good.unwrap()[0].seq], [2, 3]);
}

#[tokio::test]
async fn listeners_hear_events_in_order_and_catch_up_after_a_lag() {
    let (_folder, store) = home();
    let mut live = store.subscribe();
    let id = start(&store, "t1").await;
    store.append(&id, 2, vec![iteration(1), iteration(2)]).await.unwrap();
    let heard: Vec<u64> = (0..3).map(|_| live.try_recv().unwrap().record.seq).collect();
    assert_eq!(heard, [1, 2, 3]);

    store.append(&id, 3, (3..3_000).map(iteration).collect()).await.unwrap();
    assert!(matches!(live.recv().await, Err(RecvError::Lagged(_))));
    let next = live.recv().await.unwrap().record.seq;
    let missed = store.events_since(3, u32::MAX).unwrap();
    assert_eq!(missed[0].seq, 4);
    assert!(missed.iter().any(|record| record.seq == next), "the live events go on where the journal stands");
}

#[tokio::test]
async fn events_that_cannot_be_are_refused_whole() {
    let (_folder, store) = home();
    let id = start(&store, "t1").await;
    let again = store.append(&id, 2, vec![created("t1", "s", "goal")]).await;
    assert!(matches!(again, Err(StoreError::CannotCreate { .. })), "{again:?}");
    let other = store.append(&task("t2"), 2, vec![created("t3", "s", "goal")]).await;
    assert!(matches!(other, Err(StoreError::CannotCreate { .. })), "{other:?}");
    let after_the_end = store.append(&id, 2, vec![iteration(1), stopped(), steered("more")]).await;
    assert!(matches!(after_the_end, Err(StoreError::TaskEnded { .. })), "{after_the_end:?}");
    assert_eq!(store.last_seq().unwrap(), 1);
    assert_eq!(store.append(&id, 2, Vec::new()).await.unwrap(), []);

    store.append(&id, 3, vec![stopped()]).await.unwrap();
    let undone = TaskEvent::Undone(Undone {
        files: Vec::new(),
        repositories: Vec::new(),
        operations: 0,
        jobs: Vec::new(),
        left: None,
        can_redo: None,
    });
    assert_eq!(store.append(&id, 4, vec![undone]).await.unwrap()[0].seq, 3, "refused events leave no gap");
    let late = store.append(&id, 5, vec![steered("more")]).await;
    assert!(matches!(late, Err(StoreError::TaskEnded { .. })), "{late:?}");
}
