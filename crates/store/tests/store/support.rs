//! Shapes that the tests have in common.

use deputy_protocol::*;
use deputy_store::Store;
use tempfile::TempDir;

pub(crate) fn home() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    (folder, store)
}

pub(crate) fn task(name: &str) -> TaskId {
    TaskId::new(name)
}

pub(crate) fn spec(name: &str, session: &str, goal: &str) -> TaskSpec {
    TaskSpec {
        id: task(name),
        session: SessionId::new(session),
        goal: goal.to_owned(),
        profile: "general".to_owned(),
        backend: "offline".to_owned(),
        workspace: "/home/me/project".to_owned(),
        scope: Scope::default(),
        limits: Limits::default(),
        standing_consent: None,
    }
}

pub(crate) fn created(name: &str, session: &str, goal: &str) -> TaskEvent {
    TaskEvent::Created(Created { spec: spec(name, session, goal) })
}

/// A task that exists, in the session `s`.
pub(crate) async fn start(store: &Store, name: &str) -> TaskId {
    let id = task(name);
    store.append(&id, 1, vec![created(name, "s", &format!("goal of {name}"))]).await.unwrap();
    id
}

pub(crate) fn iteration(iteration: u32) -> TaskEvent {
    TaskEvent::IterationStarted(IterationStarted { iteration })
}

pub(crate) fn steered(text: &str) -> TaskEvent {
    TaskEvent::Steered(Steered { text: text.to_owned() })
}

pub(crate) fn stopped() -> TaskEvent {
    TaskEvent::Stopped(Stopped { reason: StopReason::Completed, summary: "done".to_owned() })
}
