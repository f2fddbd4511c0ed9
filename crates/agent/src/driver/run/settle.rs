//! Determines the outcome of a call that a crash interrupted, by examining the disk and never by guessing.

use super::undo_snapshot::UndoSnapshot;
use crate::core::Core;
use crate::driver::journal::TaskJournal;
use crate::driver::judge::{Judge, Judged};
use crate::machine::{Ruled, Stage};
use deputy_messages::agent as say;
use deputy_protocol::{
    Access, CallId, CallStatus, Confinement, Decision, Digest, Effect, Facts, FileChange, FileState,
    ToolCall, ToolResult,
};
use deputy_tools::{Left, Settled};
use std::sync::Arc;

/// Returns the result of a call with an unknown outcome.
fn unknown() -> ToolResult {
    ToolResult::said(CallStatus::Unknown, say::cut_off_while_running())
}

/// What to do with an interrupted call.
#[derive(Debug, PartialEq, Eq)]
enum Fate {
    /// It did nothing, or repeating it changes nothing.
    RunAgain,
    /// It was complete when the process died.
    Done,
    /// Its outcome is unknown.
    Unknown,
}

/// Examines an interrupted call. Returns it if it must run again; otherwise it ends here with the known result.
pub(in crate::driver) async fn settle(
    core: &Arc<Core>,
    journal: &mut TaskJournal,
    judge: &Judge,
    id: &CallId,
) -> Option<Judged> {
    let progress = journal.machine().call(id)?;
    let (Stage::CutOff(ruled) | Stage::Started(ruled)) = &progress.stage else { return None };
    let (call, kept, tree) = (progress.call.clone(), progress.kept.clone(), progress.tree.clone());
    let ruled = ruled.clone();
    let left = core.registry.get(&call.tool).map(|tool| tool.left(id, &call.parameters));
    match left {
        Some(Left::Begun(facts)) => return settle_begun(journal, judge, &call, *facts, &ruled),
        Some(Left::NotBegun) => return settle_not_begun(journal, judge, &call, &ruled),
        Some(Left::Untold) | None => {}
    }
    let judged = match judge.judge(journal.machine(), &call) {
        Ok(judged) => judged,
        Err(error) => {
            let did_nothing = ruled.effect == Effect::ReadOnly;
            let status = if did_nothing { CallStatus::Failed } else { CallStatus::Unknown };
            journal.fail(id, status, error);
            return None;
        }
    };
    if judged.ruling.execution.is_some() && ruled.confinement >= Confinement::Workspace {
        // A command that may write starts only after the snapshot of what it could change is journalled. Without a
        // snapshot it did not run.
        let Some(manifest) = tree else { return start_anew(journal, id, judged, &ruled) };
        settle_command(core, journal, id, &judged, manifest).await;
        return None;
    }
    match fate(ruled.effect, writes(&judged.facts.accesses), &kept) {
        Fate::RunAgain if judged.ruling.verdict.decision == Decision::Deny => {
            journal.refuse(id, deputy_messages::series(judged.ruling.verdict.reasons));
            None
        }
        Fate::RunAgain => Some(Judged { effect: ruled.effect, ..judged }),
        Fate::Done => {
            let said = ToolResult::said(CallStatus::Ok, say::done_before_cut_off());
            let result = ToolResult { changes: kept, ..said };
            journal.finish(id, result, 0);
            None
        }
        Fate::Unknown => {
            let result = ToolResult { changes: kept, ..unknown() };
            journal.finish(id, result, 0);
            None
        }
    }
}

/// Settles a call whose tool has begun according to the tool's own journal: the rest is done, unless the current rules
/// deny it.
fn settle_begun(
    journal: &mut TaskJournal,
    judge: &Judge,
    call: &ToolCall,
    facts: Facts,
    ruled: &Ruled,
) -> Option<Judged> {
    match judge.rule(journal.machine(), call, facts) {
        Ok(judged) if judged.ruling.verdict.decision == Decision::Deny => {
            let reasons = deputy_messages::series(judged.ruling.verdict.reasons);
            let text = say::rest_is_denied(judged.facts.summary, reasons);
            journal.fail(&call.id, CallStatus::Denied, text);
            None
        }
        Ok(mut judged) => {
            // It gets the confinement that was approved, even if little of the work is left.
            judged.ruling.verdict.confinement = ruled.confinement;
            Some(Judged { effect: ruled.effect, digest: ruled.digest.clone(), ..judged })
        }
        Err(error) => {
            journal.fail(&call.id, CallStatus::Unknown, error);
            None
        }
    }
}

/// Settles a call whose tool did nothing according to the tool's own journal: it starts now, if it is still what was
/// approved.
fn settle_not_begun(
    journal: &mut TaskJournal,
    judge: &Judge,
    call: &ToolCall,
    ruled: &Ruled,
) -> Option<Judged> {
    match judge.judge(journal.machine(), call) {
        Ok(judged) => start_anew(journal, &call.id, judged, ruled),
        Err(error) => {
            journal.fail(&call.id, CallStatus::Failed, error);
            None
        }
    }
}

