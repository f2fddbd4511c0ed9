//! Undo: restores what calls changed, from what was executed and not from what was planned.

use super::drivers::Drivers;
use super::organize::JobsByHand;
use super::{HostError, each_event, existing};
use crate::core::Core;
use crate::driver::differences;
use deputy_messages::agent as say;
use deputy_protocol::{
    CallId, CommandId, Digest, ErrorBody, ErrorCode, FileChange, KeptFile, Performs, TaskEvent, TaskId,
    UndoCommand, Undone, UndoneFile, UndoneOutcome,
};
use deputy_store::Store;
use deputy_tools::{Blobs, KeepError, UndoMode};
use std::sync::Arc;

/// The store as the place that kept contents come from.
struct StoreBlobs(Store);

impl Blobs for StoreBlobs {
    fn read(&self, file: &KeptFile) -> Result<Vec<u8>, KeepError> {
        let content = self.0.blob(&file.digest);
        content.map_err(|error| KeepError::Blob { digest: file.digest.to_string(), reason: error.into() })
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
        // Jobs are undone first, then the changes that other calls made to files.
        let jobs = self.jobs.undo_of(&undo).await?;
        let files = self.undo(&undo).await?;
        let has_undone = !jobs.is_empty() || !files.is_empty();
        if has_undone && !undo.dry_run {
            let operations = jobs.iter().map(|job| job.done).sum();
            self.note(&undo.task, files.clone(), operations).await?;
        }
        Ok(UndoneOutcome { files, jobs })
    }
}

impl Undoing {
    /// Undoes a task's changes, newest first, or one call's; says what came of each path.
    async fn undo(&self, undo: &UndoCommand) -> Result<Vec<UndoneFile>, ErrorBody> {
        let mut changes = self.executed(undo)?;
        changes.reverse();
        if changes.is_empty() {
            return Ok(Vec::new());
        }
        let store = self.core.store.clone();
        let mode = if undo.dry_run { UndoMode::DryRun } else { UndoMode::Apply };
        let work =
            tokio::task::spawn_blocking(move || deputy_tools::undo(&changes, &StoreBlobs(store), mode));
        work.await.map_err(|error| HostError::Task(say::undo_of_task_broke_off(error, &undo.task)).into())
    }

    /// Writes into the journal what was undone, and how much could still be.
    async fn note(&self, task: &TaskId, files: Vec<UndoneFile>, operations: u64) -> Result<(), ErrorBody> {
        let whole = UndoCommand { task: task.clone(), call: None, dry_run: true };
        // These count until the journal says that they are restored.
        let restored = files.iter().filter(|file| file.restored).count();
        let changes = self.executed(&whole)?.len().saturating_sub(restored);
        let left = (changes + self.jobs.standing_of(&whole)?.len()) as u64;
        let event = TaskEvent::Undone(Undone { files, operations, left: Some(left) });
        let store = &self.core.store;
        store.append(task, self.core.now_ms(), vec![event]).await.map_err(HostError::from)?;
        Ok(())
    }

