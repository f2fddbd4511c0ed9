//! `tags`: `search` finds what was set, and a task whose scope consists of tags cannot set any.

use crate::support::Desk;
use deputy_protocol::CallStatus;
use deputy_tools::Registry;
use serde_json::json;

#[tokio::test]
async fn tags_are_added_found_and_removed() {
    let desk = Desk::new();
    desk.put("a.txt", "a");
    desk.put("b.txt", "b");
    let set = desk.run("tags", json!({"paths": ["a.txt", "b.txt"], "add": ["tax", "2026 done"]})).await;
    assert_eq!(set.status, CallStatus::Ok, "{}", set.content);
    assert_eq!(set.content, "a.txt\ttax,2026 done\nb.txt\ttax,2026 done\n2 files changed");
    let again = desk.run("tags", json!({"paths": ["a.txt"], "add": ["tax"]})).await;
    assert_eq!(again.content, "a.txt\ttax,2026 done\n0 files changed");
    let removed = desk.run("tags", json!({"paths": ["a.txt"], "remove": ["tax"]})).await;
    assert_eq!(removed.content, "a.txt\t2026 done\n1 file changed");
    let found = desk.run("search", json!({"action": "find", "tags": ["tax"], "sort": "name"})).await;
    assert!(found.content.starts_with("b.txt\t"), "{}", found.content);
    let none = desk.run("tags", json!({"paths": ["b.txt"], "remove": ["tax", "2026 done"]})).await;
    assert_eq!(none.content, "b.txt\t\n1 file changed");
}

#[tokio::test]
async fn nothing_is_tagged_where_one_path_is_missing() {
    let desk = Desk::new();
    desk.put("a.txt", "a");
    let failed = desk.run("tags", json!({"paths": ["a.txt", "none.txt"], "add": ["x"]})).await;
    assert_eq!(failed.status, CallStatus::Failed);
    let found = desk.run("search", json!({"action": "find", "tags": ["x"]})).await;
    assert!(!found.content.contains("a.txt"), "{}", found.content);
}

#[test]
fn tags_that_desktops_could_not_keep_are_refused() {
    let desk = Desk::new();
    let registry = Registry::standard();
    for tag in ["", "a,b", " x", "line\nbreak", &"x".repeat(65)] {
        let call = json!({"paths": ["a.txt"], "add": [tag]});
        assert!(registry.get("tags").unwrap().facts(&call, &desk.place).is_err(), "{tag:?}");
    }
    assert!(registry.get("tags").unwrap().facts(&json!({"paths": ["a.txt"]}), &desk.place).is_err());
}
