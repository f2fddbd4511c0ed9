//! Undo and redo in git repositories. HEAD, the index, the stash and the references that the calls moved change together,
//! and only if each is as the calls left it. Otherwise nothing in the repository changes, and nothing else is undone.
//!
//! The states before and after each call are in the journal as files. Git reads them here, inside the sandbox, and makes
//! every change itself. No object is ever removed. Other references may have changed since, e.g. by a fetch.

mod put;
mod sorted;
mod words;

pub(super) use sorted::{ChangedRepositories, Recorded, is_maybe_gits};

use super::note::Direction;
use crate::blobs::StoreBlobs;
use crate::core::Core;
use crate::git::{Git, GitCall, in_repository};
use crate::repositories::past;
use crate::repositories::unit::{Difference, PATIENCE, Reading, Target, Unit, Unread};
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_protocol::{CallId, FileChange, FileState, RepositoryOutcome, UndoneRepository};
use deputy_sandbox::ScratchFolder;
use deputy_tools::UndoMode;
use deputy_tools::tree::{GitPart, RepositoryState, RepositoryStates, UNFINISHED, git_part};
use put::Putting;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A repository that calls changed.
pub(super) struct Changed {
    /// The folder of its data.
    pub(super) folder: PathBuf,
    /// The folder of the task that changed it.
    pub(super) workspace: PathBuf,
    /// The calls, oldest first.
    pub(super) calls: Vec<CallId>,
    /// The states of each call that changed more than settings, oldest first. `None` if one is not recorded.
    pub(super) states: Option<Vec<RepositoryStates>>,
    /// What changed in the folder, newest first. With the settings only if the repository came or went as a whole.
    pub(super) changes: Vec<(CallId, FileChange)>,
}

/// What is to be done with a repository.
struct Plan {
    repository: Changed,
    step: Step,
    message: Phrase,
}

enum Step {
    /// Git reads the same before and after the calls, or everything is as it should be already.
    Nothing,
    /// Nothing may change, for the reason in the message.
    Refuse,
    /// The repository came or went as a whole, git cannot read it, or only objects are gone: the files are treated like
    /// others.
    Files(Vec<(CallId, FileChange)>),
    /// Git changes it.
    Unit(Box<Move>),
}

/// A change by git.
struct Move {
    from: Unit,
    to: Unit,
    /// The references to change.
    moved: BTreeSet<String>,
    /// Objects that the calls removed.
    objects: Vec<(CallId, FileChange)>,
    /// The data of working trees that the calls created or removed.
    trees: Vec<(CallId, FileChange)>,
}

/// The plans for all repositories that an undo or a redo covers.
pub(super) struct Plans<'a> {
    core: &'a Core,
    blobs: StoreBlobs,
    plans: Vec<Plan>,
    is_dry: bool,
}

impl<'a> Plans<'a> {
    /// Lets git look at repositories, and plans what to do. Changes nothing.
    ///
    /// `is_of_task` is whether everything that a task changed is undone, and not a single call of it.
    pub(super) async fn of(
        core: &'a Core,
        changed: Vec<Changed>,
        direction: Direction,
        is_of_task: bool,
    ) -> Self {
        let blobs = StoreBlobs(core.store.clone());
        let mut plans = Vec::new();
        for repository in changed {
            let planning = Planning { core, blobs: &blobs, repository: &repository, direction, is_of_task };
            let (step, message) = planning.step().await.unwrap_or_else(|why| (Step::Refuse, why));
            plans.push(Plan { repository, step, message });
        }
        Self { core, blobs, plans, is_dry: true }
    }

    /// Returns whether nothing may be undone because of a repository.
    pub(super) fn is_refused(&self) -> bool {
        self.plans.iter().any(|plan| matches!(plan.step, Step::Refuse))
    }

