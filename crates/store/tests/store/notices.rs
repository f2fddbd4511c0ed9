//! Tests of notices: each event that needs a person creates one, which exists until it was sent and, if it was
//! answered, withdrawn.

use crate::support::*;
use deputy_protocol::*;
use deputy_store::{DueNotice, Store};
use tempfile::TempDir;

fn due(store: &Store) -> Vec<(String, bool)> {
    store.due_notices().unwrap().into_iter().map(|notice| (notice.id, notice.is_over)).collect()
}

fn is(id: &str, is_over: bool) -> (String, bool) {
    (id.to_owned(), is_over)
}

/// Creates a task with the open request `r`, whose notice was not sent.
async fn parked() -> (TempDir, Store, TaskId) {
    let (folder, store) = home();
    let id = start(&store, "t").await;
    store.append(&id, 10, vec![iteration(1), asked(request("r", &id))]).await.unwrap();
    (folder, store, id)
}

async fn tell(store: &Store, id: &str) {
    assert_eq!(store.begin_notices(vec![id.to_owned()]).await.unwrap(), [id]);
    store.finish_notices(vec![id.to_owned()], Vec::new()).await.unwrap();
}

#[tokio::test]
async fn what_is_told_and_answered_is_taken_back_and_forgotten() {
    let (_folder, store, id) = parked().await;
    let notice = DueNotice {
        id: "r".to_owned(),
        task: id.clone(),
        kind: NoticeKind::Request,
        text: "Run the tests".to_owned(),
        at_ms: 10,
        is_over: false,
        is_begun: false,
    };
    assert_eq!(store.due_notices().unwrap(), [notice]);
    tell(&store, "r").await;
    assert_eq!(due(&store), []);
    // Asked again with the same id, as after a restart: sent once.
    store.append(&id, 11, vec![asked(request("r", &id))]).await.unwrap();
    assert_eq!(due(&store), []);
    store.answer_permission(answer("r", deny("no")), 20).await.unwrap();
    assert_eq!(due(&store), [is("r", true)]);
    store.finish_notices(Vec::new(), vec!["r".to_owned()]).await.unwrap();
    assert_eq!(due(&store), []);
    store.append(&id, 30, vec![stopped()]).await.unwrap();
    assert_eq!(due(&store), [is("t", false)]);
    tell(&store, "t").await;
    assert_eq!(due(&store), []);
}

#[tokio::test]
async fn what_is_answered_before_it_was_told_is_not_told() {
    let (_folder, store, id) = parked().await;
    store.answer_permission(answer("r", allow(once())), 20).await.unwrap();
    assert_eq!(due(&store), []);
    assert!(store.begin_notices(vec!["r".to_owned()]).await.unwrap().is_empty());
    let by_user = Stopped { reason: StopReason::ManualStop, summary: "x".to_owned().into(), report: None };
    store.append(&id, 30, vec![TaskEvent::Stopped(by_user)]).await.unwrap();
    assert_eq!(due(&store), [], "who stops a task knows");
}

#[tokio::test]
async fn what_is_answered_while_it_is_told_is_taken_back() {
    let (folder, store, _) = parked().await;
    store.begin_notices(vec!["r".to_owned()]).await.unwrap();
    // The process dies here. It is unknown whether the notice was sent, so it is sent again.
    drop(store);
    let store = Store::open(folder.path()).unwrap();
    assert!(store.due_notices().unwrap()[0].is_begun);
    store.begin_notices(vec!["r".to_owned()]).await.unwrap();
    store.answer_permission(answer("r", deny("no")), 20).await.unwrap();
    store.finish_notices(vec!["r".to_owned()], Vec::new()).await.unwrap();
    assert_eq!(due(&store), [is("r", true)]);
}

#[tokio::test]
async fn the_end_of_a_task_takes_back_what_it_asked() {
    let (_folder, store, id) = parked().await;
    let question = Question {
        id: RequestId::new("q"),
        task: id.clone(),
        text: "Which?".to_owned().into(),
        choices: Vec::new(),
        created_at_ms: 11,
    };
    store.append(&id, 11, vec![TaskEvent::QuestionAsked(QuestionAsked { question })]).await.unwrap();
    assert_eq!(due(&store), [is("r", false), is("q", false)]);
    tell(&store, "r").await;
    store.append(&id, 12, vec![stopped()]).await.unwrap();
    assert_eq!(due(&store), [is("r", true), is("t", false)]);
    store.check_integrity().unwrap();
}
