//! Distinguishes walks over folders from deliberate opens. A program that lists folders and opens what is in them does
//! not want any particular file.
//!
//! The result only decides between asking a person and refusing without asking, so it may be wrong: a program that
//! hides its walk causes a few questions, and then none.

use super::calls::At;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Package folders, which runtimes list to find modules.
const PACKAGES: [&str; 5] = ["node_modules", "site-packages", "dist-packages", ".venv", "venv"];
/// The maximum number of remembered folders and threads.
const MOST: usize = 1_024;

/// The folders that the threads of a command have listed.
#[derive(Default)]
pub(crate) struct Walks(RefCell<Listed>);

#[derive(Default)]
struct Listed {
    /// The folder that each thread listed last.
    last: BTreeMap<i32, PathBuf>,
    all: BTreeSet<PathBuf>,
}

impl Walks {
    /// Records a folder that is opened for listing.
    pub(crate) fn note(&self, thread: i32, folder: &Path) {
        let is_package = |part: &std::ffi::OsStr| PACKAGES.iter().any(|package| part == *package);
        if folder.iter().any(is_package) {
            return;
        }
        let mut listed = self.0.borrow_mut();
        if listed.all.len() < MOST {
            listed.all.insert(folder.to_owned());
        }
        if listed.last.len() >= MOST && !listed.last.contains_key(&thread) {
            listed.last.clear();
        }
        listed.last.insert(thread, folder.to_owned());
    }

    /// Returns whether an access to a path is part of a walk. It is if any of these hold: the path was relative to an
    /// open folder; the process last listed the folder, a subfolder or the folder that it copies to; or it received the
    /// name from another process that listed the folder.
    pub(crate) fn meets(&self, at: At, is_relative: bool, thread: i32, real: &Path) -> bool {
        let Some(folder) = real.parent() else { return true };
        if is_relative && at.folder != libc::AT_FDCWD {
            return true;
        }
        let listed = self.0.borrow();
        let is_of_walk = |last: &PathBuf| last.starts_with(folder) || last.file_name() == folder.file_name();
        let has_listed = |thread: &i32| listed.last.get(thread).is_some_and(is_of_walk);
        if has_listed(&thread) || threads(thread).iter().any(has_listed) {
            return true;
        }
        listed.all.contains(folder) && real.file_name().is_some_and(|name| is_an_argument(thread, name))
    }
}

/// Returns all threads of the process of a thread.
fn threads(thread: i32) -> Vec<i32> {
    let entries = std::fs::read_dir(format!("/proc/{thread}/task")).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Returns whether an argument of the process ends in a name.
fn is_an_argument(thread: i32, name: &std::ffi::OsStr) -> bool {
    use std::os::unix::ffi::OsStrExt;
    let words = std::fs::read(format!("/proc/{thread}/cmdline")).unwrap_or_default();
    let mut words = words.split(|byte| *byte == 0).skip(1);
    words.any(|word| Path::new(std::ffi::OsStr::from_bytes(word)).file_name() == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: At = At { folder: libc::AT_FDCWD, path: 0 };
    /// A thread id that no process has.
    const THREAD: i32 = i32::MAX;

    fn meets(listed: &[&str], at: At, real: &str) -> bool {
        let walks = Walks::default();
        listed.iter().for_each(|folder| walks.note(THREAD, Path::new(folder)));
        walks.meets(at, true, THREAD, Path::new(real))
    }

    #[test]
    fn what_was_listed_last_is_walked_and_what_runtimes_list_is_not() {
        assert!(!meets(&[], HERE, "/w/.env"));
        assert!(meets(&["/w"], HERE, "/w/.env"));
        assert!(meets(&["/w", "/w/a/b"], HERE, "/w/.env"), "a walk that came back up");
        assert!(!meets(&["/w", "/usr/lib/python3"], HERE, "/w/.env"), "a search for modules");
        assert!(!meets(&["/usr/lib/python3", "/w/.venv/lib"], HERE, "/w/.env"));
        assert!(meets(&["/w/.git"], HERE, "/w/copy/.git/config"), "a copy of a tree");
        assert!(meets(&[], At { folder: 5, path: 1 }, "/w/.env"), "relative to an open folder");
    }
}
