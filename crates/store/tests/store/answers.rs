//! Tests of answers to requests and questions: the first one wins.

use crate::support::*;
use deputy_protocol::*;
use deputy_store::{Answered, Store, StoreError};
use tempfile::TempDir;
use tokio::task::JoinSet;

/// Creates a task with the open request `r`.
async fn parked() -> (TempDir, Store, TaskId) {
    let (folder, store) = home();
    let id = start(&store, "t").await;
    store.append(&id, 10, vec![iteration(1), asked(request("r", &id))]).await.unwrap();
    (folder, store, id)
}

#[tokio::test]
async fn the_first_answer_wins_and_is_in_the_journal() {
    let (_folder, store, id) = parked().await;
    assert_eq!(store.open_requests().unwrap(), [request("r", &id)]);
    let Answered::Accepted(record) = store.answer_permission(answer("r", allow(once())), 20).await.unwrap()
    else {
        panic!("not accepted")
    };
    let event = PermissionAnswered {
        request: RequestId::new("r"),
        call: CallId::of(&id, 1, 1),
        digest: digest('a'),
        choice: allow(once()),
        by: terminal(),
    };
    assert_eq!(record.event, TaskEvent::PermissionAnswered(event));
    assert_eq!(store.task_events(&id, record.seq - 1, 10).unwrap(), [record]);
    assert_eq!(store.open_requests().unwrap(), []);
    assert_eq!(store.request(&RequestId::new("r")).unwrap(), Some(request("r", &id)));
    assert_eq!(store.task(&id).unwrap().unwrap().state, TaskState::Running(RunningTask { iteration: 1 }));
}

#[tokio::test]
async fn later_answers_learn_who_won() {
    let (_folder, store, _) = parked().await;
    store.answer_permission(answer("r", deny("no")), 20).await.unwrap();
    let seq = store.last_seq().unwrap();
    let again = store.answer_permission(answer("r", deny("in other words")), 5_000).await.unwrap();
    assert_eq!(again, Answered::AlreadyTheSame);
    let other = store.answer_permission(answer("r", allow(once())), 21).await.unwrap();
    assert_eq!(other, Answered::AlreadyOther { by: terminal(), choice: deny("no") });
    assert_eq!(store.last_seq().unwrap(), seq, "answers that lost are not in the journal");
}

