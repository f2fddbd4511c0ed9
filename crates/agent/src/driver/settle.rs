//! What became of a call that a crash cut off: decided by looking at the disk, never by guessing.

use super::net::Net;
use super::rule::{Judged, finished};
use super::{Driver, DriverError};
use crate::machine::{Ruled, Stage};
use deputy_protocol::{Access, CallId, CallStatus, Confinement, Decision, Effect, FileChange, ToolResult};
use deputy_tools::Settled;

/// What the planner and the user are told.
const UNKNOWN: &str =
    "Deputy was cut off while this ran. It may or may not have happened, and was not run again.";

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
        let (call, kept, ruled) = (progress.call.clone(), progress.kept.clone(), ruled.clone());
        let effect = ruled.effect;
        let judged = match self.judge(&call) {
            Ok(judged) => judged,
            Err(message) => {
                let status =
                    if effect == Effect::ReadOnly { CallStatus::Failed } else { CallStatus::Unknown };
                self.emit(finished(id, ToolResult::new(status, message), 0));
                return Ok(());
            }
        };
        if judged.ruling.execution.is_some() && ruled.confinement >= Confinement::Workspace {
            return self.settle_command(id, judged, &ruled).await;
        }
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
                let result = ToolResult { changes: kept, ..ToolResult::new(CallStatus::Unknown, UNKNOWN) };
                self.emit(finished(id, result, 0));
            }
        }
        Ok(())
    }

    /// A command that may write starts only after what it could change is journalled as kept: where that is missing it
    /// did not run. Where it is there nobody knows how far it came, but what it changed can be seen.
    async fn settle_command(
        &mut self,
        id: &CallId,
        judged: Judged,
        ruled: &Ruled,
    ) -> Result<(), DriverError> {
        let tree = self.machine.call(id).and_then(|progress| progress.tree.clone());
        let Some(manifest) = tree else {
            if judged.ruling.verdict.decision == Decision::Deny {
                self.refuse(id, &judged.ruling.verdict.reasons.join("; "));
            } else if judged.digest != ruled.digest {
                let text = "It was not run: Deputy was cut off before it started, and since then it would do something else.";
                self.emit(finished(id, ToolResult::new(CallStatus::Failed, text), 0));
            } else {
                self.start(vec![(id.clone(), Judged { effect: ruled.effect, ..judged })]).await?;
            }
            return Ok(());
        };
        let mut result = ToolResult::new(CallStatus::Unknown, UNKNOWN);
        if let Some(net) = Net::under(&self.core, &judged) {
            net.gather(&manifest, &mut result).await;
        }
        match result.changes.len() {
            0 => {}
            1 => result.content.push_str(" One file or folder has changed since it started; undo covers it."),
            many => {
                let text =
                    format!(" {many} files and folders have changed since it started; undo covers them.");
                result.content.push_str(&text);
            }
        }
        self.emit(finished(id, result, 0));
        self.drop_later(manifest);
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
