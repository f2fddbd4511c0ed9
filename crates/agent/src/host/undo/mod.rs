//! Undo: restores what calls changed, based on what was executed and not on what was planned.

mod executed;
mod note;
mod repositories;

use super::drivers::Drivers;
use super::organize::JobsByHand;
use super::{HostError, each_event, existing};
use crate::blobs::StoreBlobs;
use crate::core::Core;
use crate::lineage::below;
use deputy_messages::agent as say;
use deputy_protocol::{
    CallId, CommandId, ErrorBody, ErrorCode, FileChange, FileState, JobId, JobOutcome, Performs, RedoCommand,
    ResumeJobCommand, TaskEvent, TaskId, TaskSummary, UndoCommand, UndoJobCommand, Undone, UndoneFile,
    UndoneOutcome, UndoneRepository,
};
use deputy_tools::UndoMode;
use executed::Executed;
use note::Direction;
use repositories::{Changed, ChangedRepositories, Plans, Recorded, is_maybe_gits};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Undoes the changes of tasks.
pub(super) struct Undoing {
    pub(super) core: Arc<Core>,
    pub(super) drivers: Arc<Drivers>,
    pub(super) jobs: JobsByHand,
}

impl Performs<UndoCommand> for Undoing {
    async fn perform(&self, _: &CommandId, undo: UndoCommand) -> Result<UndoneOutcome, ErrorBody> {
        existing(&self.core, &undo.task)?;
        let all = self.reached(&undo.clone().dry())?;
        let changes = self.changes(&all)?;
        self.check_workspaces(changes.iter().map(|(call, change)| (call, &change.path, &change.after)))?;
        let ChangedRepositories { repositories, others } = self.sorted(changes)?;
        let repositories = if undo.files_only { Vec::new() } else { repositories };
        let mut plans = Plans::of(&self.core, repositories, Direction::Undo, undo.call.is_none()).await;
        let is_refused = plans.is_refused();
        let is_asked = undo.if_whole && (is_refused || !self.is_whole(&undo.task, &all, &others).await?);
        if !undo.dry_run && !is_refused && !is_asked {
            plans.carry_out().await;
        }
        let undo = UndoCommand { dry_run: undo.dry_run || is_asked || plans.is_refused(), ..undo };
        let all: Vec<_> = all.into_iter().map(|part| UndoCommand { dry_run: undo.dry_run, ..part }).collect();
        // Jobs are undone first, then the changes that other calls made to files.
        let jobs = self.jobs.undo_of(&all).await?;
        let files = self.undo(&undo, others).await?;
        let outcome = UndoneOutcome { files, jobs, repositories: plans.outcomes(), applied: !undo.dry_run };
        if outcome.applied {
            self.note(Some(&undo.task), &outcome, Direction::Undo).await?;
        }
        Ok(outcome)
    }
}

impl Performs<RedoCommand> for Undoing {
    async fn perform(&self, _: &CommandId, redo: RedoCommand) -> Result<UndoneOutcome, ErrorBody> {
        existing(&self.core, &redo.task)?;
        let Some(last) = self.redoable(&redo.task)?.pop() else {
            return Ok(UndoneOutcome { applied: true, ..UndoneOutcome::default() });
        };
        let left = last.files.iter().map(|file| (&file.call, &file.change.path, &file.change.before));
        self.check_workspaces(left)?;
        let undone = if redo.files_only { &[][..] } else { &last.repositories };
        let mut plans = Plans::of(&self.core, self.undone_repositories(undone)?, Direction::Redo, true).await;
        if !plans.is_refused() {
            plans.carry_out().await;
        }
        if plans.is_refused() {
            return Ok(UndoneOutcome { repositories: plans.outcomes(), ..UndoneOutcome::default() });
        }
        let store = self.core.store.clone();
        let undos = self.undos(&redo.task, &last)?;
        // In the reverse order of undo: the changes of calls come before jobs.
        let work = tokio::task::spawn_blocking(move || deputy_tools::redo(&last.files, &StoreBlobs(store)));
        let broke_off = |error| HostError::Task(say::undo_of_task_broke_off(error, &redo.task));
        let files = work.await.map_err(broke_off)?;
        let jobs = self.jobs.redo(undos).await?;
        let outcome = UndoneOutcome { files, jobs, repositories: plans.outcomes(), applied: true };
        self.note(Some(&redo.task), &outcome, Direction::Redo).await?;
        Ok(outcome)
    }
}

