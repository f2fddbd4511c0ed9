//! Recovery after a crash: what the disk shows about a journaled change.

use crate::support::{Desk, digest};
use deputy_protocol::{AbsentFile, FileChange, FileState, KeptFile, KeptFolder};
use deputy_tools::{Settled, settle};
use serde_json::json;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

fn file(content: &str) -> FileState {
    FileState::File(KeptFile {
        digest: digest(content.as_bytes()),
        size_bytes: content.len() as u64,
        mode: 0o644,
    })
}

#[test]
fn the_disk_tells() {
    let desk = Desk::new();
    let put = |below: &str, content: &str| {
        let path = desk.put(below, content);
        fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
    };
    put("old", "old");
    put("new", "new");
    put("other", "other");
    fs::create_dir(desk.path("folder")).unwrap();
    symlink("new", desk.path("link")).unwrap();
    symlink("folder", desk.path("folder-link")).unwrap();
    put("folder/new", "new");
    let absent = || FileState::Absent(AbsentFile {});
    let folder = || FileState::Folder(KeptFolder::default());
    let cases = [
        ("old", file("old"), file("new"), Settled::NotDone),
        ("new", file("old"), file("new"), Settled::Done),
        ("other", file("old"), file("new"), Settled::Neither),
        ("absent", file("old"), file("new"), Settled::Neither),
        ("absent", absent(), file("new"), Settled::NotDone),
        ("absent/deep", absent(), file("new"), Settled::NotDone),
        ("new", absent(), file("new"), Settled::Done),
        ("folder", absent(), folder(), Settled::Done),
        ("absent", absent(), folder(), Settled::NotDone),
        ("old", absent(), folder(), Settled::Neither),
        ("absent", file("old"), absent(), Settled::Done),
        ("old", file("old"), absent(), Settled::NotDone),
        ("link", file("old"), file("new"), Settled::Neither),
        ("folder-link/new", file("old"), file("new"), Settled::Neither),
    ];
    for (below, before, after, expected) in cases {
        let path = desk.path(below).to_str().unwrap().to_owned();
        let change = FileChange { path, before, after, before_modified: None };
        assert_eq!(settle(&change), expected, "{change:?}");
    }
}

#[tokio::test]
async fn a_temporary_file_that_a_crash_left_goes_away() {
    let desk = Desk::new();
    desk.put("a.txt", "old");
    // The keeper panics at the point where a crash would end the process: after the journal entry, before the rename.
    let path = desk.path(".");
    let left = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = left.clone();
    *desk.keeper.before_change.lock().unwrap() = Some(Box::new(move || {
        for entry in fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            let content = fs::read(&path).unwrap();
            seen.lock().unwrap().push((path, content));
        }
    }));
    let result = desk.run("code", json!({"action": "write", "path": "a.txt", "content": "new"})).await;
    // Restore the folder to its state at that moment.
    for (path, content) in left.lock().unwrap().iter() {
        fs::write(path, content).unwrap();
    }
    assert_eq!((desk.names("").len(), desk.text("a.txt").as_str()), (2, "old"));
    assert_eq!(settle(&result.changes[0]), Settled::NotDone);
    assert_eq!(desk.names(""), ["a.txt"]);
}

/// Every change is recognized at two moments: when it is journaled, and when it is done.
#[tokio::test]
async fn a_change_is_not_done_when_it_is_journalled_and_done_afterwards() {
    let desk = Desk::new();
    desk.put("a.txt", "old");
    for call in [
        json!({"action": "write", "path": "a.txt", "content": "new"}),
        json!({"action": "patch", "path": "a.txt", "old": "new", "new": "newer"}),
        json!({"action": "write", "path": "b.txt", "content": "b"}),
        json!({"action": "create_dir", "path": "c"}),
    ] {
        let keeper = desk.keeper.clone();
        let seen = std::sync::Arc::new(std::sync::Mutex::new(None));
        let own = seen.clone();
        // Do not call `settle`, which would remove the temporary file that this call is about to rename.
        *desk.keeper.before_change.lock().unwrap() = Some(Box::new(move || {
            let change = keeper.changes.lock().unwrap().last().cloned().unwrap();
            *own.lock().unwrap() = fs::read(&change.path).ok().map(|content| digest(&content));
        }));
        let result = desk.run("code", call.clone()).await;
        let [change] = result.changes.as_slice() else { panic!("{call}: {}", result.content) };
        let before = match &change.before {
            FileState::File(file) => Some(file.digest.clone()),
            _ => None,
        };
        assert_eq!(*seen.lock().unwrap(), before, "{call}: changed before it was journalled");
        assert_eq!(settle(change), Settled::Done, "{call}");
        let turned =
            FileChange { before: change.after.clone(), after: change.before.clone(), ..change.clone() };
        assert_eq!(settle(&turned), Settled::NotDone, "{call}");
    }
}
