//! The changes of a task's calls that are still in effect: what was executed, without what was undone.

use super::Undoing;
use crate::driver::differences;
use crate::host::{HostError, each_event};
use deputy_messages::agent as say;
use deputy_protocol::{
    CallId, Digest, ErrorBody, ErrorCode, FileChange, FileState, TaskEvent, UndoCommand, UndoneFile,
    UndoneRepository,
};
use deputy_tools::tree::{GitPart, git_part};
use std::path::Path;

/// A change that a call made, with its position in the journal.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Executed {
    pub(super) seq: u64,
    pub(super) call: CallId,
    pub(super) change: FileChange,
}

impl Executed {
    /// Returns whether an undo or a redo of a repository covers this change.
    pub(super) fn is_of(&self, repository: &UndoneRepository) -> bool {
        let inside = Path::new(&self.change.path).strip_prefix(&repository.folder);
        let is_covered = |inside: &Path| repository.is_whole || git_part(inside) != GitPart::Setting;
        repository.calls.contains(&self.call) && inside.is_ok_and(is_covered)
    }
}

impl Undoing {
    /// Returns the changes of the task's calls that are still in effect, oldest first.
    pub(super) fn executed(&self, undo: &UndoCommand) -> Result<Vec<Executed>, ErrorBody> {
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
                taken_back.extend(taken(&mut changes, &undone.files, &undone.repositories));
            }
            TaskEvent::Redone(redone) => {
                changes.extend(taken(&mut taken_back, &redone.files, &redone.repositories));
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

/// Removes the changes that an undo or a redo covered, and returns them.
fn taken(from: &mut Vec<Executed>, files: &[UndoneFile], repositories: &[UndoneRepository]) -> Vec<Executed> {
    let mut taken = Vec::new();
    for file in files.iter().filter(|file| file.restored) {
        let is_it = |one: &Executed| one.call == file.call && one.change == file.change;
        if let Some(at) = from.iter().rposition(is_it) {
            taken.push(from.remove(at));
        }
    }
    for repository in repositories.iter().filter(|repository| repository.is_restored()) {
        taken.extend(from.extract_if(.., |one| one.is_of(repository)));
    }
    taken
}

/// Inserts the changes of a background command between the changes of the calls that ran in parallel. If calls changed
/// the same path, the background command accounts for each difference between the state that one call left and the
/// state that the next one found. Its final change is recorded at its end.
fn weave(changes: &mut Vec<Executed>, since: usize, (end, call): (u64, &CallId), found: &[FileChange]) {
    for whole in found {
        let own = |seq: u64, before: FileState, after: FileState| {
            let before_modified = whole.before_modified.filter(|_| before == whole.before);
            let change = FileChange { path: whole.path.clone(), before, after, before_modified };
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
    use deputy_protocol::KeptFile;

    fn file(content: &str) -> FileState {
        let digest = Digest::new(content);
        FileState::File(KeptFile { digest, size_bytes: content.len() as u64, mode: 0o644 })
    }

    fn change(seq: u64, call: &CallId, path: &str, before: &str, after: &str) -> Executed {
        let change = FileChange {
            path: path.to_owned(),
            before: file(before),
            after: file(after),
            before_modified: None,
        };
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
