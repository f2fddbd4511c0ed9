//! Appending and reading events.

use crate::support::*;
use deputy_protocol::*;
use deputy_store::{CommitMoment, Hooks, Store, StoreError};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
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

#[tokio::test]
async fn fifty_tasks_at_once_share_commits_and_keep_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let commits = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&commits);
    let hooks = Hooks {
        around_commit: Some(Arc::new(move |moment, number| {
            if moment == CommitMoment::After {
                seen.store(number, Ordering::SeqCst);
            }
        })),
    };
    let store = Store::open_with(folder.path(), hooks).unwrap();
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
    while let Some(run) = runs.join_next().await {
        run.unwrap();
    }
    let records = store.events_since(0, 10_000).unwrap();
    let appends = 50 * 11;
    assert_eq!(records.len(), 50 + 50 * 20);
    assert!(records.iter().enumerate().all(|(index, record)| record.seq == index as u64 + 1));
    for number in 0..50 {
        let mine: Vec<_> =
            records.iter().filter(|record| record.task == task(&format!("t{number}"))).collect();
        let turns = mine.iter().filter_map(|record| match &record.event {
            TaskEvent::IterationStarted(started) => Some(started.iteration),
            _ => None,
        });
        assert!(turns.eq(1..=10));
    }
    assert!(commits.load(Ordering::SeqCst) < appends, "every append was committed alone");
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
    let heard: Vec<u64> = (0..3).map(|_| live.try_recv().unwrap().seq).collect();
    assert_eq!(heard, [1, 2, 3]);

    store.append(&id, 3, (3..3_000).map(iteration).collect()).await.unwrap();
    assert!(matches!(live.recv().await, Err(RecvError::Lagged(_))));
    let next = live.recv().await.unwrap().seq;
    let missed = store.events_since(3, u32::MAX).unwrap();
    assert_eq!(missed[0].seq, 4);
    assert!(missed.iter().any(|record| record.seq == next), "the live events go on where the journal stands");
}
