//! What policy decides about the facts of the tools, and that a call can then do what it was allowed.

use crate::support::Desk;
use deputy_policy::{Ruling, Situation, decide};
use deputy_protocol::{CallStatus, Confinement, Decision, Risk, ToolResult};
use serde_json::{Value, json};

fn situation(desk: &Desk) -> Situation {
    Situation {
        walls: true,
        ..Situation::new(
            desk.place.home.clone(),
            desk.place.workspace.clone(),
            desk.place.home.join("deputy"),
        )
    }
}

/// Decides like the loop, and runs the call accordingly, as if a person had said yes.
async fn decide_and_run(desk: &mut Desk, tool: &str, call: Value) -> (Ruling, ToolResult) {
    let situation = situation(desk);
    let ruling = decide(&situation, &desk.facts(tool, call.clone()).unwrap());
    desk.cx.confinement = ruling.verdict.confinement;
    desk.cx.execution = ruling.execution.clone();
    desk.cx.hidden = deputy_policy::path::secrets(&situation);
    desk.cx.frozen = deputy_policy::path::frozen(&situation.workspace);
    let result = desk.run(tool, call).await;
    (ruling, result)
}

#[tokio::test]
async fn decided_and_done() {
    use CallStatus::{Failed, Ok};
    use Confinement::{ReadOnly, Workspace};
    use Decision::{Allow, Ask, Deny};
    let mut desk = Desk::new();
    desk.put("a.txt", "one\ntwo\n");
    desk.put(".env", "TOKEN=hush");
    desk.put("sub/.env", "TOKEN=hush");
    std::fs::write(desk.place.home.join("notes.txt"), "note").unwrap();
    let cases = [
        ("search", json!({"action": "ls"}), Allow, ReadOnly, Ok),
        ("search", json!({"action": "grep", "pattern": "o", "hidden": true}), Allow, ReadOnly, Ok),
        ("search", json!({"action": "duplicates", "hidden": true}), Allow, ReadOnly, Ok),
        ("search", json!({"action": "tail", "path": "a.txt"}), Allow, ReadOnly, Ok),
        ("code", json!({"action": "read", "path": "a.txt"}), Allow, ReadOnly, Ok),
        ("code", json!({"action": "read", "path": "~/notes.txt"}), Ask, ReadOnly, Ok),
        ("code", json!({"action": "read", "path": ".env"}), Ask, ReadOnly, Failed),
        ("code", json!({"action": "patch", "path": ".env", "old": "T", "new": "t"}), Deny, Workspace, Failed),
        ("code", json!({"action": "write", "path": "b.txt", "content": "b"}), Ask, Workspace, Ok),
        ("code", json!({"action": "patch", "path": "a.txt", "old": "two", "new": "2"}), Ask, Workspace, Ok),
        ("code", json!({"action": "create_dir", "path": "new/folder"}), Ask, Workspace, Ok),
        ("shell", json!({"command": "wc -l a.txt"}), Allow, ReadOnly, Ok),
        ("shell", json!({"command": "cat a.txt | head -1"}), Allow, ReadOnly, Ok),
        ("shell", json!({"command": "touch made"}), Ask, Workspace, Ok),
    ];
    for (tool, call, decision, confinement, status) in cases {
        let (ruling, result) = decide_and_run(&mut desk, tool, call.clone()).await;
        let verdict = &ruling.verdict;
        assert_eq!(
            (verdict.decision, verdict.confinement),
            (decision, confinement),
            "{call}: {:?}",
            verdict.reasons
        );
        assert_eq!(result.status, status, "{call}: {}", result.content);
        assert!(!result.content.contains("hush"), "{call}: {}", result.content);
    }
    assert_eq!((desk.text("a.txt").as_str(), desk.text("b.txt").as_str()), ("one\n2\n", "b"));
    assert!(desk.path("made").exists() && desk.path("new/folder").is_dir());
}

/// Moving, deleting and patching is no way to a secret, or to a file that starts programs.
#[tokio::test]
async fn secrets_and_files_that_start_programs_are_neither_moved_nor_deleted_nor_patched() {
    let mut desk = Desk::new();
    desk.put("a.txt", "one\n");
    desk.put(".env", "TOKEN=hush\n");
    desk.put(".git/config", "[core]\n");
    desk.put(".git/hooks/pre-commit", "#!/bin/sh\n");
    std::fs::write(desk.place.home.join("notes.txt"), "note").unwrap();
    let patch = |body: &str| format!("*** Begin Patch\n*** Delete File: a.txt\n{body}\n*** End Patch");
    let moved = |from: &str, to: &str| json!({"action": "move", "from": from, "to": to});
    let mut calls = vec![
        moved(".env", "plain.txt"),
        moved("./sub/../.env", "plain.txt"),
        moved("a.txt", ".env"),
        moved("a.txt", ".git/hooks/post-checkout"),
        moved(".git/hooks/pre-commit", "hook"),
        moved("a.txt", "~/.bashrc"),
        json!({"action": "delete", "path": ".env"}),
        json!({"action": "delete", "path": ".git/config"}),
        json!({"action": "delete", "path": ".git/hooks/pre-commit"}),
    ];
    let bodies = [
        "*** Update File: .env\n@@\n-TOKEN=hush\n+TOKEN=mine",
        "*** Update File: .env\n*** Move to: plain.txt\n@@\n TOKEN=hush\n+x",
        "*** Delete File: .env",
        "*** Add File: .git/hooks/post-checkout\n+#!/bin/sh",
        "*** Update File: .git/config\n@@\n [core]\n+\tfsmonitor = touch ran",
        "*** Update File: ../home/notes.txt\n@@\n-note\n+other",
    ];
    calls.extend(bodies.map(|body| json!({"action": "apply_patch", "patch": patch(body)})));
    for call in calls {
        let (ruling, result) = decide_and_run(&mut desk, "code", call.clone()).await;
        let parts = &ruling.verdict.parts;
        let is_grave = parts.iter().any(|part| part.risk >= Risk::Medium && part.decision > Decision::Allow);
        assert!(is_grave, "{call}: {parts:?}");
        // Run as if a person had said yes: a secret and what starts programs are closed all the same.
        let is_elsewhere = ["~/", "../home"].iter().any(|place| call.to_string().contains(place));
        assert!(is_elsewhere || result.status == CallStatus::Failed, "{call}: {}", result.content);
        assert!(!result.content.contains("hush"), "{call}: {}", result.content);
        if !is_elsewhere {
            assert_eq!(desk.text("a.txt"), "one\n", "{call}");
        }
        desk.put("a.txt", "one\n");
    }
    assert_eq!(desk.text(".env"), "TOKEN=hush\n");
    assert_eq!(desk.text(".git/config"), "[core]\n");
    assert_eq!(desk.names(".git/hooks"), ["pre-commit"]);
}