/// Starts a call that did not run, if it is allowed and still what was decided.
fn start_anew(journal: &mut TaskJournal, id: &CallId, judged: Judged, ruled: &Ruled) -> Option<Judged> {
    if judged.ruling.verdict.decision == Decision::Deny {
        journal.refuse(id, deputy_messages::series(judged.ruling.verdict.reasons));
        return None;
    }
    if judged.digest != ruled.digest {
        journal.fail(id, CallStatus::Failed, say::would_do_something_else());
        return None;
    }
    Some(Judged { effect: ruled.effect, ..judged })
}

/// Settles a command that had begun. How far it got is unknown, but its changes can be determined.
async fn settle_command(
    core: &Arc<Core>,
    journal: &mut TaskJournal,
    id: &CallId,
    judged: &Judged,
    manifest: Digest,
) {
    let mut result = unknown();
    if let Some(snapshot) = UndoSnapshot::of(core, judged) {
        snapshot.tell_changes(&manifest, &mut result).await;
    }
    if !result.changes.is_empty() {
        let changed = say::changed_since_start(result.changes.len());
        result.content.push_str(&format!(" {changed}"));
        result.summary = deputy_messages::sentences([std::mem::take(&mut result.summary), changed]);
    }
    journal.finish(id, result, 0);
    journal.drop_later(manifest);
}

/// Returns the number of files that a call writes, each saved before it changes. `None` if the call does other things,
/// which are not saved.
fn writes(accesses: &[Access]) -> Option<usize> {
    let keeps_first =
        |access: &Access| matches!(access, Access::Write(_) | Access::Read(_) | Access::List(_));
    let is_write = |access: &&Access| matches!(access, Access::Write(_));
    accesses.iter().all(keeps_first).then(|| accesses.iter().filter(is_write).count())
}

/// Determines the fate of a call from its files. The saved files cover only the beginning of the call if it was
/// interrupted before it saved the rest.
fn fate(effect: Effect, writes: Option<usize>, kept: &[FileChange]) -> Fate {
    if effect == Effect::ReadOnly {
        return Fate::RunAgain;
    }
    let Some(writes) = writes else {
        return if effect == Effect::Idempotent { Fate::RunAgain } else { Fate::Unknown };
    };
    let (mut files_done, mut is_all_done) = (0, true);
    for change in kept {
        match (deputy_tools::settle(change), &change.after) {
            (Settled::Neither, _) => return Fate::Unknown,
            (Settled::NotDone, _) => is_all_done = false,
            // A folder that already exists counts as created.
            (Settled::Done, FileState::Folder(_)) => {}
            (Settled::Done, _) => files_done += 1,
        }
    }
    match files_done {
        0 => Fate::RunAgain,
        done if is_all_done && done >= writes => Fate::Done,
        _ => Fate::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_protocol::{AbsentFile, KeptFile, KeptFolder};
    use std::path::Path;

    fn made(path: &Path, after: FileState) -> FileChange {
        let path = path.to_str().unwrap().to_owned();
        FileChange { path, before: FileState::Absent(AbsentFile {}), after, before_modified: None }
    }

    fn file(path: &Path, content: &str) -> FileChange {
        let digest = Digest::new(blake3::hash(content.as_bytes()).to_hex().as_str());
        made(path, FileState::File(KeptFile { digest, size_bytes: content.len() as u64, mode: 0o644 }))
    }

    /// Regression test: a call counted as done when only the folder of its file was created, and the file was lost.
    #[test]
    fn a_call_that_kept_only_its_beginning_is_not_done() {
        let place = tempfile::tempdir().unwrap();
        let (folder, path) = (place.path().join("notes"), place.path().join("notes/a.txt"));
        let kept_folder = made(&folder, FileState::Folder(KeptFolder::default()));
        let kept = [kept_folder.clone(), file(&path, "text")];
        let fate_of = |kept: &[FileChange]| fate(Effect::Mutating, Some(1), kept);

        assert_eq!(fate_of(&[]), Fate::RunAgain, "nothing was kept");
        assert_eq!(fate_of(&kept[..1]), Fate::RunAgain, "the folder was kept");
        std::fs::create_dir(&folder).unwrap();
        assert_eq!(fate_of(&kept[..1]), Fate::RunAgain, "the folder was made");
        assert_eq!(fate_of(&kept), Fate::RunAgain, "the file was kept");
        std::fs::write(&path, "text").unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
        assert_eq!(fate_of(&kept), Fate::Done, "the file was made");
        assert_eq!(fate(Effect::Mutating, Some(2), &kept), Fate::Unknown, "another file was still to come");
        std::fs::write(&path, "other").unwrap();
        assert_eq!(fate_of(&kept), Fate::Unknown, "somebody else was there");
    }

    #[test]
    fn what_nobody_kept_is_not_guessed() {
        assert_eq!(fate(Effect::Mutating, None, &[]), Fate::Unknown);
        assert_eq!(fate(Effect::Idempotent, None, &[]), Fate::RunAgain);
        assert_eq!(fate(Effect::ReadOnly, None, &[]), Fate::RunAgain);
    }
}