impl Performs<ResumeJobCommand> for Undoing {
    async fn perform(&self, _: &CommandId, command: ResumeJobCommand) -> Result<JobOutcome, ErrorBody> {
        let report = self.jobs.resume_job(command).await?;
        self.note_job(&report).await?;
        Ok(JobOutcome { report })
    }
}

impl Performs<UndoJobCommand> for Undoing {
    async fn perform(&self, _: &CommandId, command: UndoJobCommand) -> Result<JobOutcome, ErrorBody> {
        let report = self.jobs.undo_job(command).await?;
        self.note_job(&report).await?;
        Ok(JobOutcome { report })
    }
}

/// Checks that a folder exists, and that it is not empty if it should contain files (`holds`).
fn check_workspace(folder: &Path, holds: bool) -> Result<(), ErrorBody> {
    let message = match folder.read_dir().map(|mut entries| entries.next().is_none()) {
        Ok(true) if holds => say::undo_folder_empty(folder.display()),
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => say::undo_folder_gone(folder.display()),
        Err(error) => say::undo_folder_unreadable(error, folder.display()),
    };
    Err(ErrorBody::new(ErrorCode::Task, message, say::undo_folder_hint()))
}

impl Undoing {
    /// Returns what an undo covers: the task and its sub-tasks, or only the sub-tasks of one call.
    fn reached(&self, undo: &UndoCommand) -> Result<Vec<UndoCommand>, ErrorBody> {
        let mut all = vec![undo.clone()];
        let is_meant = |task: &TaskSummary| {
            let by = task.parent.as_ref().map(|parent| &parent.call);
            undo.call.is_none() || by == undo.call.as_ref()
        };
        let parts = self.core.store.subtasks(&undo.task).map_err(HostError::from)?;
        for part in parts.into_iter().filter(is_meant) {
            let further = below(&self.core, &part.id).map_err(HostError::from)?;
            for task in std::iter::once(part).chain(further) {
                all.push(UndoCommand { dry_run: undo.dry_run, ..UndoCommand::all(task.id) });
            }
        }
        Ok(all)
    }

    /// Returns whether all plans and all of these changes to files can be undone.
    async fn is_whole(
        &self,
        task: &TaskId,
        all: &[UndoCommand],
        changes: &[(CallId, FileChange)],
    ) -> Result<bool, ErrorBody> {
        if !self.jobs.undo_of(all).await?.iter().all(|job| job.is_whole) {
            return Ok(false);
        }
        let (changes, blobs) = (changes.to_vec(), StoreBlobs(self.core.store.clone()));
        let look = tokio::task::spawn_blocking(move || deputy_tools::can_undo_all(&changes, &blobs));
        let broke_off = |error| HostError::Task(say::undo_of_task_broke_off(error, task));
        Ok(look.await.map_err(broke_off)?)
    }

    /// Sorts changes, given newest first, into those of repositories and those of other files.
    fn sorted(&self, changes: Vec<(CallId, FileChange)>) -> Result<ChangedRepositories, ErrorBody> {
        let calls = changes.iter().filter(|(_, change)| is_maybe_gits(change)).map(|(call, _)| call.clone());
        let recorded = self.recorded(&calls.collect())?;
        Ok(ChangedRepositories::of(changes, &recorded, &StoreBlobs(self.core.store.clone())))
    }

    /// Returns the repositories that an undo changed, for a redo.
    fn undone_repositories(&self, undone: &[UndoneRepository]) -> Result<Vec<Changed>, ErrorBody> {
        let calls = undone.iter().flat_map(|repository| repository.calls.iter().cloned()).collect();
        let recorded = self.recorded(&calls)?;
        let mut executed: Vec<Executed> = recorded
            .iter()
            .flat_map(|(call, recorded)| {
                let executed = |change: &FileChange| Executed {
                    seq: recorded.seq,
                    call: call.clone(),
                    change: change.clone(),
                };
                recorded.changes.iter().map(executed)
            })
            .filter(|one| undone.iter().any(|repository| one.is_of(repository)))
            .collect();
        executed.sort_by_key(|one| one.seq);
        let changes = executed.into_iter().rev().map(|one| (one.call, one.change)).collect();
        let sorted = ChangedRepositories::of(changes, &recorded, &StoreBlobs(self.core.store.clone()));
        Ok(sorted.repositories)
    }

