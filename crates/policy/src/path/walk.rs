//! A bounded walk over a tree, widest first, that follows no link.

use std::collections::VecDeque;
use std::fs::{self, DirEntry, FileType};
use std::path::Path;

/// Whether a folder's content is looked at too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Visit {
    Enter,
    Skip,
    Stop,
}

/// Shows `visit` every entry below `top` with its path and kind. `false` when not all was seen: more than `limit`
/// entries, an unreadable folder, or `visit` stopped it.
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
