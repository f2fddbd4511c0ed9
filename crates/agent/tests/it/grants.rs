//! Tests of remembered answers: what a person is shown before giving one, and how long it is valid, with a clock that
//! the test controls.

use crate::world::{World, deny};
use deputy_protocol::ErrorCode;
use deputy_protocol::*;
use deputy_testkit::{ScriptedPlanner, calls, done};
use serde_json::json;
use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 3_600);

/// A plan that writes a file, with other content each time.
fn write(file: &str, content: usize) -> AgentPlan {
    calls([("code", json!({"action": "write", "path": file, "content": format!("{content}\n")}))])
}

/// Creates a world whose planner writes these files, one for each task.
async fn world(files: &[&str]) -> World {
    let plans = files.iter().enumerate().flat_map(|(at, file)| [write(file, at), done("ok")]);
    let world = World::new(ScriptedPlanner::new(plans)).await;
    world.clock.set(1_750_000_000_000);
    world.home.write("a.txt", "a").unwrap();
    world
}

/// Starts the next task, in a conversation if one is given.
async fn start(world: &World, session: Option<&SessionId>) -> TaskId {
    let start = StartCommand { standing_consent: None, session: session.cloned(), ..world.start_command() };
    world.start(start).await
}

fn offered(request: &PermissionRequest, wanted: impl Fn(&Lifetime) -> bool) -> Lifetime {
    let offer = request.offered.iter().find(|offer| wanted(&offer.lifetime));
    offer.unwrap_or_else(|| panic!("not offered: {request:#?}")).lifetime.clone()
}

fn allow(lifetime: Lifetime) -> Choice {
    Choice::Allow(AllowChoice { lifetime, wider: false, dropped: Vec::new() })
}

/// Returns whether the next task asks. The request is denied, so that nothing changes.
async fn asks(world: &mut World, session: Option<&SessionId>) -> bool {
    start(world, session).await;
    let request = world
        .wait(|event| match event {
            TaskEvent::PermissionRequested(asked) => Some(Some(asked.request.clone())),
            TaskEvent::ToolStarted(_) => Some(None),
            _ => None,
        })
        .await;
    if let Some(request) = &request {
        world.decide(request, deny("no")).await.unwrap();
    }
    world.ended().await;
    request.is_some()
}

async fn preview(world: &World, request: &PermissionRequest, lifetime: Lifetime) -> GrantPreview {
    let query = PreviewGrantQuery { request: request.id.clone(), lifetime, wider: false };
    match world.host.query(HostQuery::PreviewGrant(query)).await.unwrap() {
        QueryAnswer::GrantPreview(preview) => preview,
        other => panic!("{other:?}"),
    }
}

const FILE: &str = "a.txt";

#[tokio::test]
async fn the_past_of_thirty_days_is_shown_before_a_grant() {
    let mut world = world(&[FILE, FILE, "b.txt", FILE, FILE]).await;
    // Too old to be included by the time of the preview.
    assert!(asks(&mut world, None).await);
    world.clock.advance(20 * DAY);
    // Denied, a different file, and allowed once.
    assert!(asks(&mut world, None).await);
    assert!(asks(&mut world, None).await);
    world.clock.advance(DAY / 2);
    let task = start(&world, None).await;
    let request = world.requested().await;
    world.decide(&request, crate::world::allow_once()).await.unwrap();
    world.ended().await;
    world.clock.advance(11 * DAY);

    start(&world, None).await;
    let request = world.requested().await;
    let always = offered(&request, |lifetime| matches!(lifetime, Lifetime::Always(_)));
    let seen = preview(&world, &request, always.clone()).await;
    assert_eq!((seen.days, seen.calls, seen.refused, seen.and_more), (30, 2, 1, false), "{seen:#?}");
    assert_eq!(seen.samples[0].task, task, "the newest first");
    assert_eq!(seen.samples.iter().map(|call| call.refused).collect::<Vec<_>>(), [false, true]);
    let once = offered(&request, |lifetime| matches!(lifetime, Lifetime::Once(_)));
    assert_eq!(preview(&world, &request, once).await.calls, 0, "once covers nothing else");
    let unknown = PreviewGrantQuery { request: RequestId::new("r-none"), lifetime: always, wider: false };
    let error = world.host.query(HostQuery::PreviewGrant(unknown)).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::UnknownRequest);
    // The preview created no grant.
    let grants = world.host.store().grants(None, world.clock.now_ms()).unwrap();
    assert!(grants.is_empty(), "{grants:?}");
}

#[tokio::test]
async fn minutes_end_by_the_clock() {
    let mut world = world(&[FILE; 4]).await;
    start(&world, None).await;
    let request = world.requested().await;
    let minutes = offered(&request, |lifetime| matches!(lifetime, Lifetime::Minutes(_)));
    let Lifetime::Minutes(MinutesLifetime { minutes: count }) = &minutes else { panic!() };
    let span = Duration::from_secs(u64::from(*count) * 60);
    world.decide(&request, allow(minutes)).await.unwrap();
    world.ended().await;
    world.clock.advance(span - Duration::from_secs(1));
    assert!(!asks(&mut world, None).await, "it still holds");
    world.clock.advance(Duration::from_secs(1));
    assert!(asks(&mut world, None).await, "it holds no longer");
    world.clock.advance(DAY);
    assert!(asks(&mut world, None).await);
}

