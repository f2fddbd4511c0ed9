//! What policy decides about the facts of the tools, and that a call can then do what it was allowed.

use crate::support::Desk;
use deputy_policy::{Ruling, Situation, decide};
use deputy_protocol::{CallStatus, Confinement, Decision, ToolResult};
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
