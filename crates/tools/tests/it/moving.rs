//! `code`: moving and deleting files, and patches of several files, all of which undo takes back.

use crate::support::Desk;
use deputy_protocol::{Access, CallId, CallStatus};
use deputy_tools::{UndoMode, undo};
use serde_json::json;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// Returns every file of the workspace with its content and permissions.
fn all(desk: &Desk) -> Vec<(PathBuf, Vec<u8>, u32)> {
    fn below(folder: &Path, found: &mut Vec<(PathBuf, Vec<u8>, u32)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_symlink() {
                found.push((path.clone(), Vec::new(), 0));
            } else if path.is_dir() {
                found.push((path.clone(), Vec::new(), 0));
                below(&path, found);
            } else {
                let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
                found.push((path.clone(), fs::read(&path).unwrap(), mode));
            }
        }
    }
    let mut found = Vec::new();
    below(&desk.place.workspace, &mut found);
    found.sort();
    found
}

fn take_back(desk: &Desk) {
    let changes = std::mem::take(&mut *desk.keeper.changes.lock().unwrap());
    let newest_first: Vec<_> = changes.into_iter().rev().map(|change| (CallId::new("c"), change)).collect();
    let undone = undo(&newest_first, desk.keeper.as_ref(), UndoMode::Apply);
    assert!(undone.iter().all(|file| file.restored), "{undone:?}");
}

#[tokio::test]
async fn a_file_is_moved_and_undo_brings_it_back() {
    let desk = Desk::new();
    let from = desk.put("src/tool.sh", "#!/bin/sh\n");
    fs::set_permissions(&from, fs::Permissions::from_mode(0o755)).unwrap();
    let before = all(&desk);
    let call = json!({"action": "move", "from": "src/tool.sh", "to": "bin/new/tool"});
    let result = desk.run("code", call).await;
    assert_eq!(
        (result.status, result.content.as_str()),
        (CallStatus::Ok, "moved src/tool.sh to bin/new/tool")
    );
    assert!(!from.exists());
    assert_eq!(desk.text("bin/new/tool"), "#!/bin/sh\n");
    assert_eq!(fs::metadata(desk.path("bin/new/tool")).unwrap().permissions().mode() & 0o777, 0o755);
    let paths: Vec<&str> =
        result.changes.iter().map(|change| change.path.rsplit('/').next().unwrap()).collect();
    assert_eq!(paths, ["bin", "new", "tool.sh", "tool"]);
    take_back(&desk);
    assert_eq!(all(&desk), before);
}

#[tokio::test]
async fn a_file_and_an_empty_folder_are_deleted_and_undo_brings_them_back() {
    let desk = Desk::new();
    desk.put("notes.md", "keep me\n");
    fs::create_dir(desk.path("empty")).unwrap();
    let before = all(&desk);
    for (path, is) in [("notes.md", "deleted notes.md"), ("empty", "deleted empty")] {
        let result = desk.run("code", json!({"action": "delete", "path": path})).await;
        assert_eq!((result.status, result.content.as_str(), result.changes.len()), (CallStatus::Ok, is, 1));
        assert!(!desk.path(path).exists());
    }
    take_back(&desk);
    assert_eq!(all(&desk), before);
}