    /// What the task's calls changed and what still stands, oldest first.
    fn executed(&self, undo: &UndoCommand) -> Result<Vec<(CallId, FileChange)>, ErrorBody> {
        let is_meant = |id: &CallId| undo.call.as_ref().is_none_or(|call| call == id);
        let mut is_known = undo.call.is_none();
        let mut changes: Vec<(CallId, FileChange)> = Vec::new();
        // Commands of which the end is not in the journal.
        let mut cut_off: Vec<(CallId, Digest)> = Vec::new();
        // Background commands of which the end is not in the journal, each with what was changed before it.
        let mut behind: Vec<(CallId, Option<Digest>, usize)> = Vec::new();
        each_event(&self.core, &undo.task, |record| match &record.event {
            TaskEvent::Planned(planned) => {
                is_known |= planned.plan.tool_calls.iter().any(|call| is_meant(&call.id));
            }
            // Written before each change, so it also covers what a call did before it failed or was cut
            // off; where the change then never came, undo finds the file as it was.
            TaskEvent::FileKept(kept) if is_meant(&kept.call) => {
                changes.push((kept.call.clone(), kept.change.clone()));
            }
            TaskEvent::TreeKept(kept) if is_meant(&kept.call) => {
                cut_off.push((kept.call.clone(), kept.manifest.clone()));
            }
            TaskEvent::ToolFinished(end) if cut_off.iter().any(|(call, _)| *call == end.call) => {
                cut_off.retain(|(call, _)| *call != end.call);
                let found = end.result.changes.iter().cloned();
                changes.extend(found.map(|change| (end.call.clone(), change)));
            }
            TaskEvent::BackgroundStarted(started) if is_meant(&started.call) => {
                cut_off.retain(|(call, _)| *call != started.call);
                behind.push((started.call.clone(), started.manifest.clone(), changes.len()));
            }
            TaskEvent::BackgroundEnded(end) => {
                if let Some(at) = behind.iter().position(|(call, ..)| *call == end.call) {
                    let (call, _, since) = behind.remove(at);
                    weave(&mut changes, since, &call, &end.changes);
                }
            }
            TaskEvent::Undone(undone) => {
                for file in undone.files.iter().filter(|file| file.restored) {
                    if let Some(at) = changes.iter().rposition(|(c, f)| *c == file.call && *f == file.change)
                    {
                        changes.remove(at);
                    }
                }
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
            weave(&mut changes, since, &call, &found.changes);
        }
        for (call, manifest) in cut_off {
            // What still runs is not undone under its feet; what died is seen by what it left.
            if self.drivers.is_at_work(&undo.task)? {
                break;
            }
            let found = differences(&self.core, &manifest);
            let found = found.map_err(|error| HostError::Task(error.to_string().into()))?;
            changes.extend(found.told().map(|change| (call.clone(), change)));
        }
        Ok(changes)
    }
}

/// Puts what a background command changed between the changes of the calls that ran meanwhile. Of a path that calls changed
/// too, it made what was there differently before each of them than the one before had left it.
fn weave(changes: &mut Vec<(CallId, FileChange)>, since: usize, call: &CallId, found: &[FileChange]) {
    for whole in found {
        let mut stands = whole.before.clone();
        let mut at = since.min(changes.len());
        while at < changes.len() {
            let change = &changes[at].1;
            if change.path == whole.path {
                let after = change.after.clone();
                if change.before != stands {
                    let own =
                        FileChange { path: whole.path.clone(), before: stands, after: change.before.clone() };
                    changes.insert(at, (call.clone(), own));
                    at += 1;
                }
                stands = after;
            }
            at += 1;
        }
        if stands != whole.after {
            let own = FileChange { path: whole.path.clone(), before: stands, after: whole.after.clone() };
            changes.push((call.clone(), own));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_protocol::FileState;

    fn file(content: &str) -> FileState {
        let digest = Digest::new(content);
        FileState::File(KeptFile { digest, size_bytes: content.len() as u64, mode: 0o644 })
    }

    fn change(path: &str, before: &str, after: &str) -> FileChange {
        FileChange { path: path.to_owned(), before: file(before), after: file(after) }
    }

    #[test]
    fn what_ran_behind_the_calls_is_taken_back_between_them() {
        let (server, call) = (CallId::new("server"), CallId::new("call"));
        let mut changes = vec![
            (call.clone(), change("/a", "before", "0")),
            (call.clone(), change("/a", "1", "2")),
            (call.clone(), change("/b", "0", "1")),
        ];
        let found = [change("/a", "0", "3"), change("/b", "0", "1"), change("/c", "0", "1")];
        weave(&mut changes, 1, &server, &found);
        let expected = [
            (call.clone(), change("/a", "before", "0")),
            (server.clone(), change("/a", "0", "1")),
            (call.clone(), change("/a", "1", "2")),
            (call.clone(), change("/b", "0", "1")),
            (server.clone(), change("/a", "2", "3")),
            (server.clone(), change("/c", "0", "1")),
        ];
        assert_eq!(changes, expected);
    }
}
