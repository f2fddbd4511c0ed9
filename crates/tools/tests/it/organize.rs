//! `organize`: what a call touches, what is asked, and the state after a crash.

use crate::support::{Desk, set_date};
use deputy_protocol::{Access, CallStatus, Confinement, Effect, Facts, Risk, ToolResult};
use deputy_tools::{InvalidCall, Left, OrganizeHome, Registry};
use serde_json::{Value, json};

fn registry(desk: &Desk) -> Registry {
    let deputy = desk.place.home.join("deputy");
    Registry::standard().organizing(OrganizeHome::of(&deputy, &desk.place.home))
}

fn facts(desk: &Desk, parameters: Value) -> Result<Facts, InvalidCall> {
    registry(desk).get("organize").unwrap().facts(&parameters, &desk.place)
}

async fn run(desk: &Desk, parameters: Value) -> ToolResult {
    registry(desk).get("organize").unwrap().run(&parameters, &desk.cx).await
}

fn left(desk: &Desk, parameters: Value) -> Left {
    registry(desk).get("organize").unwrap().left(&desk.cx.call, &parameters)
}

fn inbox() -> Desk {
    let desk = Desk::new();
    for name in ["song.mp3", "song copy.mp3", "notes/a.txt", ".env", "server.key"] {
        let content = if name.ends_with("mp3") { "la la" } else { name };
        set_date(&desk.put(name, content), "2024-05-06");
    }
    desk
}

fn submit(operations: Value) -> Value {
    json!({"action": "submit_plan", "operations": operations})
}

#[test]
fn the_facts_of_a_plan_are_its_steps_as_they_would_be_executed() {
    let desk = inbox();
    let facts = facts(
        &desk,
        submit(json!([
            {"type": "move", "path": "song.mp3", "to": "Music/song.mp3"},
            {"type": "copy", "path": "notes/a.txt", "to": "b.txt"},
        ])),
    )
    .unwrap();
    assert_eq!((facts.effect, facts.risk), (Effect::Mutating, Risk::Medium));
    let base = desk.place.workspace.to_str().unwrap();
    let told: Vec<String> = facts
        .accesses
        .iter()
        .map(|access| match access {
            Access::Write(write) => format!("write {}", write.path),
            Access::Move(moved) => format!("move {} {}", moved.path, moved.dest),
            Access::Copy(copied) => format!("copy {} {}", copied.path, copied.dest),
            other => panic!("{other:?}"),
        })
        .collect();
    let expected = [
        format!("write {base}/Music"),
        format!("move {base}/song.mp3 {base}/Music/song.mp3"),
        format!("copy {base}/notes/a.txt {base}/b.txt"),
    ];
    assert_eq!(told, expected);
    let shown = facts.diff.unwrap();
    assert!(
        shown.contains("After:") && shown.contains("Operations:") && shown.contains("Before:"),
        "{shown}"
    );
    let trash = submit(json!([{"type": "trash", "path": "song.mp3"}]));
    assert_eq!(self::facts(&desk, trash).unwrap().risk, Risk::High);
}

#[test]
fn what_cannot_be_done_is_said_by_operation_before_anybody_is_asked() {
    let desk = inbox();
    for (parameters, words) in [
        (submit(json!([])), "no operations"),
        (submit(json!([{"type": "move", "path": "song.mp3"}])), "`to` is missing"),
        (submit(json!([{"type": "trash", "path": "../home"}])), ".."),
        (submit(json!([{"type": "trash", "path": "nothing"}])), "o1"),
        (json!({"action": "submit_plan", "draft": "0123"}), "no draft `0123`"),
        (json!({"action": "submit_plan", "paths": ["nowhere"], "operations": []}), "paths[0]"),
        (json!({"action": "scan", "convention": "camelCase"}), "camelCase"),
        (json!({"action": "undo", "job": "j0"}), "j0"),
        (json!({"action": "fly"}), "submit_plan"),
    ] {
        let error = facts(&desk, parameters.clone()).unwrap_err().to_string();
        assert!(error.contains(words), "{parameters}: {error}");
    }
    let many: Vec<Value> =
        (0..50_000).map(|n| json!({"type": "create_folder", "path": format!("f{n}")})).collect();
    let error = facts(&desk, submit(json!(many))).unwrap_err().to_string();
    assert!(error.contains("50000"), "{error}");
}

#[tokio::test]
async fn a_scan_drafts_a_plan_without_secrets_which_is_submitted_and_taken_back() {
    let mut desk = inbox();
    let scanned = run(&desk, json!({"action": "scan"})).await;
    assert_eq!(scanned.status, CallStatus::Ok, "{scanned:?}");
    assert!(
        !scanned.content.contains("server.key") && scanned.content.contains("copies: "),
        "{}",
        scanned.content
    );
    let draft = scanned.content.lines().find_map(|line| line.strip_prefix("draft: ")).unwrap().to_owned();
    let call = json!({"action": "submit_plan", "draft": draft});
    assert_eq!(left(&desk, call.clone()), Left::NotBegun);

    desk.cx.confinement = Confinement::ReadOnly;
    assert_eq!(run(&desk, call.clone()).await.status, CallStatus::Denied);
    desk.cx.confinement = Confinement::Workspace;
    let done = run(&desk, call.clone()).await;
    assert_eq!(done.status, CallStatus::Ok, "{done:?}");
    assert_eq!(desk.names("."), [".env", "Audio", "notes", "server.key"]);
    // Repeating the call, as after a crash, finds its job done and does nothing twice.
    assert!(matches!(left(&desk, call.clone()), Left::Begun(rest) if rest.accesses.is_empty()));
    assert_eq!(run(&desk, call).await.status, CallStatus::Ok);

    let status = run(&desk, json!({"action": "status"})).await;
    assert_eq!(status.summary, "1 job");
    let job = OrganizeHome::job_of(&desk.cx.call);
    desk.cx.call = deputy_protocol::CallId::new("t-2-1");
    let undo = json!({"action": "undo", "job": job});
    assert!(!facts(&desk, undo.clone()).unwrap().accesses.is_empty());
    assert_eq!(run(&desk, undo).await.status, CallStatus::Ok);
    assert_eq!(desk.names("."), [".env", "notes", "server.key", "song copy.mp3", "song.mp3"]);
}

#[tokio::test]
async fn conventions_are_suggested_with_an_example_and_figures() {
    let desk = inbox();
    let found = run(&desk, json!({"action": "suggest_conventions"})).await;
    assert_eq!(found.summary, "3 suggestions");
    let first = found.content.lines().next().unwrap();
    assert!(first.contains("confidence") && first.contains("of 3 files follow it already"), "{first}");
}
