//! A bounded breadth-first walk over a tree that does not follow links.

use std::collections::VecDeque;
use std::fs::{self, DirEntry, FileType};
use std::path::Path;

/// Whether to visit the content of a folder too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Visit {
    Enter,
    Skip,
    Stop,
}

/// Calls `visit` with the path and kind of every entry below `top`. Returns `false` if the walk is incomplete: there
/// are more than `limit` entries, a folder is unreadable, or `visit` stopped the walk.
pub(super) fn walk(
    top: &Path,
    limit: usize,
    mut visit: impl FnMut(&Path, FileType, &DirEntry) -> Visit,
) -> bool {
    let mut left = limit;
    let mut is_complete = true;
    let mut folders = VecDeque::from([top.to_owned()]);
    while let Some(folder) = folders.pop_front() {
        let Ok(entries) = fs::read_dir(&folder) else {
            is_complete = false;
            continue;
        };
        for entry in entries {
            let Some(remaining) = left.checked_sub(1) else { return false };
            left = remaining;
            let Ok((entry, kind)) = entry.and_then(|entry| entry.file_type().map(|kind| (entry, kind)))
            else {
                is_complete = false;
                continue;
            };
            let path = entry.path();
            match visit(&path, kind, &entry) {
                Visit::Stop => return false,
                Visit::Enter if kind.is_dir() => folders.push_back(path),
                Visit::Enter | Visit::Skip => {}
            }
        }
    }
    is_complete
}
