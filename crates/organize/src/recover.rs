//! Reconciles a job with the disk after a crash or a failure.

use crate::boot::boot;
use crate::execute::RunError;
use crate::job::Act;
use crate::ledger::{
    Began, DoneStep, Ended, History, Ledger, Outcome, Record, Resumed, SkippedStep, StepState,
};
use crate::settle::{Settled, settle};
use deputy_messages::organize as say;
use std::collections::HashSet;

/// Settles every step whose outcome the journal does not know for certain. Goes from the newest step to the oldest, so
/// that each sees the disk as it left it. After a reboot this includes steps that ended, because their effects may not
/// have become durable.
pub(crate) fn settle_open(history: &mut History, ledger: &mut dyn Ledger) -> Result<(), RunError> {
    if history.is_finished() {
        return Ok(());
    }
    let boot = boot();
    let is_other_boot = boot.is_empty() || boot != history.boot;
    let mut ended = Vec::new();
    let mut lost = Vec::new();
    // The paths from which later performed steps moved something away.
    let mut left = HashSet::new();
    for index in (0..history.steps.len()).rev() {
        let (trace, was_done) = match &history.steps[index] {
            StepState::Open(trace) => (trace, false),
            StepState::Done(trace) if is_other_boot => (trace, true),
            _ => continue,
        };
        let step = &history.job.steps[index];
        let settled = if trace.to(&step.act).ancestors().any(|above| left.contains(above)) {
            // A later step found the entry where this step had put it.
            Settled::Done
        } else {
            settle(&history.job.id, index, step, trace)?
        };
        if settled == Settled::Done && !matches!(step.act, Act::CreateFolder(_) | Act::Copy(_)) {
            left.insert(step.act.path().to_owned());
        }
        match (settled, was_done) {
            (Settled::Done, true) => {}
            (Settled::Done, false) => ended.push(Ended { step: index, outcome: Outcome::Done(DoneStep {}) }),
            (Settled::NotDone, was_done) => {
                if was_done {
                    lost.push(Began { step: index, to: trace.to.clone() });
                }
                history.steps[index] = StepState::Pending;
            }
        }
    }
    ledger.end(&ended)?;
    ended.into_iter().for_each(|ended| history.apply(&Record::Ended(ended)));
    if is_other_boot {
        // Reopen steps that are done in the journal but not on disk, before the reboot is recorded.
        if !lost.is_empty() {
            ledger.begin(&lost)?;
        }
        let resumed = Resumed { boot };
        ledger.resumed(&resumed)?;
        history.apply(&Record::Resumed(resumed));
    }
    Ok(())
}

/// Prepares failed steps to be tried again or skipped. First settles what they may have left incomplete.
pub(crate) fn retry_failed(
    history: &mut History,
    ledger: &mut dyn Ledger,
    skip: bool,
) -> Result<(), RunError> {
    for index in 0..history.steps.len() {
        let StepState::Failed(trace, reason) = &history.steps[index] else { continue };
        let outcome = match settle(&history.job.id, index, &history.job.steps[index], trace)? {
            Settled::Done => Outcome::Done(DoneStep {}),
            Settled::NotDone if skip => {
                Outcome::Skipped(SkippedStep { reason: say::skipped_after_failure(reason) })
            }
            Settled::NotDone => {
                history.steps[index] = StepState::Pending;
                continue;
            }
        };
        let ended = Ended { step: index, outcome };
        ledger.end(std::slice::from_ref(&ended))?;
        history.apply(&Record::Ended(ended));
    }
    Ok(())
}
