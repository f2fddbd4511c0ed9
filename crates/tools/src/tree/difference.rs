//! Finds what a command changed, by comparing the disk with what was stored before.

use super::built::Changed;
use super::manifest::{KeptEntry, Manifest, millis, open_below};
use super::walk::{Entry, Kind, walk};
use super::{Ground, TreeLimits};
use crate::files::digest_of;
use crate::text::shown;
use deputy_protocol::{
    AbsentFile, BuildOutputState, FileChange, FileState, KeptFile, KeptFolder, KeptLink, SpecialFile,
    UnkeptFile,
};
use std::collections::{HashMap, HashSet};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

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
        let uncovered = uncovered.map(move |path| FileChange {
            path,
            before: unkept(),
            after: unkept(),
            before_modified: None,
        });
        uncovered.chain(self.changes)
    }
}

/// Compares the folders of the manifest with the disk. Blocks while it reads what changed.
pub fn differences(manifest: &Manifest, limits: TreeLimits) -> Differences {
    // Secrets that existed before are in the list of files that were not stored. New files are included, whatever their
    // names.
    let output = &manifest.build_output;
    let ground = Ground {
        roots: manifest.roots.clone(),
        is_secret: &|_| false,
        is_open: &|_| false,
        output,
        is_walled: true,
    };
    let skip: HashSet<PathBuf> = manifest.unseen.iter().cloned().collect();
    // At most what existed before, and as much again as may be stored. If a command creates more, that is reported and
    // left alone.
    let known = manifest.kept.len() + manifest.left.len();
    let most = known + usize::try_from(limits.max_files).unwrap_or(usize::MAX - known);
    let before: HashMap<&str, &KeptEntry> =
        manifest.kept.iter().map(|entry| (entry.path.as_str(), entry)).collect();
    // A folder that existed is still what it was, whatever the command did to the repositories around it.
    let known_output: HashSet<&PathBuf> = manifest.output.iter().collect();
    let is_output = |folder: &Path| {
        let existed = || folder.to_str().is_some_and(|folder| before.contains_key(folder));
        known_output.contains(&folder.to_owned()) || (!existed() && output.has(folder))
    };
    let found = walk(&ground, most, &skip, &manifest.named, &is_output);
    let mut comparison = Comparison {
        before: before.clone(),
        left: manifest.left.iter().map(|(path, stamp)| (path.as_str(), stamp)).collect(),
        unread_bytes: limits.max_bytes,
        folder: None,
        removals: Vec::new(),
        others: Vec::new(),
        uncovered: Vec::new(),
        // Files can also come from folders that are not known.
        has_lost: !manifest.is_walled || !manifest.unseen.is_empty(),
    };
    for entry in &found.entries {
        comparison.entry(entry);
    }
    comparison.gone(&found.unseen, &skip);
    comparison.output(manifest, &found.output);
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
    /// Whether something may be gone that was not stored.
    has_lost: bool,
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
        let before_modified = before.and_then(|before| before.modified());
        let before = before.map_or(absent.clone(), |before| before.state.clone());
        if before == after {
            return;
        }
        let list = if before == absent { &mut self.removals } else { &mut self.others };
        list.push(FileChange { path: path.to_owned(), before, after, before_modified });
    }

    /// Returns the current state. `None` if it cannot be determined.
    fn state(&mut self, entry: &Entry) -> Option<FileState> {
        match &entry.kind {
            Kind::Folder => Some(FileState::Folder(KeptFolder { mode: Some(entry.mode), output: None })),
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

    /// Records which folders with build output are new, changed or gone. If something disappeared that was not stored, it
    /// may be in one of them now, so undo must not remove that folder.
    fn output(&mut self, manifest: &Manifest, found: &[PathBuf]) {
        let at_ms = millis(SystemTime::now());
        let folder = |files: u32, at_ms: u64| {
            FileState::Folder(KeptFolder { mode: None, output: Some(BuildOutputState { files, at_ms }) })
        };
        let earlier = || folder(0, manifest.looked_ms);
        let absent = || FileState::Absent(AbsentFile {});
        let existed: HashSet<&PathBuf> = manifest.output.iter().collect();
        for path in found {
            let changed = Changed::of(path, manifest.build_output.since_ms, manifest.looked_ms);
            let is_new = !existed.contains(path);
            if !is_new && !changed.by_command {
                continue;
            }
            let Some(name) = path.to_str().filter(|_| !self.has_lost) else {
                self.uncovered(path);
                continue;
            };
            let before = if is_new { absent() } else { earlier() };
            let list = if is_new { &mut self.removals } else { &mut self.others };
            list.push(FileChange {
                path: name.to_owned(),
                before,
                after: folder(changed.files, at_ms),
                before_modified: None,
            });
        }
        let found: HashSet<&PathBuf> = found.iter().collect();
        let gone = manifest.output.iter().filter(|path| !found.contains(path) && !path.is_dir());
        self.others.extend(gone.filter_map(|path| {
            Some(FileChange {
                path: path.to_str()?.to_owned(),
                before: earlier(),
                after: absent(),
                before_modified: None,
            })
        }));
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
                    before_modified: entry.modified(),
                });
            }
        }
        for path in std::mem::take(&mut self.left).into_keys().filter(|path| is_seen(path)) {
            self.has_lost = true;
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
