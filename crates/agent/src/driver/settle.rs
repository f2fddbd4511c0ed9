//! What became of a call that a crash cut off: decided by looking at the disk, never by guessing.

use super::rule::{Judged, finished};
use super::{Driver, DriverError};
use crate::machine::Stage;
use deputy_protocol::{Access, CallId, CallStatus, Decision, Effect, FileChange, ToolResult};
use deputy_tools::Settled;

/// What is to be done with a call that was cut off.
#[derive(Debug, PartialEq, Eq)]
enum Fate {
    /// It did nothing, or doing it again changes nothing.
    RunAgain,
    /// It was done when the process died.
    Done,
    /// Nobody knows.
    Unknown,
}

impl Driver {
    /// Runs a cut-off call again, or ends it with what is known.
    pub(super) async fn settle(&mut self, id: &CallId) -> Result<(), DriverError> {
        let Some(progress) = self.machine.call(id) else { return Ok(()) };
        let (Stage::CutOff(ruled) | Stage::Started(ruled)) = &progress.stage else { return Ok(()) };
        let (call, kept, effect) = (progress.call.clone(), progress.kept.clone(), ruled.effect);
        let judged = match self.judge(&call) {
            Ok(judged) => judged,
            Err(message) => {
                let status =
                    if effect == Effect::ReadOnly { CallStatus::Failed } else { CallStatus::Unknown };
                self.emit(finished(id, ToolResult::new(status, message), 0));
                return Ok(());
            }
        };
        let keeps_first =
            |access: &Access| matches!(access, Access::Write(_) | Access::Read(_) | Access::List(_));
        let changes_only_kept_files = judged.facts.accesses.iter().all(keeps_first);
        match fate(effect, changes_only_kept_files, &kept) {
            Fate::RunAgain if judged.ruling.verdict.decision == Decision::Deny => {
                self.refuse(id, &judged.ruling.verdict.reasons.join("; "));
            }
            Fate::RunAgain => self.start(vec![(id.clone(), Judged { effect, ..judged })]).await?,
            Fate::Done => {
                let text =
                    "It was done just before Deputy was cut off; this was found on the disk afterwards.";
                let result = ToolResult { changes: kept, ..ToolResult::new(CallStatus::Ok, text) };
                self.emit(finished(id, result, 0));
            }
            Fate::Unknown => {
                let text = "Deputy was cut off while this ran. It may or may not have happened, and was not run again.";
                let result = ToolResult { changes: kept, ..ToolResult::new(CallStatus::Unknown, text) };
                self.emit(finished(id, result, 0));
            }
        }
        Ok(())
    }
}

/// Files tell best: a call that keeps every file before it changes it has done nothing where it kept nothing.
fn fate(effect: Effect, changes_only_kept_files: bool, kept: &[FileChange]) -> Fate {
    if effect == Effect::ReadOnly {
        return Fate::RunAgain;
    }
    if !changes_only_kept_files {
        return if effect == Effect::Idempotent { Fate::RunAgain } else { Fate::Unknown };
    }
    let settled: Vec<Settled> = kept.iter().map(deputy_tools::settle).collect();
    if settled.iter().all(|s| *s == Settled::NotDone) {
        Fate::RunAgain
    } else if settled.iter().all(|s| *s == Settled::Done) {
        Fate::Done
    } else {
        Fate::Unknown
    }
}
