//! Undo: round trips, conflicts, dry runs.

use crate::support::Desk;
use deputy_protocol::{AbsentFile, CallId, FileChange, FileState, KeptFile, KeptFolder, UndoneFile};
use deputy_tools::{UndoMode, undo};
use serde_json::json;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

/// Returns everything that was journaled, newest first, as separate calls.
fn journalled(desk: &Desk) -> Vec<(CallId, FileChange)> {
    let changes = desk.keeper.changes.lock().unwrap();
    changes
        .iter()
        .enumerate()
        .rev()
        .map(|(n, change)| (CallId::new(format!("c{n}")), change.clone()))
        .collect()
}

fn told(desk: &Desk, files: &[UndoneFile]) -> String {
    let lines: Vec<String> = files
        .iter()
        .map(|file| format!("{} {} {}: {}", file.call, file.restored, file.change.path, file.message))
        .collect();
    desk.neutral(&lines.join("\n"))
}

async fn three_calls(desk: &Desk) {
    let path = desk.put("a.txt", "one");
    fs::set_permissions(path, fs::Permissions::from_mode(0o640)).unwrap();
    for call in [
        json!({"action": "write", "path": "a.txt", "content": "two"}),
        json!({"action": "patch", "path": "a.txt", "old": "two", "new": "three"}),
        json!({"action": "write", "path": "new/b.txt", "content": "b"}),
    ] {
        let result = desk.run("code", call).await;
        assert_eq!(result.status, deputy_protocol::CallStatus::Ok, "{}", result.content);
    }
}