/// Regression test: setting the clock back made expired rules and grants valid again.
#[tokio::test]
async fn what_is_over_stays_over_when_the_clock_is_set_back() {
    let mut world = world(&[FILE; 3]).await;
    // It expires on 20 June 2025; the clock is at 15 June.
    let rule =
        "[[rule]]\neffect = \"allow\"\ntool = \"write\"\npattern = \".*/a.txt\"\nexpires = 2025-06-20\n";
    std::fs::write(world.home.path().join("rules.toml"), rule).unwrap();
    assert!(!asks(&mut world, None).await, "the rule holds");
    world.clock.advance(10 * DAY);
    start(&world, None).await;
    let request = world.requested().await;
    let minutes = offered(&request, |lifetime| matches!(lifetime, Lifetime::Minutes(_)));
    world.decide(&request, allow(minutes)).await.unwrap();
    world.ended().await;
    world.clock.advance(DAY);
    // The host notices the expiry.
    world.host.now_ms();
    world.clock.set(1_750_000_000_000);
    assert!(asks(&mut world, None).await, "neither the rule nor the grant holds again");
}

#[tokio::test]
async fn a_task_and_a_conversation_bound_what_they_remember() {
    let plans = [write(FILE, 0), write(FILE, 1), done("ok")].into_iter();
    let later = (2..5).flat_map(|at| [write(FILE, at), done("ok")]);
    let mut world = World::new(ScriptedPlanner::new(plans.chain(later))).await;
    world.home.write("a.txt", "a").unwrap();
    // For the task: its second call is not asked about, but the next task's call is.
    let task = start(&world, None).await;
    let request = world.requested().await;
    let lifetime = offered(&request, |lifetime| matches!(lifetime, Lifetime::Task(_)));
    world.decide(&request, allow(lifetime)).await.unwrap();
    world.ended().await;
    let asked = world.events_of(&task).into_iter();
    assert_eq!(asked.filter(|event| matches!(event, TaskEvent::PermissionRequested(_))).count(), 1);
    // For the conversation.
    let session = SessionId::new("s-1");
    start(&world, Some(&session)).await;
    let request = world.requested().await;
    let lifetime = offered(&request, |lifetime| matches!(lifetime, Lifetime::Session(_)));
    world.decide(&request, allow(lifetime)).await.unwrap();
    world.ended().await;
    assert!(!asks(&mut world, Some(&session)).await, "the same conversation");
    assert!(asks(&mut world, Some(&SessionId::new("s-2"))).await, "another one");
}

#[tokio::test]
async fn always_holds_until_it_is_revoked() {
    let mut world = world(&[FILE; 3]).await;
    start(&world, None).await;
    let request = world.requested().await;
    let always = offered(&request, |lifetime| matches!(lifetime, Lifetime::Always(_)));
    world.decide(&request, allow(always)).await.unwrap();
    world.ended().await;
    world.clock.advance(400 * DAY);
    assert!(!asks(&mut world, None).await);
    let grants = world.host.store().grants(None, world.clock.now_ms()).unwrap();
    let revoke = RevokeGrantCommand { grant: grants[0].id.clone() };
    world.command(HostCommand::RevokeGrant(revoke)).await.unwrap();
    assert!(asks(&mut world, None).await);
}

/// The yes for the folder covers edits and commands of the task alike, and nothing of another one.
#[tokio::test]
async fn the_yes_for_the_folder_holds_for_every_tool_of_its_task() {
    let shell = |command: &str| calls([("shell", json!({"command": command}))]);
    let plans = [
        write(FILE, 0),
        shell("for i in 1 2; do echo $i >> b.txt; done"),
        write("deep/c.txt", 1),
        shell("rm a.txt && python3 - <<'EOF'\nopen('d.txt', 'w').write('d')\nEOF"),
        done("ok"),
        write(FILE, 2),
        done("ok"),
    ];
    let mut world = World::new(ScriptedPlanner::new(plans)).await;
    let task = start(&world, None).await;
    let request = world.requested().await;
    let is_yes = |offer: &&Offer| matches!(offer.rule, Some(GrantRule::Folder(_)));
    let yes = request.offered.iter().find(is_yes).unwrap();
    let query =
        PreviewGrantQuery { request: request.id.clone(), lifetime: yes.lifetime.clone(), wider: true };
    let QueryAnswer::GrantPreview(preview) = world.host.query(HostQuery::PreviewGrant(query)).await.unwrap()
    else {
        panic!()
    };
    assert!(preview.label.contains("without a network"), "{preview:#?}");
    let choice = AllowChoice { lifetime: yes.lifetime.clone(), wider: true, dropped: Vec::new() };
    world.decide(&request, Choice::Allow(choice)).await.unwrap();
    assert_eq!(world.ended().await.reason, StopReason::Completed);
    let asked = world.events_of(&task).into_iter();
    assert_eq!(asked.filter(|event| matches!(event, TaskEvent::PermissionRequested(_))).count(), 1);
    assert_eq!(world.home.read("b.txt").unwrap(), "1\n2\n");
    assert_eq!(world.home.read("d.txt").unwrap(), "d");
    assert!(world.home.read(FILE).is_err());
    assert!(asks(&mut world, None).await, "another task asks");
}

#[tokio::test]
async fn a_wider_answer_that_is_not_offered_is_refused() {
    let mut world = world(&[FILE]).await;
    start(&world, None).await;
    let request = world.requested().await;
    let always = offered(&request, |lifetime| matches!(lifetime, Lifetime::Always(_)));
    let wide = Choice::Allow(AllowChoice { lifetime: always, wider: true, dropped: Vec::new() });
    assert_eq!(world.decide(&request, wide).await.unwrap_err().code, ErrorCode::NotOffered);
    world.decide(&request, deny("no")).await.unwrap();
    world.ended().await;
}
