//! Tests of the order of queued tasks: the effect of moves, that they are recorded, and that the journal results in the
//! same order.

use crate::support::*;
use deputy_protocol::*;
use deputy_store::{Moved, Store};
use proptest::prelude::*;

fn first() -> QueuePlace {
    QueuePlace::First(FirstPlace {})
}

fn last() -> QueuePlace {
    QueuePlace::Last(LastPlace {})
}

fn before(name: &str) -> QueuePlace {
    QueuePlace::Before(BeforePlace { task: task(name) })
}

/// Returns the queued tasks in the order in which they will start.
fn queue(store: &Store) -> Vec<String> {
    let queued = |task: &TaskSummary| matches!(task.state, TaskState::Queued(_));
    store.unfinished().unwrap().into_iter().filter(queued).map(|task| task.id.0).collect()
}

/// Moves a task with a new command.
async fn put(store: &Store, name: &str, to: QueuePlace) -> Moved {
    let command = CommandId::new(format!("move after {}", store.last_seq().unwrap()));
    store.move_in_queue(&command, &task(name), &to, 9).await.unwrap()
}

async fn queued(names: &[&str]) -> (tempfile::TempDir, Store) {
    let (folder, store) = home();
    for name in names {
        start(&store, name).await;
    }
    (folder, store)
}

#[tokio::test]
async fn a_task_is_put_first_last_and_before_another_one() {
    let (folder, store) = queued(&["a", "b", "c"]).await;
    assert_eq!(queue(&store), ["a", "b", "c"]);
    assert!(matches!(put(&store, "c", first()).await, Moved::Done(_)));
    assert_eq!(queue(&store), ["c", "a", "b"]);
    assert!(matches!(put(&store, "b", before("a")).await, Moved::Done(_)));
    assert_eq!(queue(&store), ["c", "b", "a"]);
    assert!(matches!(put(&store, "c", last()).await, Moved::Done(_)));
    assert_eq!(queue(&store), ["b", "a", "c"]);
    start(&store, "d").await;
    assert_eq!(queue(&store), ["b", "a", "c", "d"], "whatever comes later is behind");
    assert!(matches!(put(&store, "d", before("b")).await, Moved::Done(_)));
    assert_eq!(queue(&store), ["d", "b", "a", "c"]);
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(queue(&store), ["d", "b", "a", "c"]);
    store.check_integrity().unwrap();
}

#[tokio::test]
async fn where_it_stands_already_nothing_is_journalled() {
    let (_folder, store) = queued(&["a", "b", "c"]).await;
    for (name, to) in [("a", first()), ("c", last()), ("a", before("b")), ("b", before("c"))] {
        assert_eq!(put(&store, name, to).await, Moved::Already);
    }
    assert_eq!(store.last_seq().unwrap(), 3);
}

#[tokio::test]
async fn a_move_that_cannot_be_is_refused_and_changes_nothing() {
    let (_folder, store) = queued(&["a", "b", "runs", "pauses", "ended"]).await;
    store.append(&task("runs"), 2, vec![iteration(1)]).await.unwrap();
    let pause = TaskEvent::Paused(Paused {
        reason: PauseReason::ByUser,
        message: String::new().into(),
        budget: None,
    });
    store.append(&task("pauses"), 2, vec![pause]).await.unwrap();
    store.append(&task("ended"), 2, vec![stopped()]).await.unwrap();
    let seq = store.last_seq().unwrap();
    for name in ["runs", "pauses", "ended"] {
        let refused = Moved::NotQueued(task(name));
        assert_eq!(put(&store, name, first()).await, refused);
        assert_eq!(put(&store, "a", before(name)).await, refused);
    }
    assert_eq!(put(&store, "nobody", last()).await, Moved::Unknown(task("nobody")));
    assert_eq!(put(&store, "a", before("nobody")).await, Moved::Unknown(task("nobody")));
    assert_eq!(put(&store, "a", before("a")).await, Moved::BeforeItself);
    assert_eq!((store.last_seq().unwrap(), queue(&store)), (seq, vec!["a".to_owned(), "b".to_owned()]));
}

