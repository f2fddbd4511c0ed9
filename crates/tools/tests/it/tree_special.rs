//! Undo of special files, of what is not covered, and of what was moved away from a path that is taken again.

use crate::tree::{Tree, make_special, told};
use deputy_protocol::{CallId, FileChange, KeptFile};
use deputy_tools::tree::Differences;
use deputy_tools::{KeepError, UndoMode, undo};
use rustix::fs::FileType;
use std::fs;

/// Regression test: a pipe in place of a file did not count as a difference, so the file was gone and undo reported no
/// changes.
#[test]
fn pipes_and_sockets_are_taken_away_and_what_stood_there_comes_back() {
    let tree = Tree::new();
    tree.put("a.txt", "text");
    tree.put("folder/inside", "text");
    tree.put("link", "text");
    let manifest = tree.keep();
    let before = tree.look();
    fs::remove_file(tree.root.join("a.txt")).unwrap();
    fs::remove_dir_all(tree.root.join("folder")).unwrap();
    make_special(&tree.root.join("a.txt"), FileType::Fifo).unwrap();
    make_special(&tree.root.join("folder"), FileType::Fifo).unwrap();
    make_special(&tree.root.join("new"), FileType::Socket).unwrap();
    let found = tree.differences(&manifest);
    let lines = [
        "folder/inside: file 644 -> nothing",
        "folder: folder 755 -> pipe",
        "a.txt: file 644 -> pipe",
        "new: nothing -> socket",
    ];
    assert_eq!(told(&tree, &found), lines);
    // An entry that has another type by now belongs to somebody else.
    fs::remove_file(tree.root.join("new")).unwrap();
    make_special(&tree.root.join("new"), FileType::Fifo).unwrap();
    let failed = tree.undo(&[found]);
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(failed[0].ends_with("/new: changed since: a pipe is there now"), "{failed:?}");
    fs::remove_file(tree.root.join("new")).unwrap();
    assert_eq!(tree.look(), before);
}

#[test]
fn what_is_not_covered_is_told_path_by_path() {
    let tree = Tree::new();
    tree.put("own.txt", "small");
    make_special(&tree.root.join("pipe"), FileType::Fifo).unwrap();
    let manifest = tree.keep();
    fs::remove_file(tree.root.join("pipe")).unwrap();
    tree.put("pipe", "a file now");
    tree.put("own.txt", "changed");
    let changes: Vec<FileChange> = tree.differences(&manifest).told().collect();
    let failed = tree.undo(&[Differences { changes, uncovered: Vec::new() }]);
    assert_eq!(failed.len(), 1, "{failed:?}");
    let end = "/pipe: no copy of the earlier file was made, so it is left as it is";
    assert!(failed[0].ends_with(end), "{failed:?}");
    assert_eq!(fs::read_to_string(tree.root.join("pipe")).unwrap(), "a file now");
    assert_eq!(fs::read_to_string(tree.root.join("own.txt")).unwrap(), "small");
}

/// Regression test: undo removed the moved file and left the new file at the old path, so the old text was lost.
#[test]
fn what_was_moved_stays_where_its_old_place_is_taken_again() {
    let tree = Tree::new();
    tree.put("a", "the only copy");
    tree.put("d/x", "another");
    tree.put("d/y", "third");
    let manifest = tree.keep();
    fs::rename(tree.root.join("a"), tree.root.join("c")).unwrap();
    fs::rename(tree.root.join("d"), tree.root.join("e")).unwrap();
    let found = tree.differences(&manifest);
    tree.put("a", "the user's");
    tree.put("d/x", "the user's");
    let failed = tree.undo(std::slice::from_ref(&found)).join("\n");
    let text = |below: &str| fs::read_to_string(tree.root.join(below)).unwrap();
    for (below, content) in [
        ("a", "the user's"),
        ("c", "the only copy"),
        ("d/x", "the user's"),
        ("e/x", "another"),
        ("d/y", "third"),
    ] {
        assert_eq!(text(below), content, "{below}: {failed}");
    }
    assert!(!tree.root.join("e/y").exists(), "{failed}");
    let a = tree.root.join("a");
    let told = format!("/c: left in place: it came from {}, which cannot be restored", a.display());
    assert!(failed.contains(&told), "{failed}");
}

/// A store that creates a file at a path at the moment when undo stores what it removes.
struct Racing<'a>(&'a Tree, &'a str);

impl deputy_tools::Blobs for Racing<'_> {
    fn read(&self, file: &KeptFile) -> Result<Vec<u8>, KeepError> {
        deputy_tools::Blobs::read(&self.0.memory.keeper, file)
    }

    fn holds(&self, file: &KeptFile) -> bool {
        deputy_tools::Blobs::holds(&self.0.memory.keeper, file)
    }

    fn keep(&self, content: &[u8]) -> Result<KeptFile, KeepError> {
        self.0.put(self.1, "the user's");
        deputy_tools::Blobs::keep(&self.0.memory.keeper, content)
    }
}

#[test]
fn a_place_that_is_taken_while_undo_runs_costs_nothing() {
    let tree = Tree::new();
    tree.put("a", "the only copy");
    let manifest = tree.keep();
    fs::rename(tree.root.join("a"), tree.root.join("c")).unwrap();
    let found = tree.differences(&manifest);
    let changes: Vec<_> =
        found.changes.iter().rev().map(|change| (CallId::new("t-1-1"), change.clone())).collect();
    let files = undo(&changes, &Racing(&tree, "a"), UndoMode::Apply);
    let failed: Vec<&str> =
        files.iter().filter(|file| !file.restored).map(|file| file.message.as_str()).collect();
    let told = "changed since, while undo was running; it was left alone; the earlier file is now a.before-1, in the same folder";
    assert_eq!(failed, [told]);
    assert_eq!(fs::read_to_string(tree.root.join("a")).unwrap(), "the user's");
    assert_eq!(fs::read_to_string(tree.root.join("a.before-1")).unwrap(), "the only copy");
}
