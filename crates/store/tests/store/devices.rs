//! Tests of devices and their signed answers: revoked, expired and reused, by the caller's clock.

use crate::support::*;
use deputy_protocol::*;
use deputy_store::{Answered, PairedDevice, Store};
use tempfile::TempDir;

const PAIRED: i64 = 1;

fn device(id: &str, scopes: &[DeviceScope]) -> PairedDevice {
    let device = Device {
        id: DeviceId::new(id),
        name: format!("the device {id}"),
        scopes: scopes.to_vec(),
        paired_at_ms: PAIRED,
        last_seen_ms: None,
        revoked_at_ms: None,
    };
    PairedDevice { device, sign_key: vec![4; 65], seal_key: None, endpoint: None }
}

fn signed(device: &str, nonce: &str, expires_at_ms: i64, choice: Choice) -> PermissionAnswer {
    let by = Answerer::Device(DeviceAnswerer {
        device: DeviceId::new(device),
        name: String::new(),
        expires_at_ms,
        nonce: nonce.to_owned(),
        signature: "checked before".to_owned(),
    });
    PermissionAnswer { by, ..answer("r", choice) }
}

/// Creates two devices, and a task with the open request `r`.
async fn parked() -> (TempDir, Store, TaskId) {
    let (folder, store) = home();
    let id = start(&store, "t").await;
    store.append(&id, 10, vec![iteration(1), asked(request("r", &id))]).await.unwrap();
    let scopes = [DeviceScope::Monitor, DeviceScope::Approve];
    for (id, scopes) in [("phone", &scopes[..]), ("tablet", &scopes[..]), ("watch", &scopes[..1])] {
        store.insert_device(device(id, scopes)).await.unwrap();
    }
    (folder, store, id)
}

#[tokio::test]
async fn a_signed_answer_is_good_for_two_minutes_and_for_devices_that_may() {
    let (_folder, store, _) = parked().await;
    store.revoke_device(&DeviceId::new("tablet"), 15).await.unwrap();
    let cases = [
        (signed("phone", "n", 20, allow(once())), Answered::SignatureOver),
        (signed("phone", "n", 20 + 120_001, allow(once())), Answered::SignatureOver),
        (signed("tablet", "n", 1_000, allow(once())), Answered::NotAllowed),
        (signed("watch", "n", 1_000, allow(once())), Answered::NotAllowed),
        (signed("nobody", "n", 1_000, deny("")), Answered::NotAllowed),
        (signed("phone", "n", 1_000, allow(minutes(7))), Answered::NotOffered),
    ];
    for (answer, wanted) in cases {
        assert_eq!(store.answer_permission(answer.clone(), 20).await.unwrap(), wanted, "{answer:?}");
    }
    let accepted =
        store.answer_permission(signed("phone", "n", 20 + 120_000, allow(once())), 20).await.unwrap();
    assert!(matches!(accepted, Answered::Accepted(_)), "{accepted:?}");
}

#[tokio::test]
async fn the_winning_answer_may_be_sent_again_and_its_nonce_is_used_up() {
    let (_folder, store, id) = parked().await;
    let first = signed("phone", "n", 1_000, allow(once()));
    assert!(matches!(store.answer_permission(first.clone(), 20).await.unwrap(), Answered::Accepted(_)));
    // Its client never got the reply, and sends it again much later.
    assert_eq!(store.answer_permission(first, 900_000).await.unwrap(), Answered::AlreadyTheSame);
    let replay = signed("tablet", "n", 1_000, allow(once()));
    assert_eq!(store.answer_permission(replay, 30).await.unwrap(), Answered::Replayed);
    store
        .append(&id, 40, vec![asked(PermissionRequest { id: RequestId::new("s"), ..request("r", &id) })])
        .await
        .unwrap();
    let other =
        PermissionAnswer { request: RequestId::new("s"), ..signed("phone", "n", 1_000, allow(once())) };
    assert_eq!(store.answer_permission(other, 50).await.unwrap(), Answered::Replayed);
    assert_eq!(store.open_requests().unwrap().len(), 1);
}

#[tokio::test]
async fn of_a_yes_and_a_no_that_wait_together_the_no_wins() {
    for _ in 0..50 {
        let (_folder, store, _) = parked().await;
        // The first write keeps the writer busy, so that both answers wait for the next commit.
        let watch = DeviceId::new("watch");
        let (_, yes, no) = tokio::join!(
            store.device_seen(&watch, 19),
            store.answer_permission(signed("phone", "a", 1_000, allow(once())), 20),
            store.answer_permission(signed("tablet", "b", 1_000, deny("no")), 20),
        );
        let (yes, no) = (yes.unwrap(), no.unwrap());
        match (&yes, &no) {
            (Answered::AlreadyOther { choice, .. }, Answered::Accepted(_)) => assert_eq!(*choice, deny("no")),
            // They were in different commits: the approval was committed with the first write.
            (Answered::Accepted(_), Answered::AlreadyOther { .. }) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn what_is_dangerous_is_allowed_only_once_from_afar() {
    let (_folder, store, id) = parked().await;
    let dangerous = PermissionRequest {
        id: RequestId::new("s"),
        risk: Risk::High,
        digest: digest('b'),
        ..request("r", &id)
    };
    store.append(&id, 11, vec![asked(dangerous)]).await.unwrap();
    let answer = |choice| PermissionAnswer {
        request: RequestId::new("s"),
        digest: digest('b'),
        ..signed("phone", "n", 1_000, choice)
    };
    let lasting =
        request("r", &id).offered.into_iter().map(|offer| offer.lifetime).find(|l| *l != once()).unwrap();
    assert_eq!(store.answer_permission(answer(allow(lasting)), 20).await.unwrap(), Answered::NotOffered);
    assert!(matches!(
        store.answer_permission(answer(allow(once())), 20).await.unwrap(),
        Answered::Accepted(_)
    ));
}

#[tokio::test]
async fn devices_are_renamed_seen_and_revoked_once() {
    let (_folder, store, _) = parked().await;
    let (phone, nobody) = (DeviceId::new("phone"), DeviceId::new("nobody"));
    assert!(store.rename_device(&phone, "Ada's phone").await.unwrap());
    assert!(!store.rename_device(&nobody, "x").await.unwrap());
    let endpoint = "https://push.example/up1";
    assert!(store.reach_device(&phone, Some(endpoint)).await.unwrap());
    assert!(!store.reach_device(&nobody, Some(endpoint)).await.unwrap());
    assert_eq!(store.device(&phone).unwrap().unwrap().endpoint.as_deref(), Some(endpoint));
    store.device_seen(&phone, 30).await.unwrap();
    assert!(store.revoke_device(&phone, 40).await.unwrap());
    assert!(!store.revoke_device(&phone, 50).await.unwrap());
    assert!(!store.reach_device(&phone, None).await.unwrap());
    let found = store.device(&phone).unwrap().unwrap().device;
    assert_eq!(
        (found.name.as_str(), found.last_seen_ms, found.revoked_at_ms),
        ("Ada's phone", Some(30), Some(40))
    );
    let names: Vec<_> = store.devices().unwrap().into_iter().map(|paired| paired.device.id.0).collect();
    assert_eq!(names, ["phone", "tablet", "watch"]);
}