#[tokio::test]
async fn everything_stands_as_before() {
    let desk = Desk::new();
    three_calls(&desk).await;
    let changes = journalled(&desk);
    let dry = undo(&changes, desk.keeper.as_ref(), UndoMode::DryRun);
    insta::assert_snapshot!(told(&desk, &dry), @"
    c3 false ~tmp/ws/new/b.txt: would be removed
    c2 false ~tmp/ws/new: would be removed
    c1 false ~tmp/ws/a.txt: would be changed back
    c0 false ~tmp/ws/a.txt: would be changed back
    ");
    assert_eq!(desk.text("a.txt"), "three");
    let done = undo(&changes, desk.keeper.as_ref(), UndoMode::Apply);
    insta::assert_snapshot!(told(&desk, &done), @"
    c3 true ~tmp/ws/new/b.txt: removed
    c2 true ~tmp/ws/new: removed
    c1 true ~tmp/ws/a.txt: changed back
    c0 true ~tmp/ws/a.txt: changed back
    ");
    assert_eq!((desk.text("a.txt").as_str(), desk.names("")), ("one", vec!["a.txt".to_owned()]));
    assert_eq!(fs::metadata(desk.path("a.txt")).unwrap().permissions().mode() & 0o777, 0o640);
    let again = undo(&changes, desk.keeper.as_ref(), UndoMode::Apply);
    assert_eq!(desk.text("a.txt"), "one", "{}", told(&desk, &again));
}

#[tokio::test]
async fn what_changed_since_is_left_alone_and_said() {
    let desk = Desk::new();
    three_calls(&desk).await;
    desk.put("a.txt", "by hand");
    desk.put("new/mine.txt", "by hand");
    let done = undo(&journalled(&desk), desk.keeper.as_ref(), UndoMode::Apply);
    insta::assert_snapshot!(told(&desk, &done), @"
    c3 true ~tmp/ws/new/b.txt: removed
    c2 false ~tmp/ws/new: changed since: the folder holds mine.txt, which was not made by these calls
    c1 false ~tmp/ws/a.txt: changed since: the file has different content now
    c0 false ~tmp/ws/a.txt: changed since: the file has different content now
    ");
    assert_eq!((desk.text("a.txt").as_str(), desk.names("new")), ("by hand", vec!["mine.txt".to_owned()]));
}

#[tokio::test]
async fn a_link_in_the_way_is_not_followed() {
    let desk = Desk::new();
    three_calls(&desk).await;
    let elsewhere = desk.place.home.join("three");
    fs::write(&elsewhere, "three").unwrap();
    fs::remove_file(desk.path("a.txt")).unwrap();
    symlink(&elsewhere, desk.path("a.txt")).unwrap();
    fs::rename(desk.path("new"), desk.place.home.join("new")).unwrap();
    symlink(desk.place.home.join("new"), desk.path("new")).unwrap();
    let done = undo(&journalled(&desk), desk.keeper.as_ref(), UndoMode::Apply);
    assert!(done.iter().all(|file| !file.restored), "{}", told(&desk, &done));
    assert_eq!(fs::read_to_string(elsewhere).unwrap(), "three");
    assert_eq!(fs::read_to_string(desk.place.home.join("new/b.txt")).unwrap(), "b");
}

#[tokio::test]
async fn what_undo_removes_is_kept_first() {
    let desk = Desk::new();
    let result = desk.run("code", json!({"action": "write", "path": "b", "content": "precious"})).await;
    let changes: Vec<_> = result.changes.into_iter().map(|change| (CallId::new("c"), change)).collect();
    assert!(desk.keeper.blobs.lock().unwrap().is_empty());
    assert!(undo(&changes, desk.keeper.as_ref(), UndoMode::Apply)[0].restored);
    assert_eq!(desk.keeper.blobs.lock().unwrap().values().next().unwrap(), b"precious");
}

#[test]
fn deletions_and_missing_blobs() {
    let desk = Desk::new();
    let kept = |content: &[u8]| {
        let kept = deputy_tools::Keeper::keep_blob(desk.keeper.as_ref(), content).unwrap();
        FileState::File(KeptFile { mode: 0o600, ..kept })
    };
    let absent = || FileState::Absent(AbsentFile {});
    let change = |below: &str, before, after| {
        let path = desk.path(below).to_str().unwrap().to_owned();
        (CallId::new("c"), FileChange { path, before, after, before_modified: None })
    };
    // The folder was removed last, so it is restored first.
    let changes = [
        change("d", FileState::Folder(KeptFolder::default()), absent()),
        change("d/f", kept(b"file"), absent()),
        change(
            "lost",
            FileState::File(KeptFile { digest: crate::support::digest(b"?"), size_bytes: 1, mode: 0 }),
            absent(),
        ),
    ];
    let done = undo(&changes, desk.keeper.as_ref(), UndoMode::Apply);
    insta::assert_snapshot!(told(&desk, &done), @"
    c true ~tmp/ws/d: created
    c true ~tmp/ws/d/f: restored
    c false ~tmp/ws/lost: its kept copy is missing or damaged, so it cannot be restored
    ");
    assert_eq!((desk.text("d/f").as_str(), desk.names("")), ("file", vec!["d".to_owned()]));
}

/// Undo restores the exact tree after any sequence of calls.
#[tokio::test]
async fn any_sequence_of_calls_is_taken_back() {
    let seed = deputy_testkit::seed();
    let mut state = seed;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for round in 0..20 {
        let desk = Desk::new();
        desk.put("a", "start\n");
        desk.put("d/b", "start\n");
        let before = tree(&desk.place.workspace);
        for n in 0..random(12) + 1 {
            let path = ["a", "d/b", "new", "d/new", "x/y/z", "x/y/w"][random(6) as usize];
            let call = match random(4) {
                0 => json!({"action": "create_dir", "path": format!("{path}-folder")}),
                1 => {
                    json!({"action": "patch", "path": path, "old": "\n", "new": format!(" {n}\n"), "replace_all": true})
                }
                _ => json!({"action": "write", "path": path, "content": format!("{}\n", random(3))}),
            };
            desk.run("code", call).await;
        }
        let done = undo(&journalled(&desk), desk.keeper.as_ref(), UndoMode::Apply);
        assert!(done.iter().all(|file| file.restored), "SEED={seed}, round {round}:\n{}", told(&desk, &done));
        assert_eq!(tree(&desk.place.workspace), before, "SEED={seed}, round {round}");
    }
}

/// Returns every path below a folder with its content and mode.
fn tree(folder: &std::path::Path) -> Vec<(std::path::PathBuf, u32, Option<Vec<u8>>)> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        if path.is_dir() {
            entries.extend(tree(&path));
        }
        entries.push((path.clone(), mode, fs::read(&path).ok()));
    }
    entries.sort();
    entries
}
