//! Tools check the user's rules for every path that they find in a folder, not only for those that a call names.

use crate::support::Desk;
use deputy_policy::{Rules, Situation};
use deputy_protocol::{CallStatus, Scope, ToolResult};
use deputy_tools::{OrganizeHome, Registry};
use serde_json::{Value, json};
use std::sync::Arc;

/// The content of the protected files. No result may contain it.
const CLOSED: &str = "17-42";

/// Folders with protected files in `private` and with other files.
fn desk(rules: &str) -> Desk {
    let mut desk = Desk::new();
    for folder in ["", "docs/", "docs/deep/er/"] {
        desk.put(&format!("{folder}private/a.txt"), format!("inside: the combination is {CLOSED}\n"));
        desk.put(&format!("{folder}open.txt"), "inside, but open\n");
    }
    ruled(&mut desk, rules);
    desk
}

fn ruled(desk: &mut Desk, rules: &str) {
    let rules = Arc::new(Rules::parse(rules).unwrap());
    desk.cx.situation = Arc::new(Situation { rules, ..Situation::clone(&desk.cx.situation) });
}

fn rule(effect: &str, tool: &str, pattern: &str) -> String {
    format!("[[rule]]\neffect = \"{effect}\"\ntool = \"{tool}\"\npattern = '{pattern}'\n")
}

/// Runs a call of any tool.
async fn run(desk: &Desk, tool: &str, call: &Value) -> ToolResult {
    let home = OrganizeHome::of(&desk.place.home.join("deputy"), &desk.place.home);
    Registry::standard().organizing(home).get(tool).unwrap().run(call, &desk.cx).await
}

/// Calls that walk a folder, with their tools.
fn walks() -> Vec<(&'static str, Value)> {
    let search = |parameters: Value| ("search", parameters);
    vec![
        search(json!({"action": "grep", "pattern": "inside", "path": "."})),
        search(json!({"action": "grep", "pattern": "inside", "path": "docs", "files_only": true})),
        search(
            json!({"action": "grep", "pattern": "inside", "path": "docs", "no_ignore": true, "hidden": true}),
        ),
        search(json!({"action": "find", "path": ".", "text": "inside"})),
        search(json!({"action": "find", "path": ".", "pattern": "*.txt"})),
        search(json!({"action": "wc", "path": "."})),
        search(json!({"action": "ls", "path": "docs"})),
        search(json!({"action": "tree", "path": "."})),
        search(json!({"action": "usage", "path": ".", "by": "folder"})),
        search(json!({"action": "duplicates", "path": "."})),
        search(json!({"action": "compare", "path": ".", "other": "docs"})),
        ("organize", json!({"action": "scan", "paths": ["."], "by": "everything"})),
    ]
}

#[tokio::test]
async fn every_walk_skips_a_denied_folder_and_reports_it() {
    for tool in ["read", "list"] {
        let desk = desk(&rule("deny", tool, ".*/private(/.*)?"));
        for (tool, call) in walks() {
            let result = run(&desk, tool, &call).await;
            assert_eq!(result.status, CallStatus::Ok, "{call}: {}", result.content);
            assert!(!result.content.contains(CLOSED), "{call}: {}", result.content);
            assert!(!result.content.contains("a.txt"), "{call}: {}", result.content);
            assert!(
                result.content.contains("skipped because of the user's rules"),
                "{call}: {}",
                result.content
            );
        }
    }
}

#[tokio::test]
async fn every_walk_skips_denied_files() {
    let desk = desk(&rule("deny", "read", ".*/a\\.txt"));
    for (tool, call) in walks() {
        let result = run(&desk, tool, &call).await;
        assert!(!result.content.contains("a.txt"), "{call}: {}", result.content);
        assert!(!result.content.contains(CLOSED), "{call}: {}", result.content);
    }
}

#[tokio::test]
async fn without_a_rule_the_walks_find_the_files() {
    let desk = desk("");
    let result = desk.run("search", json!({"action": "grep", "pattern": "inside", "path": "."})).await;
    assert_eq!(result.content.matches(CLOSED).count(), 3, "{}", result.content);
    assert!(!result.content.contains("skipped because"), "{}", result.content);
}