#[tokio::test]
async fn answers_that_do_not_fit_the_request_do_not_count() {
    let (_folder, store, id) = parked().await;
    let late = || Answered::Expired(request("r", &id).into());
    let wrong_digest = PermissionAnswer { digest: digest('b'), ..answer("r", allow(once())) };
    let by = |by, choice| PermissionAnswer { by, ..answer("r", choice) };
    let standing = |up_to| Answerer::Standing(StandingAnswerer { up_to });
    let expiry = || Answerer::Expiry(ExpiryAnswerer {});
    let cases = [
        (answer("nobody", allow(once())), 20, Answered::Unknown),
        (wrong_digest, 20, Answered::WrongDigest),
        (answer("r", allow(minutes(31))), 20, Answered::NotOffered),
        (answer("r", allow(until_end_of(&task("other")))), 20, Answered::NotOffered),
        (by(standing(Risk::Low), allow(once())), 20, Answered::NotOffered),
        (by(standing(Risk::High), allow(always())), 20, Answered::NotOffered),
        (by(expiry(), allow(once())), 2_000, Answered::NotOffered),
        (answer("r", allow(once())), 1_000, late()),
        (answer("r", deny("late")), 1_000, late()),
    ];
    let seq = store.last_seq().unwrap();
    for (answer, now_ms, expected) in cases {
        let came = store.answer_permission(answer.clone(), now_ms).await.unwrap();
        assert_eq!(came, expected, "{answer:?} at {now_ms}");
    }
    assert_eq!(store.last_seq().unwrap(), seq);
    assert_eq!(store.open_requests().unwrap().len(), 1);
    let expired = store.answer_permission(by(expiry(), deny("nobody answered")), 1_000).await.unwrap();
    assert!(matches!(expired, Answered::Accepted(_)), "{expired:?}");
    // Later answers get the same result, even if they are equal to the answer by expiry.
    for choice in [deny("late"), allow(once())] {
        let came = store.answer_permission(answer("r", choice), 1_001).await.unwrap();
        assert_eq!(came, late());
    }
    let again = store.answer_permission(by(expiry(), deny("nobody answered")), 1_001).await.unwrap();
    assert_eq!(again, Answered::AlreadyTheSame, "the clock may say it twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_hundred_answers_at_once_one_is_accepted() {
    let (_folder, store, id) = parked().await;
    let mut answers = JoinSet::new();
    for number in 0..100 {
        let store = store.clone();
        let choice = if number % 2 == 0 { allow(always()) } else { deny("no") };
        answers.spawn(async move { store.answer_permission(answer("r", choice), 20).await.unwrap() });
    }
    let came = answers.join_all().await;
    let accepted = came.iter().filter(|answered| matches!(answered, Answered::Accepted(_))).count();
    let same = came.iter().filter(|answered| matches!(answered, Answered::AlreadyTheSame)).count();
    let other = came.iter().filter(|answered| matches!(answered, Answered::AlreadyOther { .. })).count();
    assert_eq!((accepted, same, other), (1, 49, 50));
    let events = store.task_events(&id, 0, 100).unwrap();
    let answers = events.iter().filter(|record| matches!(record.event, TaskEvent::PermissionAnswered(_)));
    assert_eq!(answers.count(), 1);
}

#[tokio::test]
async fn the_agent_cannot_answer_what_was_answered() {
    let (_folder, store, id) = parked().await;
    store.answer_permission(answer("r", deny("no")), 20).await.unwrap();
    let event = TaskEvent::PermissionAnswered(PermissionAnswered {
        request: RequestId::new("r"),
        call: CallId::of(&id, 1, 1),
        digest: digest('a'),
        choice: allow(once()),
        by: terminal(),
    });
    let refused = store.append(&id, 21, vec![event]).await;
    assert!(matches!(refused, Err(StoreError::NotOpen { .. })), "{refused:?}");
}

#[tokio::test]
async fn asking_again_with_the_same_id_replaces_what_stands_open() {
    let (_folder, store, id) = parked().await;
    let again = PermissionRequest { digest: digest('c'), expires_at_ms: 9_000, ..request("r", &id) };
    store.append(&id, 30, vec![asked(again.clone())]).await.unwrap();
    assert_eq!(store.open_requests().unwrap(), [again]);
    let old = store.answer_permission(answer("r", allow(once())), 40).await.unwrap();
    assert_eq!(old, Answered::WrongDigest, "the person saw what no longer waits");
    let other = start(&store, "t2").await;
    let stolen = store.append(&other, 50, vec![asked(request("r", &other))]).await;
    assert!(matches!(stolen, Err(StoreError::NotOpen { .. })), "{stolen:?}");
}

#[tokio::test]
async fn what_a_task_asked_is_closed_when_it_ends() {
    let (_folder, store, id) = parked().await;
    store.append(&id, 11, vec![question("q", &id), stopped()]).await.unwrap();
    assert_eq!(store.open_requests().unwrap(), []);
    assert_eq!(store.open_questions().unwrap(), []);
    let late = store.answer_permission(answer("r", allow(once())), 20).await.unwrap();
    assert_eq!(late, Answered::NoLongerAsked);
    let late = store.answer_question(reply("q", "yes"), 20).await.unwrap();
    assert_eq!(late, Answered::NoLongerAsked, "nothing was denied by it");
}

#[tokio::test]
async fn questions_are_answered_once() {
    let (_folder, store) = home();
    let id = start(&store, "t").await;
    store.append(&id, 10, vec![iteration(1), question("q", &id)]).await.unwrap();
    assert_eq!(store.open_questions().unwrap().len(), 1);
    assert_eq!(store.answer_question(reply("p", "yes"), 20).await.unwrap(), Answered::Unknown);
    assert!(matches!(store.answer_question(reply("q", "yes"), 20).await.unwrap(), Answered::Accepted(_)));
    assert_eq!(store.answer_question(reply("q", "yes"), 21).await.unwrap(), Answered::AlreadyTheSame);
    let said = Answered::AlreadySaid { text: "yes".to_owned() };
    assert_eq!(store.answer_question(reply("q", "no"), 22).await.unwrap(), said);
    assert_eq!(store.open_questions().unwrap(), []);
    assert_eq!(store.task(&id).unwrap().unwrap().state, TaskState::Running(RunningTask { iteration: 1 }));
}

fn question(id: &str, task: &TaskId) -> TaskEvent {
    let question = Question {
        id: RequestId::new(id),
        task: task.clone(),
        text: "Which folder?".to_owned().into(),
        choices: Vec::new(),
        created_at_ms: 10,
    };
    TaskEvent::QuestionAsked(QuestionAsked { question })
}