#[tokio::test]
async fn what_cannot_be_moved_or_deleted_is_left_and_the_answer_says_why() {
    let desk = Desk::new();
    desk.put("a", "a");
    desk.put("b", "b");
    desk.put("full/c", "c");
    symlink("a", desk.path("link")).unwrap();
    symlink("/etc", desk.path("out")).unwrap();
    fs::hard_link(desk.path("b"), desk.path("full/b")).unwrap();
    let before = all(&desk);
    let cases = [
        (json!({"action": "move", "from": "a", "to": "full"}), "already exists and is a folder"),
        (json!({"action": "move", "from": "a", "to": "full/c"}), "already exists and is a file"),
        (json!({"action": "move", "from": "full", "to": "d"}), "is a folder"),
        (json!({"action": "move", "from": "link", "to": "d"}), "is a link"),
        (json!({"action": "move", "from": "none", "to": "d"}), "does not exist"),
        (json!({"action": "move", "from": "a", "to": "out/a"}), "outside"),
        (json!({"action": "move", "from": "b", "to": "d"}), "2 names"),
        (json!({"action": "delete", "path": "full"}), "is not empty"),
        (json!({"action": "delete", "path": "link"}), "is a link"),
        (json!({"action": "delete", "path": "none"}), "does not exist"),
        (json!({"action": "delete", "path": "out/hostname"}), "outside"),
    ];
    for (call, says) in cases {
        let told = deputy_tools::Registry::standard().get("code").unwrap().would_fail(&call, &desk.place);
        assert!(told.is_some_and(|told| told.contains(says)), "{call}");
        let result = desk.run("code", call.clone()).await;
        assert_eq!(result.status, CallStatus::Failed, "{call}");
        assert!(result.content.contains(says), "{call}: {}", result.content);
        assert_eq!(all(&desk), before, "{call}");
    }
    assert!(desk.keeper.changes.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_file_that_changes_in_the_moment_of_its_deletion_is_left() {
    for action in ["delete", "move"] {
        let desk = Desk::new();
        let path = desk.put("a", "old");
        let written = path.clone();
        *desk.keeper.before_change.lock().unwrap() =
            Some(Box::new(move || fs::write(&written, "newer text").unwrap()));
        let call = match action {
            "delete" => json!({"action": "delete", "path": "a"}),
            _ => json!({"action": "move", "from": "a", "to": "b"}),
        };
        let result = desk.run("code", call).await;
        assert_eq!(result.status, CallStatus::Failed, "{}", result.content);
        assert_eq!(fs::read_to_string(path).unwrap(), "newer text");
    }
}

const PATCH: &str = "\
*** Begin Patch
*** Add File: docs/new.md
+# New
+
+Text
*** Update File: src/main.py
@@ def second():
     value = 1
-    print(value)
+    print(value + 1)
*** Update File: windows.txt
*** Move to: moved/dos.txt
@@
 one
-two
+2
+2b
*** Delete File: old.txt
*** End Patch";

fn patched() -> Desk {
    let desk = Desk::new();
    let main =
        "def first():\n    value = 1\n    print(value)\n\ndef second():\n    value = 1\n    print(value)\n";
    desk.put("src/main.py", main);
    desk.put("windows.txt", "one\r\ntwo\r\nthree");
    fs::set_permissions(desk.path("windows.txt"), fs::Permissions::from_mode(0o600)).unwrap();
    desk.put("old.txt", "old\n");
    desk
}

#[tokio::test]
async fn a_patch_changes_several_files_and_undo_takes_it_back() {
    let desk = patched();
    let before = all(&desk);
    let call = json!({"action": "apply_patch", "patch": PATCH});
    let facts = desk.facts("code", call.clone()).unwrap();
    let touched: Vec<String> = facts
        .accesses
        .iter()
        .map(|access| match access {
            Access::Read(read) => format!("read {}", read.path),
            Access::Write(write) => format!("write {}", write.path),
            Access::Delete(delete) => format!("delete {}", delete.path),
            other => panic!("{other:?}"),
        })
        .collect();
    let expected = [
        "write docs/new.md",
        "read src/main.py",
        "write src/main.py",
        "read windows.txt",
        "delete windows.txt",
        "write moved/dos.txt",
        "delete old.txt",
    ];
    assert_eq!(touched, expected);
    assert_eq!(facts.summary, "Change 4 files: docs/new.md, src/main.py, windows.txt, old.txt");
    let diff = facts.diff.unwrap();
    for line in
        ["+++ b/docs/new.md", "-    print(value)", "+    print(value + 1)", "+++ b/moved/dos.txt", "-old"]
    {
        assert!(diff.lines().any(|one| one == line), "{line} is not in:\n{diff}");
    }
    let result = desk.run("code", call).await;
    assert_eq!(result.status, CallStatus::Ok, "{}", result.content);
    assert_eq!(desk.text("docs/new.md"), "# New\n\nText\n");
    let main = "def first():\n    value = 1\n    print(value)\n\ndef second():\n    value = 1\n    print(value + 1)\n";
    assert_eq!(desk.text("src/main.py"), main);
    assert_eq!(desk.text("moved/dos.txt"), "one\r\n2\r\n2b\r\nthree");
    assert_eq!(fs::metadata(desk.path("moved/dos.txt")).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(desk.names(""), ["docs", "moved", "src"]);
    take_back(&desk);
    assert_eq!(all(&desk), before);
}

#[tokio::test]
async fn a_patch_of_which_a_part_does_not_apply_changes_nothing() {
    let patch = |body: &str| format!("*** Begin Patch\n*** Delete File: old.txt\n{body}\n*** End Patch");
    let cases = [
        (patch("*** Update File: src/main.py\n@@\n-    print(values)\n+    pass"), "line 4 of the patch"),
        (patch("*** Update File: src/main.py\n@@\n-    value = 1\n+    pass"), "at lines 2, 6"),
        (patch("*** Update File: src/main.py\n@@ def third():\n-    value = 1\n+    pass"), "line 4"),
        (patch("*** Update File: none.py\n@@\n-a\n+b"), "none.py does not exist"),
        (patch("*** Add File: windows.txt\n+a"), "already exists"),
        (patch("*** Update File: windows.txt\n*** Move to: src/main.py\n@@\n-one\n+1"), "already exists"),
        (patch("*** Delete File: src"), "is not empty"),
        (patch("*** Update File: ../home/x\n@@\n-a\n+b"), "../home/x"),
    ];
    for (patch, says) in cases {
        let desk = patched();
        let before = all(&desk);
        let call = json!({"action": "apply_patch", "patch": patch});
        let result = desk.run("code", call).await;
        assert_eq!(result.status, CallStatus::Failed, "{patch}");
        assert!(result.content.contains(says), "{patch}\n{}", result.content);
        assert_eq!(all(&desk), before, "{patch}");
    }
}

#[test]
fn a_text_that_is_no_patch_is_answered_with_the_right_form() {
    let desk = patched();
    let cases = [
        ("--- a/x\n+++ b/x\n", "line 1 of the patch is not understood: `--- a/x`"),
        ("*** Begin Patch\n*** End Patch", "line 1"),
        ("*** Begin Patch\n*** Add File: x\n+a", "line 3"),
        ("*** Begin Patch\n*** Update File: x\n@@\nchanged\n*** End Patch", "line 4"),
        ("*** Begin Patch\n*** Update File: x\n@@\nüber\n*** End Patch", "line 4"),
        ("*** Begin Patch\n*** Rename File: x\n*** End Patch", "`*** Rename File: x`"),
        ("*** Begin Patch\n*** Delete File: x\n*** Add File: x\n+a\n*** End Patch", "names a file twice"),
        ("*** Begin Patch\n*** Delete File: \n*** End Patch", "path"),
    ];
    for (patch, says) in cases {
        let error = desk.facts("code", json!({"action": "apply_patch", "patch": patch})).unwrap_err();
        assert!(error.to_string().contains(says), "{patch}\n{error}");
    }
}

#[tokio::test]
async fn a_patch_finds_its_parts_by_their_lines() {
    // (before, parts, after)
    let cases = [
        ("a\nb\nc\n", "@@\n-b\n+B", "a\nB\nc\n"),
        ("a\nb\nc\n", " a\n+between\n b", "a\nbetween\nb\nc\n"),
        ("a\nb\n", "@@\n+end", "a\nb\nend\n"),
        ("a\nx\nb\nx\n", "@@ b\n-x\n+y", "a\nx\nb\ny\n"),
        ("a\nx\nb\nx\n", "@@\n-x\n+y\n*** End of File", "a\nx\nb\ny\n"),
        ("a\nx\nb\nx\n", "@@\n a\n-x\n+1\n@@\n b\n-x\n+2", "a\n1\nb\n2\n"),
        ("a\nb\n", "@@ -1,2 +1,1 @@\n-a\n b", "b\n"),
        ("a\n", "@@\n-a", ""),
        ("a\n\nb", "@@\n a\n\n-b\n+c", "a\n\nc"),
        ("f():\n  x\n", "@@ f():\n+  first", "f():\n  first\n  x\n"),
    ];
    for (before, parts, after) in cases {
        let desk = Desk::new();
        desk.put("f", before);
        let patch = format!("*** Begin Patch\n*** Update File: f\n{parts}\n*** End Patch\n");
        let result = desk.run("code", json!({"action": "apply_patch", "patch": patch})).await;
        assert_eq!(
            (result.status, desk.text("f").as_str()),
            (CallStatus::Ok, after),
            "{parts}\n{}",
            result.content
        );
    }
}

#[tokio::test]
async fn a_patch_whose_last_file_changes_meanwhile_leaves_all_files() {
    let desk = patched();
    // The first file is journaled while the last one changes.
    let late = desk.path("old.txt");
    *desk.keeper.before_change.lock().unwrap() = Some(Box::new(move || fs::write(late, "other").unwrap()));
    let main = desk.text("src/main.py");
    let result = desk.run("code", json!({"action": "apply_patch", "patch": PATCH})).await;
    assert_eq!(result.status, CallStatus::Failed);
    assert!(result.content.contains("changed"), "{}", result.content);
    assert_eq!((desk.text("src/main.py"), desk.text("old.txt")), (main, "other".to_owned()));
    assert!(desk.path("windows.txt").exists() && !desk.path("docs/new.md").exists());
}

#[tokio::test]
async fn a_patch_that_fails_at_its_last_file_takes_back_those_before_it() {
    let desk = patched();
    let (late, before) = (desk.path("old.txt"), all(&desk));
    *desk.keeper.before_change_of.lock().unwrap() = Some(late.clone());
    *desk.keeper.before_change.lock().unwrap() =
        Some(Box::new(move || fs::write(late, "other text").unwrap()));
    let result = desk.run("code", json!({"action": "apply_patch", "patch": PATCH})).await;
    assert_eq!(result.status, CallStatus::Failed);
    assert!(result.content.contains("old.txt was changed"), "{}", result.content);
    assert_eq!(desk.text("old.txt"), "other text");
    desk.put("old.txt", "old\n");
    assert_eq!(all(&desk), before);
}

/// As after a kill in the middle: all is journaled, and half of it is done.
#[tokio::test]
async fn half_of_a_patch_is_undone() {
    let desk = patched();
    let before = all(&desk);
    let result = desk.run("code", json!({"action": "apply_patch", "patch": PATCH})).await;
    assert_eq!(result.status, CallStatus::Ok, "{}", result.content);
    desk.put("old.txt", "old\n");
    fs::remove_file(desk.path("docs/new.md")).unwrap();
    let changes = std::mem::take(&mut *desk.keeper.changes.lock().unwrap());
    let newest_first: Vec<_> = changes.into_iter().rev().map(|change| (CallId::new("c"), change)).collect();
    undo(&newest_first, desk.keeper.as_ref(), UndoMode::Apply);
    assert_eq!(all(&desk), before);
}
