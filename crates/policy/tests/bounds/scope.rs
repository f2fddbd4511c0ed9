//! Tests the task's scope: folders, a list of files, tags.

use crate::ground::Ground;
use deputy_policy::Situation;
use deputy_policy::path::{Operation, Transfer, in_scope, judge, judge_transfer};
use deputy_protocol::Decision::{self, Allow, Ask, Deny};
use deputy_protocol::Scope;
use serde_json::json;

fn ground() -> Ground {
    let setup = json!({"files": {"a.txt": "a", "b.txt": "b", "docs/c.txt": "c", "{O}/d.txt": "d"}});
    Ground::new(setup.as_object().unwrap())
}

fn decision(ground: &Ground, scope: &Scope, operation: Operation, text: &str) -> Decision {
    let situation = Situation { scope: scope.clone(), ..ground.situation() };
    judge(&situation, operation, &ground.fill(text)).decision
}

#[test]
fn folders_to_read_and_to_change() {
    let ground = ground();
    let scope = Scope { read: vec![ground.fill("{O}")], write: vec!["docs".to_owned()], ..Scope::default() };
    assert_eq!(decision(&ground, &scope, Operation::Read, "{O}/d.txt"), Allow);
    assert_eq!(decision(&ground, &scope, Operation::Read, "a.txt"), Allow);
    assert_eq!(decision(&ground, &scope, Operation::Write, "docs/new.txt"), Ask);
    assert_eq!(decision(&ground, &scope, Operation::Write, "a.txt"), Deny);
    assert_eq!(decision(&ground, &scope, Operation::Write, "{O}/d.txt"), Deny);
}

#[test]
fn files_to_change() {
    let ground = ground();
    let write = ["a.txt", "docs/new.txt", "later"].map(str::to_owned).to_vec();
    let scope = Scope { write, ..Scope::default() };
    assert_eq!(decision(&ground, &scope, Operation::Read, "b.txt"), Allow);
    assert_eq!(decision(&ground, &scope, Operation::List, "."), Allow);
    for path in ["a.txt", "docs/new.txt", "later", "later/x.txt"] {
        assert_eq!(decision(&ground, &scope, Operation::Write, path), Ask, "{path}");
    }
    for path in ["b.txt", "a.txt.bak", "docs/c.txt", "docs/new.txt.bak", "{O}/d.txt"] {
        assert_eq!(decision(&ground, &scope, Operation::Write, path), Deny, "{path}");
    }
    assert_eq!(decision(&ground, &scope, Operation::Delete, "a.txt"), Ask);
    assert_eq!(decision(&ground, &scope, Operation::Delete, "docs"), Deny);
    // A folder is not removed as a whole, as before.
    let scope = Scope { write: vec!["docs".to_owned()], ..Scope::default() };
    assert_eq!(decision(&ground, &scope, Operation::Delete, "docs"), Deny);
}

#[test]
fn nothing_to_change() {
    let ground = ground();
    let scope = Scope { read_only: true, ..Scope::default() };
    assert_eq!(decision(&ground, &scope, Operation::Read, "a.txt"), Allow);
    for operation in [Operation::Write, Operation::Create, Operation::Delete] {
        assert_eq!(decision(&ground, &scope, operation, "a.txt"), Deny, "{operation:?}");
    }
}

#[test]
fn a_list_with_a_folder() {
    let ground = ground();
    let only_files = ["docs", "a.txt"].map(str::to_owned).to_vec();
    let scope = Scope { only_files, write: vec!["docs/new.txt".to_owned()], ..Scope::default() };
    for path in ["a.txt", "docs/c.txt"] {
        assert_eq!(decision(&ground, &scope, Operation::Read, path), Allow, "{path}");
        assert_eq!(decision(&ground, &scope, Operation::Write, path), Deny, "{path}");
    }
    assert_eq!(decision(&ground, &scope, Operation::Write, "docs/new.txt"), Ask);
    assert_eq!(decision(&ground, &scope, Operation::Read, "b.txt"), Deny);
    assert_eq!(decision(&ground, &scope, Operation::Read, "docs2/c.txt"), Deny);
}

#[test]
fn a_list_of_files() {
    let ground = ground();
    let scope = Scope { only_files: vec!["docs/c.txt".to_owned()], ..Scope::default() };
    assert_eq!(decision(&ground, &scope, Operation::Read, "docs/c.txt"), Allow);
    assert_eq!(decision(&ground, &scope, Operation::List, "docs"), Allow);
    assert_eq!(decision(&ground, &scope, Operation::Read, "a.txt"), Deny);
    assert_eq!(decision(&ground, &scope, Operation::Write, "docs/new.txt"), Deny);
    let situation = Situation { scope, ..ground.situation() };
    let transfer = |from, to| {
        let parts = judge_transfer(&situation, Transfer::Move, from, to);
        parts.iter().map(|part| part.decision).max().unwrap()
    };
    assert_eq!(transfer("docs/c.txt", "docs/renamed.txt"), Ask);
    assert_eq!(transfer("a.txt", "docs/renamed.txt"), Deny);
}

#[test]
fn files_with_a_tag() {
    let ground = ground();
    let scope = Scope { only_tags: vec!["sort-me".to_owned()], ..Scope::default() };
    let situation = Situation { scope: scope.clone(), ..ground.situation() };
    let tagged = ground.workspace().join("a.txt");
    let flags = rustix::fs::XattrFlags::empty();
    rustix::fs::setxattr(&tagged, "user.xdg.tags", b"holiday, sort-me", flags).unwrap();
    assert!(in_scope(&situation, Operation::Read, &tagged).is_ok());
    assert_eq!(decision(&ground, &scope, Operation::Read, "a.txt"), Allow);
    assert_eq!(decision(&ground, &scope, Operation::Write, "a.txt"), Ask);
    assert_eq!(decision(&ground, &scope, Operation::Read, "b.txt"), Deny);
    assert_eq!(decision(&ground, &scope, Operation::List, "docs"), Allow);
}