    /// Carries out the plans: all of them, or none.
    pub(super) async fn carry_out(&mut self) {
        if self.plans.is_empty() {
            self.is_dry = false;
            return;
        }
        let (git, scratch) = match (Git::find(self.core), ScratchFolder::new()) {
            (Some(git), Ok(scratch)) => (git, scratch),
            (None, _) => return self.refuse(say::git_missing()),
            (_, Err(error)) => return self.refuse(say::git_failed(Phrase::from(error.to_string()))),
        };
        self.is_dry = false;
        let mut refused = None;
        for (at, plan) in self.plans.iter().enumerate() {
            if let Step::Unit(step) = &plan.step {
                let putting = plan.putting(&git, scratch.path(), step);
                self.apply(step.objects.clone()).await;
                if let Err(error) = putting.check_objects(&step.from, &step.to).await {
                    refused = Some((at, error));
                    break;
                }
            }
        }
        let mut done = Vec::new();
        for (at, plan) in self.plans.iter().enumerate().filter(|_| refused.is_none()) {
            if let Step::Unit(step) = &plan.step {
                match plan.putting(&git, scratch.path(), step).change(&step.from, &step.to).await {
                    Ok(()) => done.push(at),
                    Err(error) => {
                        refused = Some((at, say::git_failed(error)));
                        break;
                    }
                }
            }
        }
        if let Some((at, error)) = refused {
            for at in done.into_iter().rev() {
                let Some(plan) = self.plans.get(at) else { continue };
                if let Step::Unit(step) = &plan.step {
                    let back = plan.putting(&git, scratch.path(), step).change(&step.to, &step.from).await;
                    if let Err(error) = back {
                        tracing::warn!("{}: {error}", plan.repository.folder.display());
                    }
                }
            }
            if let Some(plan) = self.plans.get_mut(at) {
                (plan.step, plan.message) = (Step::Refuse, error);
            }
            return;
        }
        for at in 0..self.plans.len() {
            let files = match self.plans.get(at).map(|plan| &plan.step) {
                Some(Step::Files(files)) => files.clone(),
                Some(Step::Unit(step)) => step.trees.clone(),
                _ => continue,
            };
            let failed = self.apply(files).await;
            if let (Some(plan), Some(message)) = (self.plans.get_mut(at), failed) {
                plan.message = deputy_messages::series([std::mem::take(&mut plan.message), message]);
            }
        }
    }

    /// Changes nothing, for a reason.
    fn refuse(&mut self, why: Phrase) {
        if let Some(plan) = self.plans.first_mut() {
            (plan.step, plan.message) = (Step::Refuse, why);
        }
    }

    /// Undoes changes to files. Returns why the first that could not be undone was not.
    async fn apply(&self, changes: Vec<(CallId, FileChange)>) -> Option<Phrase> {
        if changes.is_empty() {
            return None;
        }
        let blobs = self.blobs.clone();
        let work = move || deputy_tools::undo(&changes, &blobs, UndoMode::Apply);
        let files = tokio::task::spawn_blocking(work).await.unwrap_or_default();
        files.into_iter().find(|file| !file.restored).map(|file| file.message)
    }

    /// Returns the results.
    pub(super) fn outcomes(self) -> Vec<UndoneRepository> {
        let is_dry = self.is_dry;
        let outcome = |plan: Plan| UndoneRepository {
            folder: plan.repository.folder.to_string_lossy().into_owned(),
            is_whole: plan.repository.is_whole(),
            outcome: match plan.step {
                Step::Refuse => RepositoryOutcome::Refused,
                _ if is_dry => RepositoryOutcome::Possible,
                _ => RepositoryOutcome::Restored,
            },
            calls: plan.repository.calls,
            message: plan.message,
        };
        self.plans.into_iter().map(outcome).collect()
    }
}

impl Plan {
    fn putting<'a>(&'a self, git: &'a Git<'a>, cwd: &'a Path, step: &'a Move) -> Putting<'a> {
        Putting { git, cwd, folder: &self.repository.folder, moved: &step.moved }
    }
}

impl Changed {
    /// Returns the states before the first and after the last call.
    fn ends(&self) -> Option<(&RepositoryState, &RepositoryState)> {
        let states = self.states.as_ref()?;
        Some((&states.first()?.before, &states.last()?.after))
    }

    /// Returns whether the calls created or removed the repository.
    pub(super) fn is_whole(&self) -> bool {
        self.ends().is_some_and(|(before, after)| !before.contains_key("HEAD") || !after.contains_key("HEAD"))
    }

    /// Returns the path of a change relative to the folder of the repository.
    fn inside(&self, change: &FileChange) -> PathBuf {
        Path::new(&change.path).strip_prefix(&self.folder).unwrap_or(Path::new("")).to_owned()
    }
}

