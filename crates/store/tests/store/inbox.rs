//! Tests of the inbox: at most twenty open requests, no two about the same call; nothing is dropped or allowed by
//! waiting.

use crate::support::*;
use deputy_protocol::*;
use deputy_store::{Answered, MAX_OPEN_QUESTIONS, MAX_OPEN_REQUESTS, Place, Refusal, Store, StoreError};

/// Returns a request for the call number `n`.
fn numbered(n: usize, task: &TaskId) -> PermissionRequest {
    PermissionRequest { digest: Digest::new(format!("{n:064}")), ..request(&format!("r{n}"), task) }
}

fn ids(store: &Store) -> Vec<RequestId> {
    store.open_requests().unwrap().into_iter().map(|request| request.id).collect()
}

async fn say_no(store: &Store, request: &PermissionRequest) {
    let answer =
        PermissionAnswer { digest: request.digest.clone(), ..answer(request.id.as_str(), deny("no")) };
    assert!(matches!(store.answer_permission(answer, 20).await.unwrap(), Answered::Accepted(_)));
}

/// Returns how many tasks ask. The documented limit is 5,000.
fn all() -> usize {
    std::env::var("DEPUTY_REQUESTS").map_or(300, |count| count.parse().unwrap())
}

/// Many tasks ask: each gets its turn, and the number of open requests stays within the limit.
#[tokio::test]
async fn thousands_of_requests_come_through_twenty_places() {
    let all = all();
    let (_folder, store) = home();
    let mut tasks = Vec::new();
    for n in 0..all {
        let id = task(&format!("t{n}"));
        tasks.push((id.clone(), store.append(&id, 1, vec![created(id.as_str(), "s", "goal")])));
    }
    let mut line = std::collections::VecDeque::new();
    for (n, (id, made)) in tasks.into_iter().enumerate() {
        made.await.unwrap();
        line.push_back(numbered(n, &id));
    }
    let mut answered = 0;
    while let Some(next) = line.pop_front() {
        let seq = store.last_seq().unwrap();
        match store.append(&next.task, 10, vec![iteration(1), asked(next.clone())]).await {
            Ok(_) => {}
            Err(StoreError::InboxFull { open }) => {
                assert_eq!(open, MAX_OPEN_REQUESTS);
                assert_eq!(store.last_seq().unwrap(), seq, "refused as a whole");
                assert_eq!(store.place(&next.digest).unwrap(), Place::Full);
                line.push_front(next);
                let oldest = store.open_requests().unwrap().remove(0);
                say_no(&store, &oldest).await;
                answered += 1;
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(answered, all - MAX_OPEN_REQUESTS as usize);
    assert_eq!(ids(&store).len(), MAX_OPEN_REQUESTS as usize);
    store.check_integrity().unwrap();
}

#[tokio::test]
async fn the_same_call_is_open_once() {
    let (_folder, store) = home();
    let (one, two) = (start(&store, "one").await, start(&store, "two").await);
    let first = numbered(1, &one);
    let second = PermissionRequest { id: RequestId::new("second"), ..numbered(1, &two) };
    assert_eq!(store.place(&first.digest).unwrap(), Place::Free);
    store.append(&one, 10, vec![iteration(1), asked(first.clone())]).await.unwrap();
    assert_eq!(store.place(&first.digest).unwrap(), Place::Equal(first.id.clone()));
    let refused = store.append(&two, 10, vec![iteration(1), asked(second.clone())]).await.unwrap_err();
    assert!(matches!(&refused, StoreError::AskedAlready { request } if *request == first.id), "{refused}");
    assert_eq!(ids(&store), std::slice::from_ref(&first.id));
    assert!(store.request(&second.id).unwrap().is_none());

    let mut closed = store.requests_closed();
    let while_it_is_open = store.last_seq().unwrap();
    assert_eq!(store.refusal_since(&first.digest, while_it_is_open).unwrap(), None);
    say_no(&store, &first).await;
    assert!(closed.has_changed().unwrap());
    closed.mark_unchanged();
    let refusal = Refusal { request: first.id.clone(), asked_by: one, reason: "no".into(), by: terminal() };
    assert_eq!(store.refusal_since(&first.digest, while_it_is_open).unwrap(), Some(refusal.clone()));
    assert_eq!(store.refusal_since(&digest('b'), while_it_is_open).unwrap(), None);
    let afterwards = store.last_seq().unwrap();
    assert_eq!(store.refusal_since(&first.digest, afterwards).unwrap(), None);
    store.append(&two, 30, vec![iteration(1), asked(second.clone())]).await.unwrap();
    assert!(!closed.has_changed().unwrap(), "a request was opened, and none closed");
    assert_eq!(ids(&store), std::slice::from_ref(&second.id));
    // A denial of a request that was opened and closed since is found as well.
    say_no(&store, &second).await;
    let refusal = Refusal { request: second.id, asked_by: two, ..refusal };
    assert_eq!(store.refusal_since(&first.digest, afterwards).unwrap(), Some(refusal));
}

/// Requests and questions have separate limits: a flood of one does not block the other.
#[tokio::test]
async fn no_more_than_twenty_questions_are_open() {
    let (_folder, store) = home();
    let id = start(&store, "t").await;
    let ask = |n: usize| {
        let question = Question {
            id: RequestId::new(format!("q{n}")),
            task: id.clone(),
            text: "What is meant?".to_owned().into(),
            choices: Vec::new(),
            created_at_ms: 10,
        };
        store.append(&id, 10, vec![TaskEvent::QuestionAsked(QuestionAsked { question })])
    };
    for n in 0..MAX_OPEN_QUESTIONS as usize {
        assert_eq!(store.question_place().unwrap(), Place::Free);
        ask(n).await.unwrap();
    }
    assert_eq!(store.question_place().unwrap(), Place::Full);
    let seq = store.last_seq().unwrap();
    assert!(matches!(ask(99).await, Err(StoreError::InboxFull { open: MAX_OPEN_QUESTIONS })));
    assert_eq!((store.last_seq().unwrap(), store.open_questions().unwrap().len()), (seq, 20));
    // Asked again with the same id after a restart, it keeps its place.
    ask(3).await.unwrap();
    assert_eq!(store.place(&digest('a')).unwrap(), Place::Free);
    store.append(&id, 11, vec![asked(numbered(1, &id))]).await.unwrap();
    let closed = store.requests_closed();
    store.answer_question(reply("q3", "this"), 12).await.unwrap();
    assert!(closed.has_changed().unwrap(), "who waits for a place is told");
    ask(99).await.unwrap();
    store.check_integrity().unwrap();
}

/// A request that standing consent answers immediately needs no place.
#[tokio::test]
async fn what_is_answered_at_once_needs_no_place() {
    let (_folder, store) = home();
    let id = start(&store, "t").await;
    for n in 0..MAX_OPEN_REQUESTS as usize {
        store.append(&id, 10, vec![asked(numbered(n, &id))]).await.unwrap();
    }
    let more = PermissionRequest { id: RequestId::new("more"), ..numbered(3, &id) };
    let answered = PermissionAnswered {
        request: more.id.clone(),
        call: more.call.clone(),
        digest: more.digest.clone(),
        choice: allow(once()),
        by: Answerer::Standing(StandingAnswerer { up_to: Risk::Medium }),
    };
    let events = vec![asked(more.clone()), TaskEvent::PermissionAnswered(answered)];
    store.append(&id, 11, events).await.unwrap();
    assert!(matches!(
        store.append(&id, 12, vec![asked(numbered(99, &id))]).await,
        Err(StoreError::InboxFull { .. })
    ));
    // Asked again with the same id, it keeps its place.
    store.append(&id, 13, vec![asked(numbered(3, &id))]).await.unwrap();
}

/// Asks about a call that touches these paths.
async fn ask_about(store: &Store, task: &TaskId, n: usize, touches: &[&str]) -> PermissionRequest {
    let request = numbered(n, task);
    let touches = touches.iter().map(|path| (*path).to_owned()).collect();
    let asked = PermissionRequested { request: request.clone(), touches };
    store.append(task, 10, vec![TaskEvent::PermissionRequested(asked)]).await.unwrap();
    request
}

async fn decide(store: &Store, request: &PermissionRequest, choice: Choice, by: Answerer) {
    let answer = PermissionAnswer { request: request.id.clone(), digest: request.digest.clone(), choice, by };
    let answered = store.answer_permission(answer, 20).await.unwrap();
    assert!(matches!(answered, Answered::Accepted(_)), "{answered:?}");
}

#[tokio::test]
async fn answers_about_paths_are_those_of_people_in_the_whole_family_of_a_task() {
    let (_folder, store) = home();
    let [above, other] = [start(&store, "above").await, start(&store, "other").await];
    let mut part = spec("part", "s", "a part");
    part.parent = Some(ParentCall { task: above.clone(), call: CallId::of(&above, 1, 1) });
    let below = part.id.clone();
    store
        .append(&below, 5, vec![TaskEvent::Created(Created { spec: part, notice: None, named: Vec::new() })])
        .await
        .unwrap();

    let allowed = ask_about(&store, &above, 1, &["/w/before"]).await;
    decide(&store, &allowed, allow(once()), terminal()).await;
    assert_eq!(store.answered_paths(&above).unwrap(), [], "nothing is refused yet");
    let without_paths = ask_about(&store, &above, 2, &[]).await;
    decide(&store, &without_paths, deny("no"), terminal()).await;
    let expired = ask_about(&store, &above, 3, &["/w/expired"]).await;
    decide(&store, &expired, deny("nobody answered"), Answerer::Expiry(ExpiryAnswerer {})).await;
    let refused = ask_about(&store, &below, 4, &["/w/build", "/w/b"]).await;
    decide(&store, &refused, deny("keep it"), terminal()).await;
    // At the same time of the clock.
    let lifted = ask_about(&store, &above, 5, &["/w/b"]).await;
    decide(&store, &lifted, allow(once()), terminal()).await;
    let consented = ask_about(&store, &above, 6, &["/w/build"]).await;
    let standing = Answerer::Standing(StandingAnswerer { up_to: Risk::High });
    decide(&store, &consented, allow(once()), standing).await;

    for task in [&above, &below] {
        let answers = store.answered_paths(task).unwrap();
        let paths: Vec<_> = answers.iter().map(|answer| answer.touches.join(" ")).collect();
        assert_eq!(paths, ["/w/before", "/w/build /w/b", "/w/b"], "{task}");
        assert_eq!(answers[1].choice, deny("keep it"));
    }
    assert_eq!(store.answered_paths(&other).unwrap(), []);
    let shared = RefusalShared {
        call: CallId::of(&other, 1, 1),
        digest: refused.digest.clone(),
        request: refused.id.clone(),
        asked_by: below,
        reason: "keep it".into(),
        by: terminal(),
    };
    store.append(&other, 30, vec![TaskEvent::RefusalShared(shared)]).await.unwrap();
    let answers = store.answered_paths(&other).unwrap();
    assert_eq!(answers.iter().map(|answer| answer.touches.len()).collect::<Vec<_>>(), [2], "{answers:?}");
}