#[tokio::test]
async fn what_is_let_go_on_waits_behind_those_that_waited() {
    let (_folder, store) = queued(&["a", "b"]).await;
    let pause = TaskEvent::Paused(Paused {
        reason: PauseReason::ByUser,
        message: String::new().into(),
        budget: None,
    });
    store.append(&task("a"), 2, vec![pause]).await.unwrap();
    assert_eq!(queue(&store), ["b"]);
    store.append(&task("a"), 3, vec![TaskEvent::Resumed(Resumed {})]).await.unwrap();
    assert_eq!(queue(&store), ["b", "a"]);
    // A task that is resumed again stays in place, and so does one that is steered.
    store.append(&task("b"), 4, vec![TaskEvent::Resumed(Resumed {}), steered("more")]).await.unwrap();
    assert_eq!(queue(&store), ["b", "a"]);
}

#[tokio::test]
async fn a_move_that_was_done_is_remembered_with_its_event() {
    let (_folder, store) = queued(&["a", "b"]).await;
    let command = CommandId::new("c");
    let moved = store.move_in_queue(&command, &task("b"), &first(), 5).await.unwrap();
    let Moved::Done(record) = moved else { panic!("{moved:?}") };
    assert_eq!((record.seq, record.task), (3, task("b")));
    let seen = store.command_seen(&command).await.unwrap();
    assert_eq!(seen, Some(CommandOutcome::Done(DoneOutcome {})));
    let refused = CommandId::new("refused");
    store.move_in_queue(&refused, &task("b"), &before("b"), 5).await.unwrap();
    assert_eq!(store.command_seen(&refused).await.unwrap(), None);
}

#[tokio::test]
async fn two_moves_at_the_same_moment_are_both_done() {
    let (_folder, store) = queued(&["a", "b", "c", "d"]).await;
    let (one, two) = (CommandId::new("1"), CommandId::new("2"));
    let (c, d, to) = (task("c"), task("d"), before("b"));
    let moves = tokio::join!(store.move_in_queue(&one, &c, &to, 5), store.move_in_queue(&two, &d, &to, 5));
    // In some order: of two tasks that are moved before the same task, the later one is directly before it.
    assert!(matches!(moves, (Ok(Moved::Done(_) | Moved::Already), Ok(Moved::Done(_)))), "{moves:?}");
    assert_eq!(queue(&store), ["a", "c", "d", "b"]);
}

#[derive(Clone, Debug)]
enum Step {
    Start,
    Move(prop::sample::Index, Option<prop::sample::Index>, bool),
    Begin(prop::sample::Index),
    Pause(prop::sample::Index),
}

fn step() -> impl Strategy<Value = Step> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        2 => Just(Step::Start),
        5 => (at(), prop::option::of(at()), any::<bool>()).prop_map(|(at, to, end)| Step::Move(at, to, end)),
        1 => at().prop_map(Step::Begin),
        1 => at().prop_map(Step::Pause),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_queue_is_a_list_in_which_tasks_are_moved(steps in prop::collection::vec(step(), 1..40)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let (folder, store) = home();
            let mut told: Vec<String> = Vec::new();
            for (number, step) in steps.into_iter().enumerate() {
                match step {
                    Step::Start => {
                        let name = format!("t{number}");
                        start(&store, &name).await;
                        told.push(name);
                    }
                    _ if told.is_empty() => {}
                    Step::Move(at, to, end) => {
                        let at = at.index(told.len());
                        let name = told[at].clone();
                        let to = to.map(|to| told[to.index(told.len())].clone());
                        let place = match &to {
                            Some(other) => before(other),
                            None if end => last(),
                            None => first(),
                        };
                        let moved = put(&store, &name, place).await;
                        if to.as_ref() == Some(&name) {
                            assert_eq!(moved, Moved::BeforeItself);
                            continue;
                        }
                        told.remove(at);
                        let at = match &to {
                            Some(other) => told.iter().position(|name| name == other).unwrap(),
                            None => if end { told.len() } else { 0 },
                        };
                        told.insert(at, name);
                    }
                    Step::Begin(at) => {
                        let name = told.remove(at.index(told.len()));
                        store.append(&task(&name), 7, vec![iteration(1)]).await.unwrap();
                    }
                    Step::Pause(at) => {
                        let name = told.remove(at.index(told.len()));
                        let pause = Paused { reason: PauseReason::ByUser, message: String::new().into(), budget: None };
                        let events = vec![TaskEvent::Paused(pause), TaskEvent::Resumed(Resumed {})];
                        store.append(&task(&name), 7, events).await.unwrap();
                        told.push(name);
                    }
                }
                assert_eq!(queue(&store), told);
            }
            drop(store);
            let store = Store::open(folder.path()).unwrap();
            assert_eq!(queue(&store), told);
            // The tables are derived from the journal again and compared.
            store.check_integrity().unwrap();
        });
    }
}
