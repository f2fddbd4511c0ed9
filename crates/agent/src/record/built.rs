//! Separates what programs made, such as build output and caches, from a person's own files. A folder counts as made if
//! its name says so, or if git ignores it. What a tool wrote by name, or what git tracks, is never made.

use super::gathered::Net;
use crate::core::Core;
use crate::git::{Git, GitCall};
use crate::repositories::build_output::at_beginning;
use deputy_protocol::{BuiltFolder, TaskId};
use deputy_store::StoreError;
use deputy_tools::tree::is_cache;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time that git has for a question.
const PATIENCE: Duration = Duration::from_secs(10);

/// The changes of a task, sorted.
#[derive(Default)]
pub(super) struct Sorted {
    /// Those of files that are not made by programs, or could be a person's own.
    pub(super) own: Vec<Net>,
    /// How many files changed in each folder that holds only what programs make.
    pub(super) built: Vec<BuiltFolder>,
}

/// Sorts the changes of a task. `output` has the folders with build output, whose files were counted and not listed.
pub(super) async fn sort(
    core: &Core,
    task: &TaskId,
    changes: Vec<Net>,
    output: BTreeMap<PathBuf, u32>,
) -> Result<Sorted, StoreError> {
    let mut ignored = ignored(core, &changes).await;
    // What only the task's own rules ignore is the person's.
    if !ignored.folders.is_empty() && changes.iter().any(|change| change.path.ends_with("/.gitignore")) {
        let at_beginning = at_beginning(core, task).await?;
        ignored.folders.retain(|folder| at_beginning.ignored(folder));
    }
    let mut built = output.clone();
    let mut own = Vec::new();
    for change in changes {
        let path = Path::new(&change.path);
        let folder =
            folders(path).into_iter().find(|folder| is_cache(folder) || ignored.folders.contains(*folder));
        match folder.filter(|_| !change.is_named && !ignored.tracked.contains(path)) {
            // What a command named in a folder with build output was counted there.
            Some(_) if path.ancestors().any(|folder| output.contains_key(folder)) => {}
            Some(folder) => *built.entry(folder.to_owned()).or_default() += 1,
            None => own.push(change),
        }
    }
    let told = |(folder, files): (PathBuf, u32)| BuiltFolder {
        folder: folder.to_string_lossy().into_owned(),
        files,
    };
    Ok(Sorted { own, built: built.into_iter().map(told).collect() })
}

/// Returns the folders around a path, the outermost first.
fn folders(path: &Path) -> Vec<&Path> {
    let mut folders: Vec<&Path> = path.ancestors().skip(1).collect();
    folders.reverse();
    folders
}

/// What git says about the folders around changes.
#[derive(Default)]
struct Ignored {
    folders: HashSet<PathBuf>,
    /// Files inside them that git tracks all the same.
    tracked: HashSet<PathBuf>,
}

/// Asks the git of each repository which folders around the changes it ignores.
async fn ignored(core: &Core, changes: &[Net]) -> Ignored {
    let mut repositories: BTreeMap<PathBuf, BTreeSet<&Path>> = BTreeMap::new();
    let mut known: BTreeMap<&Path, Option<PathBuf>> = BTreeMap::new();
    for change in changes {
        let Some(folder) = Path::new(&change.path).parent() else { continue };
        let found = known.entry(folder).or_insert_with(|| {
            let mut above = folder.ancestors();
            above.find(|folder| folder.join(".git").symlink_metadata().is_ok()).map(Path::to_owned)
        });
        if let Some(repository) = found.clone() {
            let inside: Vec<&Path> = folder.ancestors().take_while(|folder| *folder != repository).collect();
            repositories.entry(repository).or_default().extend(inside);
        }
    }
    let mut ignored = Ignored::default();
    let Some(git) = Git::find(core) else { return ignored };
    for (repository, folders) in repositories.into_iter().filter(|(_, folders)| !folders.is_empty()) {
        // A folder ends with a slash, or a rule for folders alone does not apply to one that is gone.
        let asked = folders.iter().map(|folder| [folder.as_os_str().as_bytes(), b"/"].concat());
        let arguments = ["check-ignore", "-z", "--stdin"].map(OsString::from).into();
        let found = run(&git, &repository, arguments, paths(asked)).await;
        let outermost = deputy_tools::tree::outermost(&found);
        if !outermost.is_empty() {
            let mut arguments: Vec<OsString> =
                ["--literal-pathspecs", "ls-files", "-z", "--"].map(OsString::from).into();
            arguments.extend(outermost.iter().map(|folder| folder.as_os_str().to_owned()));
            let tracked = run(&git, &repository, arguments, Vec::new()).await;
            ignored.tracked.extend(tracked.into_iter().map(|path| repository.join(path)));
        }
        ignored.folders.extend(found);
    }
    ignored
}

/// Joins paths as git reads them.
fn paths(paths: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    paths.fold(Vec::new(), |mut all, path| {
        all.extend(path);
        all.push(0);
        all
    })
}

/// Asks git in a repository for paths. Without an answer there are none.
async fn run(git: &Git<'_>, repository: &Path, arguments: Vec<OsString>, input: Vec<u8>) -> Vec<PathBuf> {
    let call = GitCall {
        arguments,
        cwd: repository.to_owned(),
        readable: vec![repository.to_owned()],
        input,
        patience: PATIENCE,
        ..GitCall::default()
    };
    let Ok(answer) = git.run(call).await else { return Vec::new() };
    let named = answer.output.split(|byte| *byte == 0).filter(|path| !path.is_empty());
    let named = named.map(|path| path.strip_suffix(b"/").unwrap_or(path));
    named.map(|path| PathBuf::from(OsStr::from_bytes(path))).collect()
}
