//! A bounded walk over a tree, widest first, that follows no link.

use std::collections::VecDeque;
use std::fs::{self, Metadata};
use std::path::Path;

/// Whether a folder's content is looked at too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Visit {
    Enter,
    Skip,
    Stop,
}

/// Shows `visit` every entry below `top` with its metadata. `false` when not all was seen: more than `limit`
/// entries, an unreadable folder, or `visit` stopped it.
pub(super) fn walk(top: &Path, limit: usize, mut visit: impl FnMut(&Path, &Metadata) -> Visit) -> bool {
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
            let seen = entry.and_then(|entry| entry.metadata().map(|metadata| (entry.path(), metadata)));
            let Ok((path, metadata)) = seen else {
                is_complete = false;
                continue;
            };
            match visit(&path, &metadata) {
                Visit::Stop => return false,
                Visit::Enter if metadata.is_dir() => folders.push_back(path),
                Visit::Enter | Visit::Skip => {}
            }
        }
    }
    is_complete
}
