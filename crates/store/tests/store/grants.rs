//! Tests of remembered answers.

use crate::support::*;
use deputy_protocol::*;
use deputy_store::Store;

const WORKSPACE: &str = "/home/me/project";

/// Answers a new request at 20, and returns the grants at 30.
async fn granted(store: &Store, task: &TaskId, request_id: &str, choice: Choice) -> Vec<Grant> {
    store.append(task, 10, vec![asked(request(request_id, task))]).await.unwrap();
    store.answer_permission(answer(request_id, choice), 20).await.unwrap();
    store.grants(None, 30).unwrap()
}

#[tokio::test]
async fn once_and_deny_are_not_remembered() {
    let (_folder, store) = home();
    let id = start(&store, "t").await;
    assert_eq!(granted(&store, &id, "r1", allow(once())).await, []);
    assert_eq!(granted(&store, &id, "r2", deny("no")).await, []);
}

#[tokio::test]
async fn a_lasting_answer_becomes_the_offered_grant() {
    let (_folder, store) = home();
    let id = start(&store, "t").await;
    let grants = granted(&store, &id, "r", allow(minutes(30))).await;
    let expected = Grant {
        id: grants[0].id.clone(),
        decision: Decision::Allow,
        rule: rule(),
        lifetime: minutes(30),
        workspace: WORKSPACE.to_owned(),
        request: Some(RequestId::new("r")),
        created_at_ms: 20,
        expires_at_ms: Some(20 + 30 * 60_000),
        revoked_at_ms: None,
    };
    assert_eq!(grants, [expected]);
    assert_eq!(store.grants(Some(WORKSPACE), 30).unwrap().len(), 1);
    assert_eq!(store.grants(Some("/home/me"), 30).unwrap(), []);
    assert_eq!(store.grants(None, 20 + 30 * 60_000).unwrap(), [], "it ran out");
}

#[tokio::test]
async fn a_grant_for_the_task_ends_with_it_and_one_for_always_does_not() {
    let (_folder, store) = home();
    let id = start(&store, "t").await;
    granted(&store, &id, "r1", allow(until_end_of(&id))).await;
    let both = granted(&store, &id, "r2", allow(always())).await;
    assert_eq!(
        both.iter().map(|grant| grant.lifetime.clone()).collect::<Vec<_>>(),
        [always(), until_end_of(&id)]
    );
    store.append(&id, 40, vec![stopped()]).await.unwrap();
    let left = store.grants(None, 40).unwrap();
    assert_eq!(left.iter().map(|grant| grant.lifetime.clone()).collect::<Vec<_>>(), [always()]);
}

#[tokio::test]
async fn revoking_ends_a_grant_once() {
    let (folder, store) = home();
    let id = start(&store, "t").await;
    let grants = granted(&store, &id, "r", allow(always())).await;
    assert!(store.revoke_grant(&grants[0].id, 40).await.unwrap());
    assert!(!store.revoke_grant(&grants[0].id, 41).await.unwrap());
    assert!(!store.revoke_grant(&GrantId::new("nothing"), 41).await.unwrap());
    drop(store);
    assert_eq!(Store::open(folder.path()).unwrap().grants(None, 50).unwrap(), []);
}
