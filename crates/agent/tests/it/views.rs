//! Tests that all views show a task in the same state: its machine, the tables of the store, live events, and the page.
//! The page's own test reads the recordings that are written here.

use crate::machine::Life;
use deputy_agent::machine::{Action, Machine, Waiting};
use deputy_protocol::*;
use deputy_store::{MirroredEvent, Store};
use proptest::prelude::*;
use std::path::Path;
use tokio::sync::broadcast::Receiver;

/// A task in a separate journal, and its machine.
struct Journalled {
    store: Store,
    live: Receiver<MirroredEvent>,
    task: TaskId,
    machine: Option<Machine>,
    _home: tempfile::TempDir,
}

impl Journalled {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(home.path()).unwrap();
        let live = store.subscribe();
        Self { store, live, task: TaskId::new("t1"), machine: None, _home: home }
    }

    /// Appends an event, and applies it unless the store refuses it.
    async fn happen(&mut self, at_ms: i64, event: &TaskEvent) -> Option<MirroredEvent> {
        let records = self.store.append(&self.task, at_ms, vec![event.clone()]).await.ok()?;
        match (&mut self.machine, event) {
            (Some(machine), event) => machine.apply(event),
            (none, TaskEvent::Created(created)) => *none = Some(Machine::new(created)),
            (None, _) => {}
        }
        let told = self.live.try_recv().unwrap();
        assert_eq!([&told.record], *records.iter().collect::<Vec<_>>());
        self.agree(&told);
        Some(told)
    }

    /// Checks that all views are equal.
    fn agree(&self, told: &MirroredEvent) {
        let machine = self.machine.as_ref().unwrap();
        let row = self.store.task(&self.task).unwrap().unwrap();
        assert_eq!(machine.state(), row.state);
        assert_eq!(told.update, row.update());
        assert_eq!(self.store.mirrored_since(told.record.seq - 1, 1).unwrap(), std::slice::from_ref(told));
        match (machine.next(), &row.state) {
            (Action::Ended, state) => assert!(matches!(state, TaskState::Stopped(_))),
            (Action::Wait(waiting), state) => assert!(is_shown(&waiting, state), "{waiting:?}: {state:?}"),
            (Action::Stop { .. } | Action::EndBackground, _) => {}
            (_, state) => assert!(is_at_work(state), "{state:?} works"),
        }
        let snapshot = self.store.snapshot().unwrap();
        let open = match snapshot.state {
            AgentState::Idle(_) => None,
            AgentState::Active(active) => active.tasks.into_iter().next(),
        };
        assert_eq!(open, (!matches!(row.state, TaskState::Stopped(_))).then_some(row));
    }
}

/// Returns whether a client shows a task as working, itself or through its sub-tasks.
fn is_at_work(state: &TaskState) -> bool {
    matches!(state, TaskState::Running(_) | TaskState::AwaitingSubtasks(_))
}

/// Returns whether a state shows that the task waits for this.
fn is_shown(waiting: &Waiting, state: &TaskState) -> bool {
    let paused = |reason| matches!(state, TaskState::Paused(paused) if paused.reason == reason);
    match waiting {
        Waiting::ToStart => matches!(state, TaskState::Queued(_)),
        Waiting::ToContinue => matches!(state, TaskState::Interrupted(_)),
        Waiting::Provider(wait) => {
            matches!(state, TaskState::AwaitingProvider(waits) if waits.until_ms == wait.until_ms)
        }
        Waiting::Question(_) => paused(PauseReason::Question),
        Waiting::Permission(_) => paused(PauseReason::Permission),
        Waiting::Resume(reason) | Waiting::Inbox(reason) => paused(*reason),
    }
}

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

/// Returns a random life in which the requests are for different calls, as in practice: the inbox never contains two
/// for the same call.
fn life(choices: Vec<u8>) -> Vec<TaskEvent> {
    let mut life = Life::new(choices);
    while life.step().is_some() {}
    for (number, event) in life.events.iter_mut().enumerate() {
        if let TaskEvent::PermissionRequested(asked) = event {
            asked.request.digest = Digest::new(format!("d{number}"));
        }
    }
    life.events
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_life_is_seen_alike(choices in prop::collection::vec(any::<u8>(), 0..300)) {
        run(async {
            let mut task = Journalled::new();
            for (at, event) in life(choices).iter().enumerate() {
                task.happen(at as i64, event).await;
            }
            task.store.check_integrity().unwrap();
        });
    }

    #[test]
    fn what_makes_no_sense_is_seen_alike(
        choices in prop::collection::vec(any::<u8>(), 0..300),
        order in prop::collection::vec(any::<prop::sample::Index>(), 0..100),
    ) {
        run(async {
            let (mut task, events) = (Journalled::new(), life(choices));
            task.happen(0, &events[0]).await;
            for (at, index) in order.iter().enumerate() {
                task.happen(at as i64, index.get(&events)).await;
            }
            task.store.check_integrity().unwrap();
        });
    }
}

/// Compares a file with the expected content, or writes it if `APPROVE=1` is set.
fn approve(path: &Path, expected: &str) {
    if std::env::var_os("APPROVE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, expected).unwrap();
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found == expected, "{} is out of date; APPROVE=1 writes it", path.display());
}

fn repository() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns pseudo-random bytes for a seed.
fn dice(seed: u64, count: usize) -> Vec<u8> {
    let next = |state: &u64| {
        Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407))
    };
    std::iter::successors(Some(seed), next).skip(1).map(|state| (state >> 56) as u8).take(count).collect()
}

/// Includes what a newly connected client would see, after every fourth event.
#[test]
fn the_page_follows_the_same_lives() {
    for seed in 1..=6_u64 {
        let told = run(async {
            let mut task = Journalled::new();
            let mut told = Vec::new();
            for (at, event) in life(dice(seed, 120 * seed as usize)).iter().enumerate() {
                let at_ms = 1_790_000_000_000 + at as i64;
                if let Some(MirroredEvent { record, update }) = task.happen(at_ms, event).await {
                    let message = EventMessage { record, update: Some(update), shortened: false };
                    told.push(ServerMessage::Event(Box::new(message)));
                    if told.len() % 5 == 4 {
                        let snapshot = task.store.snapshot().unwrap();
                        told.push(ServerMessage::Snapshot(SnapshotMessage { snapshot }));
                    }
                }
            }
            told
        });
        let lines: Vec<String> = told.iter().map(|one| serde_json::to_string(one).unwrap()).collect();
        approve(&repository().join(format!("tests/lives/{seed}.jsonl")), &(lines.join("\n") + "\n"));
    }
}

/// Recordings from before a host reported the state of a task contain it too.
#[test]
fn the_recordings_of_the_page_say_where_the_task_stands() {
    for entry in std::fs::read_dir(repository().join("src/store/recordings")).unwrap() {
        let path = entry.unwrap().path();
        let mut fold: Option<TaskFold> = None;
        let mut lines = String::new();
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let message: serde_json::Value = serde_json::from_str(line).unwrap();
            if message["type"] == "event" {
                let record: EventRecord = serde_json::from_value(message["record"].clone()).unwrap();
                if let TaskEvent::Created(created) = &record.event {
                    fold = Some(TaskFold::new(created, record.at_ms));
                }
                let fold = fold.as_mut().unwrap();
                fold.apply(&record);
                let update = serde_json::to_string(&fold.update()).unwrap();
                let end = line.rfind(r#","update":"#).unwrap_or(line.len() - 1);
                lines += &format!("{},\"update\":{update}}}\n", &line[..end]);
            } else {
                lines += line;
                lines.push('\n');
            }
        }
        approve(&path, &lines);
    }
}
