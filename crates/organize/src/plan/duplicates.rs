//! Decides which of several copies to keep: the one with the best name, and among those the oldest.

use crate::names::split;
use crate::scan::{FileId, Scan, core_of};
use std::path::PathBuf;

/// A redundant copy.
pub(super) struct Surplus {
    pub(super) file: FileId,
    /// The copy to keep.
    pub(super) kept: FileId,
}

/// Returns every copy except the one to keep. Skips groups with a file that is open or was just changed.
pub(super) fn surplus(scan: &Scan) -> Vec<Surplus> {
    let mut found = Vec::new();
    for group in &scan.duplicates {
        if group.iter().any(|id| scan.files[*id as usize].is_busy) {
            continue;
        }
        let Some(kept) = group.iter().copied().min_by_key(|id| rank(scan, *id)) else { continue };
        found.extend(group.iter().filter(|id| **id != kept).map(|file| Surplus { file: *file, kept }));
    }
    found.sort_by_key(|surplus| surplus.file);
    found
}

/// Ranks a copy; lower is better. Compares the marks of copies, machine-made names, the marks of versions, and the age.
/// Among equal files, prefers those sorted into a folder, and then the first path.
fn rank(scan: &Scan, id: FileId) -> impl Ord {
    let file = &scan.files[id as usize];
    let (stem, _) = split(&file.name);
    let (core, marks) = core_of(stem);
    let path: PathBuf = scan.path(id);
    let is_loose = scan.root_of(&path).is_some_and(|root| path.parent() == Some(root));
    (marks.copy, is_machine_made(&core), marks.version, file.modified, is_loose, path)
}

/// Returns whether a name only says which device created the file.
fn is_machine_made(core: &str) -> bool {
    const WORDS: [&str; 17] = [
        "img",
        "dsc",
        "dscn",
        "dscf",
        "pxl",
        "mvi",
        "vid",
        "scan",
        "image",
        "photo",
        "untitled",
        "unbenannt",
        "document",
        "download",
        "file",
        "unknown",
        "screenshot",
    ];
    let words = core.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty());
    words.into_iter().all(|word| WORDS.contains(&word) || word.chars().count() < 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_machines_say_nothing() {
        for name in ["img 4711", "dsc00412", "unbenannt", "20260711", ""] {
            assert!(is_machine_made(name), "{name}");
        }
        for name in ["möwen am strand", "report", "inv 00417 kestrow"] {
            assert!(!is_machine_made(name), "{name}");
        }
    }
}