#[tokio::test]
async fn packing_skips_what_a_rule_denies() {
    for to in ["p.zip", "p.tar.gz"] {
        let desk = desk(&rule("deny", "read", ".*/private(/.*)?"));
        let result = desk.run("archive", json!({"action": "pack", "paths": ["docs"], "to": to})).await;
        assert_eq!(result.status, CallStatus::Ok, "{}", result.content);
        assert!(result.summary.to_string().contains("2 skipped because of"), "{}", result.summary);
        let listed = desk.run("archive", json!({"action": "list", "path": to})).await.content;
        assert!(listed.contains("open.txt") && !listed.contains("private"), "{listed}");
    }
}

#[tokio::test]
async fn unpacking_to_a_path_that_a_rule_restricts_fails() {
    for effect in ["deny", "ask"] {
        let mut desk = desk("");
        let packed = desk.run("archive", json!({"action": "pack", "paths": ["docs"], "to": "p.zip"})).await;
        assert_eq!(packed.status, CallStatus::Ok, "{}", packed.content);
        ruled(&mut desk, &rule(effect, "write", ".*/private(/.*)?"));
        let result = desk.run("archive", json!({"action": "unpack", "path": "p.zip", "to": "new"})).await;
        assert_eq!(result.status, CallStatus::Failed, "{}", result.content);
        assert!(result.content.contains("rule in line 1"), "{}", result.content);
        assert!(!desk.path("new").exists());
    }
}

#[tokio::test]
async fn a_walk_skips_what_a_rule_asks_about_unless_it_starts_there() {
    let desk = desk(&rule("ask", "read", ".*/private(/.*)?"));
    let grep = |path: &str| json!({"action": "grep", "pattern": "inside", "path": path});
    let above = desk.run("search", grep(".")).await;
    assert!(!above.content.contains(CLOSED), "{}", above.content);
    // A call that names the folder runs only after a person approved it.
    let inside = desk.run("search", grep("docs/private")).await;
    assert!(inside.content.contains(CLOSED), "{}", inside.content);
}

#[tokio::test]
async fn approval_for_one_rule_does_not_override_another() {
    let rules = [rule("ask", "read", ".*/docs(/.*)?"), rule("deny", "read", ".*/private(/.*)?")].concat();
    let desk = desk(&rules);
    let result = desk.run("search", json!({"action": "grep", "pattern": "inside", "path": "docs"})).await;
    assert!(result.content.contains("but open"), "{}", result.content);
    assert!(!result.content.contains(CLOSED), "{}", result.content);
}

#[tokio::test]
async fn a_denied_path_cannot_be_opened_by_name() {
    let desk = desk(&rule("deny", "read", ".*/private(/.*)?"));
    for (tool, call) in [
        ("code", json!({"action": "read", "path": "private/a.txt"})),
        ("search", json!({"action": "head", "path": "docs/private/a.txt"})),
        ("search", json!({"action": "ls", "path": "docs/../private"})),
    ] {
        let result = desk.run(tool, call.clone()).await;
        assert_ne!(result.status, CallStatus::Ok, "{call}: {}", result.content);
        assert!(!result.content.contains(CLOSED), "{call}: {}", result.content);
    }
}

#[tokio::test]
async fn a_walk_skips_what_is_out_of_scope_and_reports_it() {
    let mut desk = desk("");
    let only = desk.path("docs/open.txt").to_str().unwrap().to_owned();
    let scope = Scope { only_files: vec![only], ..Scope::default() };
    desk.cx.situation = Arc::new(Situation { scope, ..Situation::clone(&desk.cx.situation) });
    let result = desk.run("search", json!({"action": "grep", "pattern": "inside", "path": "."})).await;
    assert!(result.content.contains("docs/open.txt"), "{}", result.content);
    assert!(!result.content.contains(CLOSED), "{}", result.content);
    assert!(result.content.contains("this task's scope"), "{}", result.content);
}

#[tokio::test]
async fn the_error_for_a_missing_path_names_one_that_differs_only_in_case_or_composition() {
    let desk = desk("");
    desk.put("Mu\u{308}ller.txt", "x");
    for (asked, there) in
        [("M\u{fc}ller.txt", "Mu\u{308}ller.txt"), ("Docs/open.txt", "docs"), ("OPEN.txt", "open.txt")]
    {
        let result = desk.run("code", json!({"action": "read", "path": asked})).await;
        assert_eq!(result.status, CallStatus::Failed, "{}", result.content);
        assert!(result.content.contains(there), "{asked}: {}", result.content);
        assert!(result.content.contains("only in letter case"), "{asked}: {}", result.content);
    }
}
