//! Git repositories that a command changed: the files in which git keeps HEAD, the index, the stash and references, with
//! their states before and after the command. Undo lets git read both states, so no git runs after a command.

use super::difference::Differences;
use super::manifest::{Contents, Manifest, open_below};
use crate::keeper::KeepError;
use deputy_protocol::{AbsentFile, FileChange, FileState, KeptFile};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// What a path in the folder of a repository is for undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GitPart {
    /// Contents that git never changes. Undo removes none of them, and brings back those that are gone.
    Object,
    /// A setting of the person's. Undo treats it like any other file.
    Setting,
    /// What determines HEAD, the index, the stash and references. Undo lets git change it.
    State,
    /// What git writes for itself. Undo leaves it.
    Other,
}

/// Classifies a path relative to the folder of a repository.
pub fn git_part(path: &Path) -> GitPart {
    let mut parts = path.components().map(Component::as_os_str);
    let Some(first) = parts.next() else { return GitPart::Other };
    let named = |names: &[&str], part: &OsStr| names.iter().any(|name| part == OsStr::new(name));
    if path.extension().is_some_and(|ending| ending == "lock") {
        return GitPart::Other;
    }
    match parts.next() {
        _ if first == "worktrees" => {
            let inside: PathBuf = path.components().skip(2).collect();
            match git_part(&inside) {
                GitPart::Other if inside == Path::new("gitdir") || inside == Path::new("commondir") => {
                    GitPart::State
                }
                part => part,
            }
        }
        Some(_) if first == "modules" => {
            // The name of a submodule can have several parts.
            let parts: Vec<_> = path.components().skip(2).collect();
            let ends = (0..parts.len()).map(|from| parts[from..].iter().collect::<PathBuf>());
            ends.map(|end| git_part(&end)).find(|part| *part != GitPart::Other).unwrap_or(GitPart::Other)
        }
        Some(_) if named(&["objects"], first) => GitPart::Object,
        Some(second) if first == "lfs" && second == "objects" => GitPart::Object,
        Some(second) if first == "info" && named(&["exclude", "attributes", "sparse-checkout"], second) => {
            GitPart::Setting
        }
        Some(_) if first == "hooks" => GitPart::Setting,
        Some(_) if named(&["refs", "reftable"], first) => GitPart::State,
        Some(_) if path == Path::new("logs/refs/stash") => GitPart::State,
        None if named(&["config", "config.worktree", "description"], first) => GitPart::Setting,
        None if named(&["HEAD", "index", "packed-refs", "shallow"], first) => GitPart::State,
        None if first.to_str().is_some_and(|name| name.starts_with("sharedindex.")) => GitPart::State,
        _ if named(&UNFINISHED, first) => GitPart::State,
        _ => GitPart::Other,
    }
}

/// The names in the folder of a repository that tell of an unfinished merge, rebase, pick, revert or search.
pub const UNFINISHED: [&str; 7] = [
    "MERGE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "BISECT_LOG",
    "rebase-merge",
    "rebase-apply",
    "sequencer",
];

/// A state of a repository as far as it determines what git reads: the state of each file by its path relative to the
/// folder of the repository. Folders are not listed.
pub type RepositoryState = BTreeMap<String, FileState>;

/// The states of a repository before and after a command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepositoryStates {
    /// Before the command. Empty if there was no repository.
    pub before: RepositoryState,
    /// After the command. Empty if there is no repository any more.
    pub after: RepositoryState,
}

impl RepositoryStates {
    /// Serializes the states to a blob.
    pub fn to_bytes(&self) -> Result<Vec<u8>, KeepError> {
        serde_json::to_vec(self).map_err(states_error)
    }

    /// Reads states from a blob.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KeepError> {
        serde_json::from_slice(bytes).map_err(states_error)
    }
}

fn states_error(error: serde_json::Error) -> KeepError {
    KeepError::Blob { digest: "of the states of a repository".to_owned(), reason: error.to_string().into() }
}

/// Returns the repositories that a command changed, with their states, and stores the contents of the later states. Leaves
/// out those whose states are not known in full, so that undo can say so. Blocks while it reads.
pub fn changed_repositories(
    manifest: &Manifest,
    found: &Differences,
    contents: &dyn Contents,
) -> Vec<(PathBuf, RepositoryStates)> {
    if !found.changes.iter().any(|change| has_name_of_git(Path::new(&change.path))) {
        return Vec::new();
    }
    let known = Known::of(manifest, &found.changes);
    let mut changed: BTreeMap<PathBuf, Vec<&FileChange>> = BTreeMap::new();
    for change in &found.changes {
        if let Some(folder) = known.repository_of(Path::new(&change.path)) {
            changed.entry(folder).or_default().push(change);
        }
    }
    let states = changed.into_iter().filter_map(|(folder, changes)| {
        let is_gits = |change: &&FileChange| {
            let inside = Path::new(&change.path).strip_prefix(&folder);
            inside.is_ok_and(|inside| git_part(inside) != GitPart::Setting)
        };
        if !changes.iter().any(is_gits) {
            return None;
        }
        let states = states(manifest, found, &folder, &changes, contents)?;
        Some((folder, states))
    });
    let states: Vec<_> = states.collect();
    match states.is_empty() || contents.sync().is_ok() {
        true => states,
        false => Vec::new(),
    }
}

/// Returns whether a path can belong to a repository. Cheap, because it is asked about every change.
fn has_name_of_git(path: &Path) -> bool {
    path.components().any(|part| {
        let part = part.as_os_str();
        part == ".git" || part == "refs" || part == "objects" || part == "HEAD" || part == "reftable"
    })
}

