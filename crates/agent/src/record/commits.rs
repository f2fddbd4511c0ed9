//! The commits and branches that a task made in git repositories, from their states before its first call and after its
//! last one.

use crate::blobs::StoreBlobs;
use crate::core::Core;
use crate::git::{Git, GitCall, in_repository};
use crate::repositories::past;
use crate::repositories::unit::{Reading, Target, Unit};
use deputy_protocol::{CallId, Digest, NewCommit};
use deputy_sandbox::ScratchFolder;
use deputy_tools::tree::{RepositoryState, RepositoryStates};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time that git has for a question.
const PATIENCE: Duration = Duration::from_secs(10);
/// The maximum number of commits of a repository that are read.
const MOST_COMMITS: &str = "--max-count=1000";
/// The prefix of the name of a branch.
const BRANCHES: &str = "refs/heads/";

/// What a task made.
#[derive(Default)]
pub(super) struct Made {
    /// Newest first.
    pub(super) commits: Vec<NewCommit>,
    /// Their names.
    pub(super) branches: Vec<String>,
    /// The full names of references that were moved or removed, and of new ones other than branches.
    pub(super) references: Vec<String>,
}

/// Asks git what is new in repositories.
pub(super) async fn made(core: &Core, repositories: &BTreeMap<PathBuf, Vec<(CallId, Digest)>>) -> Made {
    let mut made = Made::default();
    let Some(git) = Git::find(core) else { return made };
    for (folder, calls) in repositories {
        if let Some(new) = of_one(core, &git, folder, calls).await {
            made.commits.extend(new.commits);
            made.branches.extend(new.branches);
            made.references.extend(new.references);
        }
    }
    made
}

async fn of_one(core: &Core, git: &Git<'_>, folder: &Path, calls: &[(CallId, Digest)]) -> Option<Made> {
    let blobs = StoreBlobs(core.store.clone());
    let states = |digest: &Digest| RepositoryStates::from_bytes(&blobs.blob(digest)?).ok();
    let (first, last) = (states(&calls.first()?.1)?, states(&calls.last()?.1)?);
    if first.before == last.after {
        return None;
    }
    let scratch = ScratchFolder::new().ok()?;
    let looking = Looking { git, blobs, folder, scratch: scratch.path() };
    let before = looking.references(first.before, "before").await?;
    let after = looking.references(last.after, "after").await?;
    let is_branch = |name: &&String| name.starts_with(BRANCHES);
    let new = after.keys().filter(is_branch).filter(|name| !before.contains_key(*name));
    let branches = new.map(|name| name.trim_start_matches(BRANCHES).to_owned()).collect();
    let changed = before.keys().chain(after.keys()).filter(|name| before.get(*name) != after.get(*name));
    let is_new_branch = |name: &&String| is_branch(name) && !before.contains_key(*name);
    let references: BTreeSet<String> = changed.filter(|name| !is_new_branch(name)).cloned().collect();
    let references = references.into_iter().collect();
    let commits = looking.commits(&before, &after).await.unwrap_or_default();
    Some(Made { commits, branches, references })
}

struct Looking<'a> {
    git: &'a Git<'a>,
    blobs: StoreBlobs,
    /// The folder of the repository's data.
    folder: &'a Path,
    scratch: &'a Path,
}

type References = BTreeMap<String, Target>;

impl Looking<'_> {
    /// Reads the references of an earlier state.
    async fn references(&self, state: RepositoryState, name: &str) -> Option<References> {
        if !state.contains_key("HEAD") {
            // There was no repository.
            return Some(References::new());
        }
        let (into, real, blobs) = (self.scratch.join(name), self.folder.to_owned(), self.blobs.clone());
        let (copy, objects) = (into.clone(), vec![self.folder.join("objects")]);
        let copied =
            tokio::task::spawn_blocking(move || past::copy(&state, &real, &objects, &blobs, &copy)).await;
        copied.ok()?.ok()?;
        let trees = BTreeSet::new();
        let reading =
            Reading { git: self.git, cwd: self.scratch, folder: &into, real: self.folder, trees: &trees };
        let (Unit { refs, .. }, _) = reading.references().await.ok()?;
        Some(refs)
    }

    /// Returns the commits that branches of the later state have and no reference of the earlier one.
    async fn commits(&self, before: &References, after: &References) -> Option<Vec<NewCommit>> {
        let object = |target: &Target| match target {
            Target::Object(object) => Some(object.clone()),
            Target::Reference(_) => None,
        };
        let moved = after.iter().filter(|(name, _)| name.starts_with(BRANCHES));
        let moved = moved.filter(|(name, target)| before.get(*name) != Some(*target));
        let tips: BTreeSet<String> = moved.filter_map(|(_, target)| object(target)).collect();
        if tips.is_empty() {
            return None;
        }
        let known: BTreeSet<String> =
            before.values().filter_map(object).map(|tip| format!("^{tip}")).collect();
        // A repository can have more references than fit into arguments.
        let revisions: Vec<&str> = tips.iter().chain(&known).map(String::as_str).chain(["--"]).collect();
        let arguments = ["log", "-z", "--topo-order", "--format=%h %s", MOST_COMMITS, "--stdin"];
        let call = GitCall {
            arguments: in_repository(self.folder, self.scratch, &arguments),
            input: (revisions.join("\n") + "\n").into_bytes(),
            cwd: self.scratch.to_owned(),
            readable: vec![self.scratch.to_owned(), self.folder.to_owned()],
            patience: PATIENCE,
            ..GitCall::default()
        };
        let output = self.git.run(call).await.ok()?.success().ok()?;
        let output = String::from_utf8_lossy(&output);
        let commits = output.split('\0').filter_map(|line| line.split_once(' '));
        Some(commits.map(|(id, subject)| NewCommit { id: id.into(), subject: subject.into() }).collect())
    }
}
