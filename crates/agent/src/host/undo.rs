//! Undo: restores what calls changed, based on what was executed and not on what was planned.

use super::drivers::Drivers;
use super::organize::JobsByHand;
use super::{HostError, each_event, existing};
use crate::core::Core;
use crate::driver::differences;
use crate::lineage::below;
use deputy_messages::agent as say;
use deputy_protocol::{
    CallId, CommandId, Digest, ErrorBody, ErrorCode, FileChange, FileState, KeptFile, Performs, RedoCommand,
    Redone, TaskEvent, TaskId, TaskSummary, UndoCommand, Undone, UndoneFile, UndoneOutcome,
};
use deputy_store::{Store, StoreError};
use deputy_tools::{Blobs, KeepError, UndoMode};
use std::collections::{BTreeMap, HashMap};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads and stores contents in the store.
struct StoreBlobs(Store);

impl Blobs for StoreBlobs {
    fn read(&self, file: &KeptFile) -> Result<Vec<u8>, KeepError> {
        self.0.blob(&file.digest).map_err(|error| match error {
            StoreError::UnknownBlob { .. } | StoreError::DamagedBlob { .. } => KeepError::Lost,
            error => KeepError::Blob { digest: file.digest.to_string(), reason: error.into() },
        })
    }

    fn holds(&self, file: &KeptFile) -> bool {
        self.0.holds_blob(file)
    }

    fn keep(&self, content: &[u8]) -> Result<KeptFile, KeepError> {
        let kept = self.0.keep_blob(content);
        kept.map_err(|error| KeepError::Blob {
            digest: "of what undo removes".to_owned(),
            reason: error.into(),
        })
    }
}

/// Undoes the changes of tasks.
pub(super) struct Undoing {
    pub(super) core: Arc<Core>,
    pub(super) drivers: Arc<Drivers>,
    pub(super) jobs: Arc<JobsByHand>,
}

impl Performs<UndoCommand> for Undoing {
    async fn perform(&self, _: &CommandId, undo: UndoCommand) -> Result<UndoneOutcome, ErrorBody> {
        existing(&self.core, &undo.task)?;
        let dry_run = undo.dry_run || (undo.if_whole && !self.is_whole(&undo).await?);
        let undo = UndoCommand { dry_run, ..undo };
        let all = self.reached(&undo)?;
        let (changes, tasks) = self.changes(&all)?;
        self.check_workspaces(
            &tasks,
            changes.iter().map(|(call, change)| (call, &change.path, &change.after)),
        )?;
        // Jobs are undone first, then the changes that other calls made to files.
        let jobs = self.jobs.undo_of(&all).await?;
        let files = self.undo(&undo, changes).await?;
        let outcome = UndoneOutcome { files, jobs, applied: !dry_run };
        if outcome.applied {
            self.note(&all, &outcome, &tasks, Direction::Undo).await?;
        }
        Ok(outcome)
    }
}