/// The look at one repository.
struct Planning<'a> {
    core: &'a Core,
    blobs: &'a StoreBlobs,
    repository: &'a Changed,
    direction: Direction,
    is_of_task: bool,
}

impl Planning<'_> {
    /// Decides what to do. Returns why nothing can be done, if it can't.
    async fn step(&self) -> Result<(Step, Phrase), Phrase> {
        let folder = &self.repository.folder;
        let Some((before, after)) = self.repository.ends() else { return Err(say::git_not_recorded()) };
        if !folder.starts_with(&self.repository.workspace) {
            return Err(say::git_outside());
        }
        let git = Git::find(self.core).ok_or_else(say::git_missing)?;
        let scratch =
            ScratchFolder::new().map_err(|error| say::git_failed(Phrase::from(error.to_string())))?;
        let look =
            Look { planning: self, git: &git, scratch: &scratch, objects: self.objects(&scratch).await? };
        if self.repository.is_whole() {
            return look.whole(before, after).await;
        }
        if !folder.components().any(|part| part.as_os_str() == ".git") {
            return Err(say::git_bare());
        }
        if before.get("shallow") != after.get("shallow") {
            return Err(say::git_shallow());
        }
        if is_unfinished(before)
            || is_unfinished(after)
            || UNFINISHED.iter().any(|name| folder.join(name).exists())
        {
            return Err(say::git_unfinished());
        }
        look.unit(before, after).await
    }

    /// Returns the folders with the objects of all states: that of the repository, and one with copies of those that are
    /// gone.
    async fn objects(&self, scratch: &ScratchFolder) -> Result<Vec<PathBuf>, Phrase> {
        let own = self.repository.folder.join("objects");
        let is_gone = |change: &&(CallId, FileChange)| {
            matches!(change.1.before, FileState::File(_)) && self.is_gone_object(&change.1)
        };
        let gone = self.repository.changes.iter().filter(is_gone).map(|(_, change)| {
            (self.repository.inside(change).to_string_lossy().into_owned(), change.before.clone())
        });
        let gone: Vec<(String, FileState)> = gone.collect();
        if gone.is_empty() {
            return Ok(vec![own]);
        }
        let (into, blobs) = (scratch.path().join("gone"), self.blobs.clone());
        // Before the repository's own, where an object may have been changed.
        let folders = vec![into.join("objects"), own];
        let write = move || gone.iter().try_for_each(|(name, state)| past::write(name, state, &blobs, &into));
        let written = tokio::task::spawn_blocking(write).await;
        let written = written.map_err(std::io::Error::other).and_then(|written| written);
        written.map_err(|error| say::git_failed(Phrase::from(error.to_string())))?;
        Ok(folders)
    }

    /// Returns the changes that removed objects. They are put back by an undo; a redo lets them stay.
    fn gone_objects(&self, mut changes: Vec<(CallId, FileChange)>) -> Vec<(CallId, FileChange)> {
        let is_undo = matches!(self.direction, Direction::Undo);
        changes.retain(|(_, change)| is_undo && self.is_gone_object(change));
        changes
    }

    fn is_gone_object(&self, change: &FileChange) -> bool {
        let inside = self.repository.inside(change);
        let is_object = git_part(&inside) == GitPart::Object || inside == Path::new("objects");
        let is_gone = match (&change.before, &change.after) {
            (FileState::File(_) | FileState::Folder(_), FileState::Absent(_)) => {
                !Path::new(&change.path).exists()
            }
            // Git never changes an object.
            (FileState::File(before), FileState::File(after)) => before.digest != after.digest,
            _ => false,
        };
        is_object && is_gone
    }

    /// Returns the earlier and the later state in the order of the direction: as it should be now, and as it will be.
    fn turned<T>(&self, before: T, after: T) -> (T, T) {
        match self.direction {
            Direction::Undo => (after, before),
            Direction::Redo => (before, after),
        }
    }

    /// Returns changes so that undoing them is a step in this direction.
    fn turned_changes(&self, changes: &[(CallId, FileChange)]) -> Vec<(CallId, FileChange)> {
        match self.direction {
            Direction::Undo => changes.to_vec(),
            Direction::Redo => {
                let turned = |(call, change): &(CallId, FileChange)| {
                    let FileChange { path, before, after, .. } = change.clone();
                    (call.clone(), FileChange { path, before: after, after: before, before_modified: None })
                };
                changes.iter().rev().map(turned).collect()
            }
        }
    }

    async fn can_undo(&self, changes: &[(CallId, FileChange)]) -> bool {
        let (changes, blobs) = (changes.to_vec(), self.blobs.clone());
        let look = move || deputy_tools::can_undo_all(&changes, &blobs);
        tokio::task::spawn_blocking(look).await.unwrap_or(false)
    }
}