    /// Returns what the journal has about calls and the repositories that they changed.
    fn recorded(&self, calls: &BTreeSet<CallId>) -> Result<HashMap<CallId, Recorded>, ErrorBody> {
        let mut recorded = HashMap::new();
        for task in calls.iter().filter_map(CallId::task).collect::<BTreeSet<_>>() {
            let workspace = PathBuf::from(existing(&self.core, &task)?.workspace);
            each_event(&self.core, &task, |record| {
                let (call, repositories, changes) = match &record.event {
                    TaskEvent::ToolFinished(end) => {
                        (&end.call, &end.result.repositories, &end.result.changes)
                    }
                    TaskEvent::BackgroundEnded(end) => (&end.call, &end.repositories, &end.changes),
                    _ => return,
                };
                if calls.contains(call) && !repositories.is_empty() {
                    let (repositories, changes) = (repositories.clone(), changes.clone());
                    let workspace = workspace.clone();
                    recorded
                        .insert(call.clone(), Recorded { seq: record.seq, workspace, repositories, changes });
                }
            })?;
        }
        Ok(recorded)
    }

    /// Returns the undos of a task as far as they can be redone, oldest first.
    fn redoable(&self, task: &TaskId) -> Result<Vec<Undone>, ErrorBody> {
        let mut undos: Vec<Undone> = Vec::new();
        each_event(&self.core, task, |record| match &record.event {
            TaskEvent::Undone(undone) if undone.did_something() => undos.push(undone.clone()),
            TaskEvent::Redone(redone) if redone.did_something() => redone.settle(&mut undos),
            _ => {}
        })?;
        Ok(undos)
    }

    /// Returns the jobs that undid plans as part of an undo, oldest plan first.
    fn undos(&self, task: &TaskId, undone: &Undone) -> Result<Vec<JobId>, ErrorBody> {
        match (undone.jobs.is_empty(), undone.operations) {
            (_, 0) => Ok(Vec::new()),
            // Older journals do not name them.
            (true, _) => self.jobs.undos_of(&self.reached(&UndoCommand::all(task.clone()))?),
            (false, _) => Ok(undone.jobs.iter().rev().cloned().collect()),
        }
    }

    /// Undoes changes, given newest first. Returns the result for each.
    async fn undo(
        &self,
        undo: &UndoCommand,
        changes: Vec<(CallId, FileChange)>,
    ) -> Result<Vec<UndoneFile>, ErrorBody> {
        let store = self.core.store.clone();
        let mode = if undo.dry_run { UndoMode::DryRun } else { UndoMode::Apply };
        let work =
            tokio::task::spawn_blocking(move || deputy_tools::undo(&changes, &StoreBlobs(store), mode));
        let broke_off = |error| HostError::Task(say::undo_of_task_broke_off(error, &undo.task));
        Ok(work.await.map_err(broke_off)?)
    }

    /// Checks that the workspaces of the tasks that made these changes exist. `left` is the state that each path should
    /// have. If a workspace is missing, its files look as if they had never been created; the undo would do nothing
    /// and still count as done.
    fn check_workspaces<'a>(
        &self,
        left: impl Iterator<Item = (&'a CallId, &'a String, &'a FileState)>,
    ) -> Result<(), ErrorBody> {
        let mut folders: HashMap<TaskId, PathBuf> = HashMap::new();
        let left: Vec<_> = left.filter_map(|(call, path, state)| Some((call.task()?, path, state))).collect();
        for (task, ..) in &left {
            if !folders.contains_key(task) {
                folders.insert(task.clone(), PathBuf::from(existing(&self.core, task)?.workspace));
            }
        }
        // Whether something should be in the folder.
        let mut held: BTreeMap<&Path, bool> = BTreeMap::new();
        for (task, path, state) in left {
            let folder = folders.get(&task);
            if let Some(folder) = folder.filter(|folder| Path::new(path).starts_with(folder)) {
                *held.entry(folder).or_default() |= !matches!(state, FileState::Absent(_));
            }
        }
        held.into_iter().try_for_each(|(folder, holds)| check_workspace(folder, holds))
    }

    /// Returns the changes of tasks, newest first across all tasks.
    fn changes(&self, all: &[UndoCommand]) -> Result<Vec<(CallId, FileChange)>, ErrorBody> {
        let mut changes = Vec::new();
        for undo in all {
            changes.extend(self.executed(undo)?);
        }
        changes.sort_by_key(|change| change.seq);
        Ok(changes.into_iter().rev().map(|executed| (executed.call, executed.change)).collect())
    }
}
