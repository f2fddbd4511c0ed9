//! What is build output in the repositories of a task: decided once, by the commits that they were at when the task began.
//! Those commits are in the journal, so that a restart does not change the decision.

use crate::core::Core;
use crate::git::{Git, GitCall};
use crate::lineage::{above, below};
use deputy_protocol::{RepositoryHead, TaskEvent, TaskId, TaskSpec};
use deputy_store::StoreError;
use deputy_tools::tree::{BuildOutput, Committed};
use std::collections::{BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The time that git has for a question.
const PATIENCE: Duration = Duration::from_secs(10);
/// The maximum total size of the ignore files of a repository, in bytes. A repository with more has no build output.
const MOST_BYTES: usize = 64 * 1024;
/// The name of an ignore file.
const IGNORE_FILE: &str = ".gitignore";

/// What is build output for a task and its sub-tasks.
#[derive(Debug, Default)]
pub(crate) struct TaskBuildOutput {
    pub(crate) heads: Vec<RepositoryHead>,
    pub(crate) output: BuildOutput,
}

/// What is build output for each task that runs, by the id of its topmost task.
#[derive(Default)]
pub(crate) struct KnownBuildOutput(Mutex<HashMap<TaskId, Arc<TaskBuildOutput>>>);

impl KnownBuildOutput {
    /// Returns what is build output for a task. `writable` are the paths that its command may change.
    pub(crate) async fn of(
        &self,
        core: &Core,
        spec: &TaskSpec,
        writable: &[PathBuf],
    ) -> Result<Arc<TaskBuildOutput>, StoreError> {
        let above = above(core, spec.parent.as_ref())?;
        let top = above.last().map_or(&spec.id, |top| &top.id);
        if let Some(known) = self.known().get(top) {
            return Ok(known.clone());
        }
        let begun = match begun(core, top)? {
            Some(begun) => begun,
            None => (core.now_ms(), heads(core, Path::new(&spec.workspace), writable).await),
        };
        let known = at(core, begun).await;
        Ok(self.known().entry(top.clone()).or_insert_with(|| Arc::new(known)).clone())
    }

    /// Forgets a task that has ended.
    pub(crate) fn forget(&self, task: &TaskId) {
        self.known().remove(task);
    }

    fn known(&self) -> MutexGuard<'_, HashMap<TaskId, Arc<TaskBuildOutput>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns what was build output for a task when it began, from its journal.
pub(crate) async fn at_beginning(core: &Core, task: &TaskId) -> Result<BuildOutput, StoreError> {
    let parent = core.store.task(task)?.and_then(|task| task.parent);
    let above = above(core, parent.as_deref())?;
    let begun = begun(core, above.last().map_or(task, |top| &top.id))?;
    Ok(at(core, begun.unwrap_or_default()).await.output)
}

/// Asks git what is build output by the rules of these commits.
async fn at(core: &Core, (since_ms, heads): (i64, Vec<RepositoryHead>)) -> TaskBuildOutput {
    let mut output = BuildOutput { since_ms: u64::try_from(since_ms).unwrap_or(0), ..BuildOutput::default() };
    if let Some(git) = Git::find(core) {
        for head in &heads {
            if let Some(committed) = committed(&git, head).await {
                output.repositories.insert(PathBuf::from(&head.folder), committed);
            }
        }
    }
    TaskBuildOutput { heads, output }
}

/// Returns when a task or one of its sub-tasks ran its first command, and the commits that its repositories were at.
/// `None` if there was no command yet.
fn begun(core: &Core, top: &TaskId) -> Result<Option<(i64, Vec<RepositoryHead>)>, StoreError> {
    const PAGE: u32 = 1_000;
    let mut firsts = Vec::new();
    for task in std::iter::once(top.clone()).chain(below(core, top)?.into_iter().map(|part| part.id)) {
        let mut after = 0;
        loop {
            let page = core.store.task_events(&task, after, PAGE)?;
            let is_last = page.len() < PAGE as usize;
            after = page.last().map_or(after, |record| record.seq);
            let first = page.into_iter().find_map(|record| match record.event {
                TaskEvent::TreeKept(kept) => Some((record.at_ms, kept.heads)),
                _ => None,
            });
            let is_found = first.is_some();
            firsts.extend(first);
            if is_last || is_found {
                break;
            }
        }
    }
    Ok(firsts.into_iter().min_by_key(|(at_ms, _)| *at_ms))
}

/// Returns the commits of the repositories around a task's folder and around the paths that its command may change.
async fn heads(core: &Core, workspace: &Path, writable: &[PathBuf]) -> Vec<RepositoryHead> {
    let Some(git) = Git::find(core) else { return Vec::new() };
    let around = |path: &Path| {
        let is_repository = |folder: &&Path| folder.join(".git").symlink_metadata().is_ok();
        path.ancestors().find(is_repository).map(Path::to_owned)
    };
    let workspace = workspace.canonicalize().ok();
    let paths = workspace.iter().chain(writable).map(PathBuf::as_path);
    let folders: BTreeSet<PathBuf> = paths.filter_map(around).collect();
    let mut heads = Vec::new();
    for folder in folders {
        let asked =
            ask(&git, &folder, &["rev-parse", "--verify", "--end-of-options", "HEAD^{commit}"], Vec::new());
        let commit = asked.await.and_then(|answer| String::from_utf8(answer).ok());
        if let (Some(commit), Some(folder)) = (commit, folder.to_str()) {
            heads.push(RepositoryHead { folder: folder.to_owned(), commit: commit.trim().to_owned() });
        }
    }
    heads
}

/// Returns what a commit says about ignored files. `None` if git does not answer.
async fn committed(git: &Git<'_>, head: &RepositoryHead) -> Option<Committed> {
    let folder = Path::new(&head.folder);
    if !head.commit.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let listed = ask(git, folder, &["ls-tree", "-r", "-z", "--full-tree", &head.commit], Vec::new()).await?;
    let mut committed = Committed::default();
    let mut ignore_files: Vec<(PathBuf, &[u8])> = Vec::new();
    for line in listed.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
        // MODE TYPE OBJECT<tab>PATH
        let at = line.iter().position(|byte| *byte == b'\t')?;
        let path = Path::new(OsStr::from_bytes(&line[at + 1..]));
        committed.add(path);
        let mut fields = line[..at].split(|byte| *byte == b' ');
        let is_file = fields.next().is_some_and(|mode| mode.starts_with(b"100"));
        if is_file && path.file_name() == Some(OsStr::new(IGNORE_FILE)) {
            ignore_files.push((path.parent()?.to_owned(), fields.nth(1)?));
        }
    }
    if ignore_files.is_empty() {
        return Some(committed);
    }
    let asked = ignore_files.iter().flat_map(|(_, object)| [object, &b"\n"[..]].concat()).collect();
    let answer = ask(git, folder, &["cat-file", "--batch"], asked).await?;
    let mut rest = &answer[..];
    let mut bytes = 0;
    for (folder, _) in ignore_files {
        let content = next_object(&mut rest)?;
        bytes += content.len();
        if bytes > MOST_BYTES {
            return None;
        }
        committed.ignore_files.insert(folder, String::from_utf8_lossy(content).into_owned());
    }
    Some(committed)
}

/// Takes the next object from the answer of `git cat-file --batch`: `OBJECT TYPE SIZE`, a line feed, the content and a line
/// feed.
fn next_object<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let header = std::str::from_utf8(&rest[..end]).ok()?;
    let size: usize = header.rsplit(' ').next()?.parse().ok()?;
    let content = rest.get(end + 1..end + 1 + size)?;
    *rest = rest.get(end + 1 + size + 1..)?;
    Some(content)
}

async fn ask(git: &Git<'_>, folder: &Path, arguments: &[&str], input: Vec<u8>) -> Option<Vec<u8>> {
    let call = GitCall {
        arguments: arguments.iter().map(OsString::from).collect(),
        cwd: folder.to_owned(),
        readable: vec![folder.to_owned()],
        input,
        patience: PATIENCE,
        ..GitCall::default()
    };
    git.run(call).await.ok()?.success().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_taken_one_after_the_other() {
        let mut rest = &b"aa blob 3\na\nb\nbb blob 0\n\ncc missing\n"[..];
        assert_eq!(next_object(&mut rest), Some(&b"a\nb"[..]));
        assert_eq!(next_object(&mut rest), Some(&b""[..]));
        assert_eq!(next_object(&mut rest), None);
    }
}
