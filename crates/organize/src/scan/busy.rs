//! Finds files that are in use: open in some process, or changed within the last minute.

use super::Scan;
use crate::standing::Moment;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// A file that changed less than this number of seconds ago may still be written, e.g. by a download.
const JUST_NOW_SECS: i64 = 60;

/// Marks the files that are in use.
pub(super) fn mark(scan: &mut Scan) {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now_secs = i64::try_from(since_epoch.as_secs()).unwrap_or(i64::MAX);
    for file in &mut scan.files {
        file.is_busy = is_recent(file.modified, now_secs);
    }
    for path in open_files() {
        if let (Some(folder), Some(name)) = (path.parent(), path.file_name()) {
            let found = scan.folder(folder).and_then(|folder| scan.file(folder, name));
            if let Some(file) = found {
                scan.files[file as usize].is_busy = true;
            }
        }
    }
}

/// Returns whether a file changed recently. A time in the future has no meaning, because the clock was or is wrong.
fn is_recent(modified: Moment, now_secs: i64) -> bool {
    (0..JUST_NOW_SECS).contains(&(now_secs - modified.secs))
}

/// Returns the paths of files that other processes have open, as far as this user may see them. Empty if the system
/// does not provide them.
fn open_files() -> Vec<PathBuf> {
    let own = std::process::id().to_string();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let others = processes.filter(|entry| {
        let name = entry.file_name();
        name.to_str().is_some_and(|pid| pid != own && pid.bytes().all(|byte| byte.is_ascii_digit()))
    });
    let open =
        others.flat_map(|entry| std::fs::read_dir(entry.path().join("fd")).into_iter().flatten().flatten());
    open.filter_map(|entry| std::fs::read_link(entry.path()).ok()).filter(|path| path.is_absolute()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_minute_is_recent() {
        let at = |secs| Moment { secs, nanos: 0 };
        assert!(is_recent(at(1_000), 1_000) && is_recent(at(941), 1_000));
        assert!(!is_recent(at(940), 1_000) && !is_recent(at(2_000), 1_000));
    }
}
