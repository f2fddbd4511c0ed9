//! Finds what a command changed, by comparing the disk with what was stored before.

use super::manifest::{KeptEntry, Manifest, open_below};
use super::walk::{Entry, Kind, walk};
use super::{Ground, TreeLimits};
use crate::files::digest_of;
use crate::text::shown;
use deputy_protocol::{
    AbsentFile, FileChange, FileState, KeptFile, KeptFolder, KeptLink, SpecialFile, UnkeptFile,
};
use std::collections::{HashMap, HashSet};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// What a command changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// The changes, in an order in which they could have been made. If they are undone from last to first, each finds
    /// its folder.
    pub changes: Vec<FileChange>,
    /// Paths that changed and that undo cannot restore, with control characters escaped.
    pub uncovered: Vec<String>,
}

impl Differences {
    /// Returns all changes, the oldest first. Paths that undo cannot restore are marked as such.
    pub fn told(self) -> impl Iterator<Item = FileChange> {
        let unkept = || FileState::Unkept(UnkeptFile {});
        let uncovered = self.uncovered.into_iter();
        let uncovered = uncovered.map(move |path| FileChange { path, before: unkept(), after: unkept() });
        uncovered.chain(self.changes)
    }
}

/// Compares the folders of the manifest with the disk. Blocks while it reads what changed.
pub fn differences(manifest: &Manifest, limits: TreeLimits) -> Differences {
    // Secrets that existed before are in the list of files that were not stored. New files are included, whatever their
    // names.
    let ground = Ground { roots: manifest.roots.clone(), is_secret: &|_| false, is_open: &|_| false };
    let skip: HashSet<PathBuf> = manifest.unseen.iter().cloned().collect();
    // At most what existed before, and as much again as may be stored. If a command creates more, that is reported and
    // left alone.
    let known = manifest.kept.len() + manifest.left.len();
    let most = known + usize::try_from(limits.max_files).unwrap_or(usize::MAX - known);
    let found = walk(&ground, most, &skip, &[]);
    let mut comparison = Comparison {
        before: manifest.kept.iter().map(|entry| (entry.path.as_str(), entry)).collect(),
        left: manifest.left.iter().map(|(path, stamp)| (path.as_str(), stamp)).collect(),
        unread_bytes: limits.max_bytes,
        folder: None,
        removals: Vec::new(),
        others: Vec::new(),
        uncovered: Vec::new(),
    };
    for entry in &found.entries {
        comparison.entry(entry);
    }
    comparison.gone(&found.unseen, &skip);
    comparison.done()
}

struct Comparison<'a> {
    /// Entries that were not found again are deleted.
    before: HashMap<&'a str, &'a KeptEntry>,
    left: HashMap<&'a str, &'a super::walk::Stamp>,
    /// The remaining number of bytes of new files that may be read.
    unread_bytes: u64,
    folder: Option<(PathBuf, OwnedFd)>,
    /// Paths where nothing existed before. Undo removes them.
    removals: Vec<FileChange>,
    others: Vec<FileChange>,
    uncovered: Vec<String>,
}

impl Comparison<'_> {
    fn entry(&mut self, entry: &Entry) {
        let lossy = entry.path.to_string_lossy();
        if let Some(stamp) = self.left.remove(&*lossy) {
            if *stamp != entry.stamp && !matches!(entry.kind, Kind::Folder) {
                self.uncovered(&entry.path);
            }
            return;
        }
        let before = self.before.remove(&*lossy);
        if before.is_some_and(|before| is_untouched(before, entry)) {
            return;
        }
        let Some(path) = entry.path.to_str() else { return self.uncovered(&entry.path) };
        let Some(after) = self.state(entry) else { return self.uncovered(&entry.path) };
        let absent = FileState::Absent(AbsentFile {});
        let before = before.map_or(absent.clone(), |before| before.state.clone());
        if before == after {
            return;
        }
        let list = if before == absent { &mut self.removals } else { &mut self.others };
        list.push(FileChange { path: path.to_owned(), before, after });
    }

    /// Returns the current state. `None` if it cannot be determined.
    fn state(&mut self, entry: &Entry) -> Option<FileState> {
        match &entry.kind {
            Kind::Folder => Some(FileState::Folder(KeptFolder { mode: Some(entry.mode) })),
            Kind::Link { target } => {
                let target = String::from_utf8(target.clone()).ok()?;
                Some(FileState::Link(KeptLink { target }))
            }
            Kind::File { .. } => {
                self.unread_bytes = self.unread_bytes.checked_sub(entry.stamp.size)?;
                let mut file = open_below(&mut self.folder, &entry.path).ok()?;
                let kept = digest_of(&mut file).ok()?;
                Some(FileState::File(KeptFile { mode: entry.mode, ..kept }))
            }
            Kind::Special { what } => Some(FileState::Special(SpecialFile { what: (*what).to_owned() })),
            Kind::Secret { .. } => None,
        }
    }

    /// Records the entries that were not found again as deleted, unless their folder could not be read this time.
    fn gone(&mut self, unseen: &[PathBuf], skipped: &HashSet<PathBuf>) {
        let newly_unseen: Vec<&PathBuf> = unseen.iter().filter(|path| !skipped.contains(*path)).collect();
        for folder in &newly_unseen {
            self.uncovered(folder);
        }
        let is_seen = |path: &str| !newly_unseen.iter().any(|folder| Path::new(path).starts_with(folder));
        for (path, entry) in std::mem::take(&mut self.before) {
            if is_seen(path) {
                self.others.push(FileChange {
                    path: path.to_owned(),
                    before: entry.state.clone(),
                    after: FileState::Absent(AbsentFile {}),
                });
            }
        }
        for path in std::mem::take(&mut self.left).into_keys().filter(|path| is_seen(path)) {
            self.uncovered.push(shown(path.as_ref()));
        }
    }

    fn uncovered(&mut self, path: &Path) {
        self.uncovered.push(shown(path.as_os_str()));
    }

    /// Orders the changes. Undo goes from the last to the first: it removes new entries, innermost first, and then
    /// restores the old ones, outermost first.
    fn done(mut self) -> Differences {
        let by_path = |a: &FileChange, b: &FileChange| Path::new(&a.path).cmp(Path::new(&b.path));
        self.others.sort_by(|a, b| by_path(b, a));
        self.removals.sort_by(by_path);
        self.others.append(&mut self.removals);
        self.uncovered.sort();
        Differences { changes: self.others, uncovered: self.uncovered }
    }
}

/// Returns whether the metadata alone shows that nothing changed. A folder's stamp changes with its content, which is
/// reported separately.
fn is_untouched(before: &KeptEntry, now: &Entry) -> bool {
    match (&before.state, &now.kind) {
        (FileState::File(file), Kind::File { .. }) => {
            before.has_settled && before.stamp == now.stamp && file.mode == now.mode
        }
        (FileState::Folder(folder), Kind::Folder) => folder.mode == Some(now.mode),
        _ => false,
    }
}