impl Performs<RedoCommand> for Undoing {
    async fn perform(&self, _: &CommandId, redo: RedoCommand) -> Result<UndoneOutcome, ErrorBody> {
        existing(&self.core, &redo.task)?;
        let all = self.reached(&UndoCommand::all(redo.task.clone()))?;
        let Some(last) = self.last_undo(&redo.task)? else {
            return Ok(UndoneOutcome { files: Vec::new(), jobs: Vec::new(), applied: true });
        };
        let tasks =
            last.files.iter().filter_map(|file| Some((file.call.clone(), file.call.task()?))).collect();
        let left = last.files.iter().map(|file| (&file.call, &file.change.path, &file.change.before));
        self.check_workspaces(&tasks, left)?;
        let store = self.core.store.clone();
        // In the reverse order of undo: the changes of calls come before jobs.
        let work = tokio::task::spawn_blocking(move || deputy_tools::redo(&last.files, &StoreBlobs(store)));
        let broke_off = |error| HostError::Task(say::undo_of_task_broke_off(error, &redo.task));
        let files = work.await.map_err(broke_off)?;
        let jobs = match last.operations {
            0 => Vec::new(),
            _ => self.jobs.redo_of(&all).await?,
        };
        let outcome = UndoneOutcome { files, jobs, applied: true };
        self.note(&all, &outcome, &tasks, Direction::Redo).await?;
        Ok(outcome)
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

/// The direction: undo or redo.
#[derive(Clone, Copy)]
enum Direction {
    Undo,
    Redo,
}

/// The task of each call.
type Owners = HashMap<CallId, TaskId>;

/// A change that a call made, with its position in the journal.
#[derive(Clone, Debug, PartialEq)]
struct Executed {
    seq: u64,
    call: CallId,
    change: FileChange,
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

    /// Returns whether everything that an undo covers can be undone.
    async fn is_whole(&self, undo: &UndoCommand) -> Result<bool, ErrorBody> {
        let all = self.reached(&undo.clone().dry())?;
        if !self.jobs.undo_of(&all).await?.iter().all(|job| job.is_whole) {
            return Ok(false);
        }
        let (changes, _) = self.changes(&all)?;
        let blobs = StoreBlobs(self.core.store.clone());
        let look = tokio::task::spawn_blocking(move || deputy_tools::can_undo_all(&changes, &blobs));
        let broke_off = |error| HostError::Task(say::undo_of_task_broke_off(error, &undo.task));
        Ok(look.await.map_err(broke_off)?)
    }

    /// Returns the newest undo of a task that was not followed by a redo.
    fn last_undo(&self, task: &TaskId) -> Result<Option<Undone>, ErrorBody> {
        let mut undos = Vec::new();
        each_event(&self.core, task, |record| match &record.event {
            TaskEvent::Undone(undone) if undone.did_something() => undos.push(undone.clone()),
            TaskEvent::Redone(redone) if redone.did_something() => drop(undos.pop()),
            _ => {}
        })?;
        Ok(undos.pop())
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
        tasks: &Owners,
        left: impl Iterator<Item = (&'a CallId, &'a String, &'a FileState)>,
    ) -> Result<(), ErrorBody> {
        let mut folders: HashMap<&TaskId, PathBuf> = HashMap::new();
        for task in tasks.values() {
            folders.entry(task).or_insert(PathBuf::from(existing(&self.core, task)?.workspace));
        }
        // Whether something should be in the folder.
        let mut held: BTreeMap<&Path, bool> = BTreeMap::new();
        for (call, path, state) in left {
            let folder = tasks.get(call).and_then(|task| folders.get(task));
            if let Some(folder) = folder.filter(|folder| Path::new(path).starts_with(folder)) {
                *held.entry(folder).or_default() |= !matches!(state, FileState::Absent(_));
            }
        }
        held.into_iter().try_for_each(|(folder, holds)| check_workspace(folder, holds))
    }

    /// Returns the changes of tasks, newest first across all tasks, and the task of each call.
    fn changes(&self, all: &[UndoCommand]) -> Result<(Vec<(CallId, FileChange)>, Owners), ErrorBody> {
        let (mut changes, mut tasks) = (Vec::new(), HashMap::new());
        for undo in all {
            let executed = self.executed(undo)?;
            tasks.extend(executed.iter().map(|change| (change.call.clone(), undo.task.clone())));
            changes.extend(executed);
        }
        changes.sort_by_key(|change| change.seq);
        Ok((changes.into_iter().rev().map(|executed| (executed.call, executed.change)).collect(), tasks))
    }

    /// Journals what was undone or redone, in all affected tasks.
    async fn note(
        &self,
        all: &[UndoCommand],
        outcome: &UndoneOutcome,
        tasks: &Owners,
        direction: Direction,
    ) -> Result<(), ErrorBody> {
        if outcome.jobs.is_empty() && outcome.files.is_empty() {
            return Ok(());
        }
        for reached in &all[1..] {
            let is_its = |file: &&UndoneFile| tasks.get(&file.call) == Some(&reached.task);
            let own: Vec<UndoneFile> = outcome.files.iter().filter(is_its).cloned().collect();
            if !own.is_empty() {
                self.append(&reached.task, own, 0, direction).await?;
            }
        }
        let operations = outcome.jobs.iter().map(|job| job.done).sum();
        self.append(&all[0].task, outcome.files.clone(), operations, direction).await
    }

    /// Journals what was undone or redone in one task, and how much can still be undone.
    async fn append(
        &self,
        task: &TaskId,
        files: Vec<UndoneFile>,
        operations: u64,
        direction: Direction,
    ) -> Result<(), ErrorBody> {
        let all = self.reached(&UndoCommand::all(task.clone()))?;
        // The journals of the sub-tasks already contain this operation; the task's own journal does not yet.
        let is_told =
            |file: &&UndoneFile| all[1..].iter().any(|part| Some(&part.task) == file.call.task().as_ref());
        let now = files.iter().filter(|file| file.restored && !is_told(file)).count();
        let mut changes = 0;
        for undo in &all {
            changes += self.executed(undo)?.len();
        }
        changes = match direction {
            Direction::Undo => changes.saturating_sub(now),
            Direction::Redo => changes + now,
        };
        let left = (changes + self.jobs.standing_of(&all)?.len()) as u64;
        let event = match direction {
            Direction::Undo => TaskEvent::Undone(Undone { files, operations, left: Some(left) }),
            Direction::Redo => TaskEvent::Redone(Redone { files, operations, left }),
        };
        let store = &self.core.store;
        store.append(task, self.core.now_ms(), vec![event]).await.map_err(HostError::from)?;
        Ok(())
    }

    /// Returns the changes of the task's calls that are still in effect, oldest first.
    fn executed(&self, undo: &UndoCommand) -> Result<Vec<Executed>, ErrorBody> {
        let is_meant = |id: &CallId| undo.call.as_ref().is_none_or(|call| call == id);
        let mut is_known = undo.call.is_none();
        let mut changes: Vec<Executed> = Vec::new();
        let executed =
            |seq: u64, call: &CallId, change: FileChange| Executed { seq, call: call.clone(), change };
        // What an undo reverted, so that a redo restores its position.
        let mut taken_back: Vec<Executed> = Vec::new();
        // Commands whose end is not in the journal.
        let mut cut_off: Vec<(CallId, Digest)> = Vec::new();
        // Background commands whose end is not in the journal, each with the number of changes before it.
        let mut behind: Vec<(CallId, Option<Digest>, usize)> = Vec::new();
        each_event(&self.core, &undo.task, |record| match &record.event {
            TaskEvent::Planned(planned) => {
                is_known |= planned.plan.tool_calls.iter().any(|call| is_meant(&call.id));
            }
            // Written before each change, so it also covers what a call did before it failed or was interrupted. If the
            // change never happened, undo finds the file in its original state.
            TaskEvent::FileKept(kept) if is_meant(&kept.call) => {
                changes.push(executed(record.seq, &kept.call, kept.change.clone()));
            }
            TaskEvent::TreeKept(kept) if is_meant(&kept.call) => {
                cut_off.push((kept.call.clone(), kept.manifest.clone()));
            }
            TaskEvent::ToolFinished(end) if cut_off.iter().any(|(call, _)| *call == end.call) => {
                cut_off.retain(|(call, _)| *call != end.call);
                let found = end.result.changes.iter().cloned();
                changes.extend(found.map(|change| executed(record.seq, &end.call, change)));
            }
            TaskEvent::BackgroundStarted(started) if is_meant(&started.call) => {
                cut_off.retain(|(call, _)| *call != started.call);
                behind.push((started.call.clone(), started.manifest.clone(), changes.len()));
            }
            TaskEvent::BackgroundEnded(end) => {
                if let Some(at) = behind.iter().position(|(call, ..)| *call == end.call) {
                    let (call, _, since) = behind.remove(at);
                    weave(&mut changes, since, (record.seq, &call), &end.changes);
                }
            }
            TaskEvent::Undone(undone) => {
                for file in undone.files.iter().filter(|file| file.restored) {
                    let is_it = |one: &Executed| one.call == file.call && one.change == file.change;
                    if let Some(at) = changes.iter().rposition(is_it) {
                        taken_back.push(changes.remove(at));
                    }
                }
            }
            TaskEvent::Redone(redone) => {
                for file in redone.files.iter().filter(|file| file.restored) {
                    let is_it = |one: &Executed| one.call == file.call && one.change == file.change;
                    if let Some(at) = taken_back.iter().rposition(is_it) {
                        changes.push(taken_back.remove(at));
                    }
                }
                // Each is undone at its position in the overall order, also between those of other tasks.
                changes.sort_by_key(|change| change.seq);
            }
            _ => {}
        })?;
        if let Some(call) = undo.call.as_ref().filter(|_| !is_known) {
            return Err(ErrorBody::new(
                ErrorCode::UnknownCall,
                say::task_made_no_call(call, &undo.task),
                say::deputy_show_json_names_calls(&undo.task),
            ));
        }
        for (call, manifest, since) in behind {
            let Some(manifest) = manifest else { continue };
            if self.drivers.is_at_work(&undo.task)? {
                break;
            }
            let found = differences(&self.core, &manifest);
            let found = found.map_err(|error| HostError::Task(error.to_string().into()))?;
            weave(&mut changes, since, (u64::MAX, &call), &found.changes);
        }
        for (call, manifest) in cut_off {
            // The changes of a running command are not undone while it runs. Those of a dead command are determined
            // from the files.
            if self.drivers.is_at_work(&undo.task)? {
                break;
            }
            let found = differences(&self.core, &manifest);
            let found = found.map_err(|error| HostError::Task(error.to_string().into()))?;
            changes.extend(found.told().map(|change| executed(u64::MAX, &call, change)));
        }
        Ok(changes)
    }
}

/// Inserts the changes of a background command between the changes of the calls that ran in parallel. If calls changed
/// the same path, the background command accounts for each difference between the state that one call left and the
/// state that the next one found. Its final change is recorded at its end.
fn weave(changes: &mut Vec<Executed>, since: usize, (end, call): (u64, &CallId), found: &[FileChange]) {
    for whole in found {
        let own = |seq: u64, before: FileState, after: FileState| {
            let change = FileChange { path: whole.path.clone(), before, after };
            Executed { seq, call: call.clone(), change }
        };
        let mut stands = whole.before.clone();
        let mut at = since.min(changes.len());
        while at < changes.len() {
            let Executed { seq, change, .. } = &changes[at];
            if change.path == whole.path {
                let (before, after) = (change.before.clone(), change.after.clone());
                if before != stands {
                    changes.insert(at, own(*seq, stands, before));
                    at += 1;
                }
                stands = after;
            }
            at += 1;
        }
        if stands != whole.after {
            changes.push(own(end, stands, whole.after.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(content: &str) -> FileState {
        let digest = Digest::new(content);
        FileState::File(KeptFile { digest, size_bytes: content.len() as u64, mode: 0o644 })
    }

    fn change(seq: u64, call: &CallId, path: &str, before: &str, after: &str) -> Executed {
        let change = FileChange { path: path.to_owned(), before: file(before), after: file(after) };
        Executed { seq, call: call.clone(), change }
    }

    #[test]
    fn what_ran_behind_the_calls_is_taken_back_between_them() {
        let (server, call) = (CallId::new("server"), CallId::new("call"));
        let mut changes = vec![
            change(1, &call, "/a", "before", "0"),
            change(2, &call, "/a", "1", "2"),
            change(3, &call, "/b", "0", "1"),
        ];
        let found = [("/a", "0", "3"), ("/b", "0", "1"), ("/c", "0", "1")]
            .map(|(path, before, after)| change(0, &server, path, before, after).change);
        weave(&mut changes, 1, (9, &server), &found);
        let expected = [
            change(1, &call, "/a", "before", "0"),
            change(2, &server, "/a", "0", "1"),
            change(2, &call, "/a", "1", "2"),
            change(3, &call, "/b", "0", "1"),
            change(9, &server, "/a", "2", "3"),
            change(9, &server, "/c", "0", "1"),
        ];
        assert_eq!(changes, expected);
    }
}
