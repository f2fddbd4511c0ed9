//! Which files somebody works on right now: open in some process, or changed within the last minute.

use super::Scan;
use crate::standing::Moment;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// A file that changed less than this many seconds ago may still be being written, e.g. by a download.
const JUST_NOW_SECS: i64 = 60;

/// Marks the files that somebody works on.
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

/// A time in the future says nothing: the clock was wrong then, or is now.
fn is_recent(modified: Moment, now_secs: i64) -> bool {
    (0..JUST_NOW_SECS).contains(&(now_secs - modified.secs))
}

/// Paths of files that other processes have open, as far as this user may see them; empty where the system does not say.
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