/// What exists or existed in the folders, to recognize repositories that are not called `.git`.
struct Known {
    /// Folders with a file `HEAD`.
    heads: BTreeSet<PathBuf>,
    /// Folders with a folder `objects`.
    objects: BTreeSet<PathBuf>,
}

impl Known {
    fn of(manifest: &Manifest, changes: &[FileChange]) -> Self {
        let (mut heads, mut objects) = (BTreeSet::new(), BTreeSet::new());
        let kept = manifest.kept.iter().map(|entry| entry.path.as_str());
        let left = manifest.left.iter().map(|(path, _)| path.as_str());
        let changed = changes.iter().map(|change| change.path.as_str());
        for path in kept.chain(left).chain(changed).map(Path::new) {
            let list = match path.file_name().and_then(OsStr::to_str) {
                Some("HEAD") => &mut heads,
                Some("objects") => &mut objects,
                _ => continue,
            };
            list.extend(path.parent().map(Path::to_owned));
        }
        objects.extend(
            manifest
                .unseen
                .iter()
                .filter(|path| path.ends_with("objects"))
                .filter_map(|path| path.parent().map(Path::to_owned)),
        );
        Self { heads, objects }
    }

    /// Returns the folder of the repository that a path belongs to: of a submodule rather than the one around it, and of a
    /// whole repository rather than one of its working trees.
    fn repository_of(&self, path: &Path) -> Option<PathBuf> {
        let folders: Vec<&Path> = path.ancestors().skip(1).collect();
        let is_repository = |folder: &Path| self.heads.contains(folder) && self.objects.contains(folder);
        folders.into_iter().find(|folder| is_repository(folder)).map(Path::to_owned)
    }
}

fn states(
    manifest: &Manifest,
    found: &Differences,
    folder: &Path,
    changes: &[&FileChange],
    contents: &dyn Contents,
) -> Option<RepositoryStates> {
    let is_state = |path: &str| {
        Path::new(path).strip_prefix(folder).is_ok_and(|inside| git_part(inside) == GitPart::State)
    };
    let is_wanted =
        |path: &str| is_state(path) || Path::new(path).strip_prefix(folder).is_ok_and(is_needed_setting);
    let is_unknown = manifest.left.iter().any(|(path, _)| is_state(path))
        || found.uncovered.iter().any(|path| is_state(path))
        || manifest.unseen.iter().any(|unseen| is_unknown_folder(unseen, folder));
    if is_unknown {
        return None;
    }
    let inside = |path: &str| {
        let inside = Path::new(path).strip_prefix(folder).ok()?;
        inside.to_str().map(str::to_owned)
    };
    let mut before = BTreeMap::new();
    for entry in manifest.kept.iter().filter(|entry| is_wanted(&entry.path)) {
        if !matches!(entry.state, FileState::Folder(_)) {
            before.insert(inside(&entry.path)?, entry.state.clone());
        }
    }
    let mut after = before.clone();
    let mut last = None;
    for change in changes.iter().filter(|change| is_wanted(&change.path)) {
        let name = inside(&change.path)?;
        match &change.after {
            FileState::Absent(AbsentFile {}) | FileState::Folder(_) => drop(after.remove(&name)),
            FileState::File(file) => {
                let open = open_below(&mut last, Path::new(&change.path)).ok()?;
                let kept: KeptFile = contents.keep(&open).ok()?;
                if kept.digest != file.digest {
                    return None;
                }
                after.insert(name, change.after.clone());
            }
            _ => return None,
        }
    }
    Some(RepositoryStates { before, after })
}

/// Settings that decide how git reads the rest.
fn is_needed_setting(inside: &Path) -> bool {
    ["config", "config.worktree"].iter().any(|name| inside.ends_with(name)) && inside.components().count() < 4
        || inside.ends_with("info/sparse-checkout")
}

/// Returns whether a folder that was not listed hides a part of the repository's state.
fn is_unknown_folder(unseen: &Path, folder: &Path) -> bool {
    match unseen.strip_prefix(folder) {
        Ok(inside) => {
            let first = inside.components().next().map(Component::as_os_str);
            !["objects", "lfs", "hooks", "modules"].iter().any(|name| first == Some(OsStr::new(name)))
        }
        Err(_) => folder.starts_with(unseen),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_of_a_repository_has_its_part() {
        use GitPart::{Object, Other, Setting, State};
        for (path, part) in [
            ("objects/ab/cdef", Object),
            ("objects/pack/pack-1.pack", Object),
            ("lfs/objects/ab/cd/abcd", Object),
            ("config", Setting),
            ("hooks/pre-commit", Setting),
            ("info/exclude", Setting),
            ("info/sparse-checkout", Setting),
            ("info/refs", Other),
            ("HEAD", State),
            ("index", State),
            ("sharedindex.0a1b", State),
            ("packed-refs", State),
            ("refs/heads/topic/a", State),
            ("reftable/tables.list", State),
            ("logs/refs/stash", State),
            ("logs/refs/heads/main", Other),
            ("logs/HEAD", Other),
            ("rebase-merge/onto", State),
            ("shallow", State),
            ("ORIG_HEAD", Other),
            ("COMMIT_EDITMSG", Other),
            ("index.lock", Other),
            ("refs/heads/main.lock", Other),
            ("worktrees/tree/HEAD", State),
            ("worktrees/tree/gitdir", State),
            ("worktrees/tree/logs/HEAD", Other),
            ("modules/a/library/config", Setting),
            ("modules/a/library/objects/ab/cd", Object),
            ("modules/a/library/refs/heads/main", State),
            ("", Other),
        ] {
            assert_eq!(git_part(Path::new(path)), part, "{path}");
        }
    }
}