fn is_unfinished(state: &RepositoryState) -> bool {
    state.keys().any(|name| {
        let first = Path::new(name).components().next();
        first.is_some_and(|first| UNFINISHED.iter().any(|unfinished| first.as_os_str() == *unfinished))
    })
}

/// A look with git at the states of a repository.
struct Look<'a> {
    planning: &'a Planning<'a>,
    git: &'a Git<'a>,
    scratch: &'a ScratchFolder,
    /// The folders with objects.
    objects: Vec<PathBuf>,
}

impl Look<'_> {
    /// Plans for a repository that the calls created or removed.
    async fn whole(
        &self,
        before: &RepositoryState,
        after: &RepositoryState,
    ) -> Result<(Step, Phrase), Phrase> {
        let planning = self.planning;
        let (expected, target) = planning.turned(before, after);
        let mut changes = planning.turned_changes(&planning.repository.changes);
        if expected.contains_key("HEAD") {
            let trees = BTreeSet::from([PathBuf::new()]);
            let (left, now) = (self.past(expected, "left", &trees).await?, self.now(&trees).await?);
            let moved = left.moved(&now);
            if left.difference(&now, &moved).is_some() {
                return Err(say::git_used_since());
            }
            // Git can have refreshed what the index says about unchanged files.
            self.accept_index(&mut changes, &planning.repository.folder.join("index"));
        }
        if !planning.can_undo(&changes).await {
            return Err(say::git_used_since());
        }
        let message = match target.contains_key("HEAD") {
            true => say::git_repository_created(),
            false => say::git_repository_removed(),
        };
        Ok((Step::Files(changes), message))
    }

    /// Plans for a repository that the calls left so that git cannot read it. Nobody can have used it since, so its files
    /// are restored if they are as the calls left them.
    async fn unreadable(&self) -> Result<(Step, Phrase), Phrase> {
        let planning = self.planning;
        let mut changes = planning.turned_changes(&planning.repository.changes);
        // No object is ever removed.
        changes.retain(|(_, change)| {
            let is_new = matches!(change.before, FileState::Absent(_));
            !is_new || git_part(&planning.repository.inside(change)) != GitPart::Object
        });
        match matches!(planning.direction, Direction::Undo) && planning.can_undo(&changes).await {
            true => Ok((Step::Files(changes), say::git_repository_created())),
            false => Err(say::git_used_since()),
        }
    }

    /// Plans for a repository that exists before and after the calls.
    async fn unit(
        &self,
        before: &RepositoryState,
        after: &RepositoryState,
    ) -> Result<(Step, Phrase), Phrase> {
        let planning = self.planning;
        let (trees, new_trees) = self.trees(before, after);
        let left = self.past(before, "before", &trees).await?;
        let came = match self.past(after, "after", &trees).await {
            Ok(came) => came,
            Err(error) => return self.unreadable().await.map_err(|_| error),
        };
        let all = left.moved(&came);
        self.check_between(&trees, &all).await?;
        if left.difference(&came, &all).is_none() && new_trees.is_empty() {
            let gone = planning.gone_objects(planning.turned_changes(&planning.repository.changes));
            return Ok(match gone.is_empty() {
                true => (Step::Nothing, Phrase::default()),
                false => (Step::Files(gone), say::git_objects_restored()),
            });
        }
        let (expected, to) = planning.turned(left, came);
        let now = match self.now(&trees).await {
            Ok(now) => now,
            Err(error) => return self.unreadable().await.map_err(|_| error),
        };
        // Where a fetch has moved a reference on, it stays.
        let is_fetched = |name: &String| {
            name.starts_with("refs/remotes/") && now.refs.get(name) != expected.refs.get(name)
        };
        let moved: BTreeSet<String> = all.into_iter().filter(|name| !is_fetched(name)).collect();
        let changes = planning.turned_changes(&planning.repository.changes);
        let mut new: Vec<_> = changes
            .iter()
            .filter(|(_, change)| is_in(&planning.repository.inside(change), &new_trees))
            .cloned()
            .collect();
        if let Some(difference) = expected.difference(&now, &moved) {
            if to.difference(&now, &moved).is_none() {
                return Ok((Step::Nothing, Phrase::default()));
            }
            return Err(self.obstacle(&difference, &expected, &now, &to).await);
        }
        self.check_refs(&now, &to, &moved, &new_trees)?;
        for tree in &new_trees {
            self.accept_index(&mut new, &planning.repository.folder.join(tree).join("index"));
        }
        if !new.is_empty() && !planning.can_undo(&new).await {
            return Err(say::git_used_since());
        }
        let objects = planning.gone_objects(changes);
        let step = Move { from: now, to, moved, objects, trees: new };
        if step.objects.is_empty() {
            let putting = Putting {
                git: self.git,
                cwd: self.scratch.path(),
                folder: &planning.repository.folder,
                moved: &step.moved,
            };
            putting.check_objects(&step.from, &step.to).await?;
        }
        let message = words::changes(&step.from, &step.to, &step.moved);
        Ok((Step::Unit(Box::new(step)), message))
    }

    /// Returns the working trees whose HEAD or index the calls changed, and those that they created or removed.
    fn trees(
        &self,
        before: &RepositoryState,
        after: &RepositoryState,
    ) -> (BTreeSet<PathBuf>, BTreeSet<PathBuf>) {
        let (mut changed, mut new) = (BTreeSet::new(), BTreeSet::new());
        for states in self.planning.repository.states.iter().flatten() {
            let names = states.before.keys().chain(states.after.keys());
            for name in names.filter(|name| states.before.get(*name) != states.after.get(*name)) {
                let mut parts = Path::new(name).components();
                let first = parts.next().map(|part| part.as_os_str());
                let tree = match (first, parts.next()) {
                    (Some(first), Some(second)) if first == "worktrees" => Path::new(first).join(second),
                    (Some(first), None) if first == "HEAD" || first.to_string_lossy().contains("index") => {
                        PathBuf::new()
                    }
                    _ => continue,
                };
                let head = tree.join("HEAD").to_string_lossy().into_owned();
                match before.contains_key(&head) && after.contains_key(&head) {
                    true => changed.insert(tree),
                    false => new.insert(tree),
                };
            }
        }
        if changed.is_empty() {
            changed.insert(PathBuf::new());
        }
        (changed, new)
    }

    /// Checks that nobody else used git between the calls.
    async fn check_between(&self, trees: &BTreeSet<PathBuf>, moved: &BTreeSet<String>) -> Result<(), Phrase> {
        let states = self.planning.repository.states.as_deref().unwrap_or_default();
        for (at, pair) in states.windows(2).enumerate() {
            let [earlier, later] = pair else { continue };
            if earlier.after == later.before {
                continue;
            }
            let left = self.past(&earlier.after, &format!("left{at}"), trees).await?;
            let found = self.past(&later.before, &format!("found{at}"), trees).await?;
            if left.difference(&found, moved).is_some() {
                return Err(say::git_used_between());
            }
        }
        Ok(())
    }

    /// Checks that the references may change.
    fn check_refs(
        &self,
        now: &Unit,
        to: &Unit,
        moved: &BTreeSet<String>,
        new_trees: &BTreeSet<PathBuf>,
    ) -> Result<(), Phrase> {
        // The working trees that go together with the branches.
        let places: Vec<PathBuf> = new_trees
            .iter()
            .filter_map(|tree| {
                let link = self.planning.repository.folder.join(tree).join("gitdir");
                let link = std::fs::read_to_string(link).ok()?;
                Path::new(link.trim_end()).parent().map(Path::to_owned)
            })
            .collect();
        let is_ours = |name: &String, place: &PathBuf| {
            places.contains(place)
                || now.trees.values().any(|tree| tree.head == Target::Reference(name.clone()))
        };
        for name in moved {
            let is_reference = |unit: &Unit| matches!(unit.refs.get(name), Some(Target::Reference(_)));
            if is_reference(now) || is_reference(to) {
                return Err(say::git_reference(words::short_name(name)));
            }
            if now.checked_out.get(name).is_some_and(|place| !is_ours(name, place)) {
                return Err(say::git_used_elsewhere(words::short_name(name)));
            }
        }
        Ok(())
    }

    /// Says what is not as the calls left it.
    async fn obstacle(&self, difference: &Difference, expected: &Unit, now: &Unit, to: &Unit) -> Phrase {
        let name = match difference {
            Difference::Head => return say::git_head_moved(),
            Difference::Index => return say::git_index_changed(),
            Difference::Stash => return say::git_stash_changed(),
            Difference::Ref(name) => name,
        };
        let shown = words::short_name(name);
        let commits = match (expected.refs.get(name), now.refs.get(name), self.planning.direction) {
            // On top of a single call there can be commits of the task's own.
            (Some(Target::Object(left)), Some(Target::Object(now)), Direction::Undo)
                if self.planning.is_of_task =>
            {
                self.commits_below(left, now, to.base(name)).await
            }
            _ => None,
        };
        commits.map_or_else(|| say::git_ref_moved(&shown), |commits| say::git_commits_on_top(commits, &shown))
    }

    /// Returns the number of commits from `base` to `left` if `now` contains `left`.
    async fn commits_below(&self, left: &str, now: &str, base: Option<&str>) -> Option<u64> {
        let folder = &self.planning.repository.folder;
        let ask = |arguments: &[&str]| GitCall {
            arguments: in_repository(folder, self.scratch.path(), arguments),
            cwd: self.scratch.path().to_owned(),
            readable: vec![self.scratch.path().to_owned(), folder.clone()],
            patience: PATIENCE,
            ..GitCall::default()
        };
        self.git.run(ask(&["merge-base", "--is-ancestor", left, now])).await.ok()?.success().ok()?;
        let but = base.map(|base| format!("^{base}"));
        let mut arguments = vec!["rev-list", "--count", left];
        arguments.extend(but.as_deref());
        let count = self.git.run(ask(&arguments)).await.ok()?.success().ok()?;
        String::from_utf8_lossy(&count).trim().parse().ok()
    }

    /// Reads an earlier state.
    async fn past(
        &self,
        state: &RepositoryState,
        name: &str,
        trees: &BTreeSet<PathBuf>,
    ) -> Result<Unit, Phrase> {
        let folder = self.scratch.path().join(name);
        let (state, real, blobs) =
            (state.clone(), self.planning.repository.folder.clone(), self.planning.blobs.clone());
        let (into, objects) = (folder.clone(), self.objects.clone());
        let copy =
            tokio::task::spawn_blocking(move || past::copy(&state, &real, &objects, &blobs, &into)).await;
        let copied = copy.map_err(std::io::Error::other).and_then(|copied| copied);
        copied.map_err(|error| say::git_failed(Phrase::from(error.to_string())))?;
        self.read(&folder, trees).await
    }

    async fn now(&self, trees: &BTreeSet<PathBuf>) -> Result<Unit, Phrase> {
        self.read(&self.planning.repository.folder, trees).await
    }

    async fn read(&self, folder: &Path, trees: &BTreeSet<PathBuf>) -> Result<Unit, Phrase> {
        let real = &self.planning.repository.folder;
        let reading = Reading { git: self.git, cwd: self.scratch.path(), folder, real, trees };
        reading.unit().await.map_err(|unread| match unread {
            Unread::Unmerged => say::git_unfinished(),
            Unread::IntentToAdd => say::git_intent_to_add(),
            Unread::Git(error) => say::git_failed(error),
        })
    }

    /// Accepts an index as it is now: its entries were compared.
    fn accept_index(&self, changes: &mut [(CallId, FileChange)], index: &Path) {
        let newest = changes.iter_mut().find(|(_, change)| Path::new(&change.path) == index);
        if let Some((_, change)) = newest
            && let Some(now) = deputy_tools::state_of(index)
        {
            change.after = now;
        }
    }
}

fn is_in(inside: &Path, trees: &BTreeSet<PathBuf>) -> bool {
    trees.iter().any(|tree| inside.starts_with(tree))
}
