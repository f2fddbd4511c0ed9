//! Jobs as they run, stop, and are taken back.

use crate::plans::{relocate, trash};
use crate::world::World;
use deputy_organize::{ConflictChoice, ConflictReason};

#[test]
fn a_job_moves_and_throws_away_and_is_taken_back() {
    let world = World::new();
    let (note, old) = (world.file("note.txt", "note"), world.file("old.txt", "old"));
    let before = world.snapshot();
    let (id, report) = world.run(vec![relocate(&note, world.root.join("notes/note.txt")), trash(&old)]);
    assert_eq!((report.done, report.stopped), (3, None));
    assert!(!old.exists() && world.base.join("Trash/info/old.txt.trashinfo").exists());
    let (reversal, _) = world.undo(&id, ConflictChoice::Skip);
    assert_eq!(reversal.conflicts, Vec::new());
    assert_eq!(world.snapshot(), before);
}

#[test]
fn undo_names_what_has_changed_since() {
    let world = World::new();
    let note = world.file("note.txt", "note");
    let moved = world.root.join("notes/note.txt");
    let (id, _) = world.run(vec![relocate(&note, &moved)]);
    std::fs::write(&moved, "changed since").unwrap();
    let (reversal, report) = world.undo(&id, ConflictChoice::Skip);
    assert_eq!(reversal.conflicts[0].reason, ConflictReason::Changed);
    // Only the folder is left: it stays, since the file stays.
    assert_eq!(report.skipped.len(), 1);
    assert_eq!(std::fs::read_to_string(moved).unwrap(), "changed since");
}
