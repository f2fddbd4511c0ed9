//! Sorts changes into those of repositories and those of other files.

use super::Changed;
use crate::blobs::StoreBlobs;
use deputy_protocol::{CallId, ChangedRepository, FileChange, FileState};
use deputy_tools::tree::{GitPart, RepositoryStates, git_part};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// What the journal has about a call that changed repositories.
#[derive(Clone, Debug, Default)]
pub(in crate::host::undo) struct Recorded {
    /// The position of its end in the journal.
    pub(in crate::host::undo) seq: u64,
    /// The folder of its task.
    pub(in crate::host::undo) workspace: PathBuf,
    pub(in crate::host::undo) repositories: Vec<ChangedRepository>,
    /// Its changes, oldest first.
    pub(in crate::host::undo) changes: Vec<FileChange>,
}

/// The changes of an undo or a redo.
pub(in crate::host::undo) struct ChangedRepositories {
    pub(in crate::host::undo) repositories: Vec<Changed>,
    /// All other changes, in the given order.
    pub(in crate::host::undo) others: Vec<(CallId, FileChange)>,
}

/// Returns whether a change can belong to a repository, as far as its path tells.
pub(in crate::host::undo) fn is_maybe_gits(change: &FileChange) -> bool {
    let names = [".git", "HEAD", "objects", "refs", "reftable", "logs"];
    let path = Path::new(&change.path);
    path.components().any(|part| names.iter().any(|name| part.as_os_str() == *name))
}

impl ChangedRepositories {
    /// Sorts changes, given newest first.
    pub(in crate::host::undo) fn of(
        changes: Vec<(CallId, FileChange)>,
        recorded: &HashMap<CallId, Recorded>,
        blobs: &StoreBlobs,
    ) -> Self {
        let folder_of = |call: &CallId, change: &FileChange| {
            let path = Path::new(&change.path);
            let own = recorded.get(call).into_iter().flat_map(|recorded| &recorded.repositories);
            let own = own.map(|repository| Path::new(&repository.folder));
            let own =
                own.filter(|folder| path.starts_with(folder)).max_by_key(|folder| folder.as_os_str().len());
            let folder = own.map(Path::to_owned).or_else(|| named_folder(change))?;
            let inside = path.strip_prefix(&folder).ok()?;
            (git_part(inside) != GitPart::Setting).then_some(folder)
        };
        let mut folders: BTreeMap<PathBuf, Vec<CallId>> = BTreeMap::new();
        for (call, change) in &changes {
            if let Some(folder) = folder_of(call, change) {
                let calls = folders.entry(folder).or_default();
                if !calls.contains(call) {
                    calls.push(call.clone());
                }
            }
        }
        let mut repositories: Vec<Changed> =
            folders.into_iter().map(|(folder, calls)| gathered(folder, calls, recorded, blobs)).collect();
        let mut others = Vec::new();
        for (call, change) in changes {
            let gits = folder_of(&call, &change);
            let is_its = |repository: &&mut Changed| match repository.is_whole() {
                true => Path::new(&change.path).starts_with(&repository.folder),
                false => gits.as_ref() == Some(&repository.folder),
            };
            match repositories.iter_mut().find(is_its) {
                Some(repository) => {
                    if !repository.calls.contains(&call) {
                        repository.calls.push(call.clone());
                    }
                    repository.changes.push((call, change));
                }
                None => others.push((call, change)),
            }
        }
        Self { repositories, others }
    }
}

/// Returns the folder of a repository that the journal says nothing about, by its name.
fn named_folder(change: &FileChange) -> Option<PathBuf> {
    let path = Path::new(&change.path);
    let folder = path.ancestors().find(|folder| folder.ends_with(".git"))?;
    // The file `.git` of a working tree or submodule says where its data is.
    let is_folder = |state: &FileState| matches!(state, FileState::Folder(_));
    (folder != path || is_folder(&change.before) || is_folder(&change.after)).then(|| folder.to_owned())
}

fn gathered(
    folder: PathBuf,
    mut calls: Vec<CallId>,
    recorded: &HashMap<CallId, Recorded>,
    blobs: &StoreBlobs,
) -> Changed {
    let seq = |call: &CallId| recorded.get(call).map_or(u64::MAX, |recorded| recorded.seq);
    calls.sort_by_key(seq);
    let state = |call: &CallId| -> Option<RepositoryStates> {
        let repositories = &recorded.get(call)?.repositories;
        let kept = repositories.iter().find(|repository| Path::new(&repository.folder) == folder)?;
        let bytes = blobs.blob(&kept.states)?;
        RepositoryStates::from_bytes(&bytes).ok()
    };
    let states = calls.iter().map(state).collect();
    let workspace =
        calls.first().and_then(|call| recorded.get(call)).map(|recorded| recorded.workspace.clone());
    Changed { folder, workspace: workspace.unwrap_or_default(), calls, states, changes: Vec::new() }
}
