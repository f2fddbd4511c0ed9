//! Executes a job: written ahead, one step after the other, to its end or to the first failure; resumes where it was
//! cut off.

use crate::batch::{destination, gather};
use crate::disk::{self, DiskError, folder_time, set_folder_time};
use crate::job::{Act, FolderTime, IfTaken};
use crate::ledger::{
    Began, DoneStep, Ended, FailedStep, Finished, History, Ledger, LedgerError, Outcome, Record, SkippedStep,
    StepState,
};
use crate::names;
use crate::perform::{Performed, perform};
use crate::settle::{Settled, part_of, settle};
use std::path::{Path, PathBuf};

/// How often a new name is looked for before a step fails: somebody is making names faster than we.
const MOST_ATTEMPTS: u32 = 1_000;

/// How a running job is watched and stopped.
pub struct Control<'a> {
    /// Asked before each step.
    pub is_cancelled: &'a dyn Fn() -> bool,
    /// Told after each step: how many are behind it, of how many.
    pub progress: &'a mut dyn FnMut(usize, usize),
    /// Whether the step at which the job stopped is left out this time, instead of tried again.
    pub skip_failed: bool,
}

/// Why a job could not run at all.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The journal could not be written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The disk refused, outside any step.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// A folder of its scope is gone.
    #[error("the folder {folder} is not there any more; nothing was changed. Bring it back, or give the job up", folder = .0.display())]
    ScopeGone(PathBuf),
}

/// How far a job got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Steps that happened.
    pub done: usize,
    /// Operations that were left out, each with the reason.
    pub skipped: Vec<(String, String)>,
    /// Where and why it stopped before its end.
    pub stopped: Option<Stop>,
    /// Steps that are left.
    pub remaining: usize,
}

/// Where and why a job stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It was asked to.
    Cancelled,
    /// An operation failed: it can be tried again or skipped, or the job taken back.
    Failed {
        /// The operation.
        operation: String,
        /// Why.
        reason: String,
    },
}

/// When each folder had changed, of those that are there.
pub(crate) fn times_of(folders: &[PathBuf]) -> Vec<FolderTime> {
    let time = |folder: &PathBuf| Some(FolderTime { folder: folder.clone(), modified: folder_time(folder)? });
    folders.iter().filter_map(time).collect()
}

/// Runs what is left of a job. What a crash cut off is settled first, by looking at the disk.
pub fn run(
    history: &mut History,
    ledger: &mut dyn Ledger,
    control: &mut Control<'_>,
) -> Result<Report, RunError> {
    if history.is_finished() {
        return Ok(report(history, None));
    }
    for folder in &history.job.scope {
        if folder_time(folder).is_none() {
            return Err(RunError::ScopeGone(folder.clone()));
        }
    }
    settle_open(history, ledger)?;
    retry_failed(history, ledger, control.skip_failed)?;
    let mut first = 0;
    let mut stop = None;
    while stop.is_none() {
        let batch = gather(history, first);
        let (Some(start), Some(last)) = (batch.first(), batch.last()) else { break };
        debug_assert!(start.step >= first);
        let end = last.step + 1;
        ledger.begin(&batch)?;
        let mut ended = Vec::with_capacity(batch.len());
        for began in batch {
            let index = began.step;
            if stop.is_none() && (control.is_cancelled)() {
                stop = Some(Stop::Cancelled);
            }
            if stop.is_some() {
                continue;
            }
            history.apply(&Record::Began(began));
            let outcome = act(history, ledger, index)?;
            if let Outcome::Failed(failed) = &outcome {
                let operation = history.job.steps[index].operation.clone();
                stop = Some(Stop::Failed { operation, reason: failed.reason.clone() });
            }
            let end = Ended { step: index, outcome };
            history.apply(&Record::Ended(end.clone()));
            ended.push(end);
            (control.progress)(index + 1, history.steps.len());
        }
        ledger.end(&ended)?;
        first = end;
    }
    if stop.is_none() {
        finish(history, ledger)?;
    }
    Ok(report(history, stop))
}

/// Decides about every step that the journal leaves open.
pub(crate) fn settle_open(history: &mut History, ledger: &mut dyn Ledger) -> Result<(), RunError> {
    for index in 0..history.steps.len() {
        let StepState::Open(to) = &history.steps[index] else { continue };
        let settled = settle(&history.job.id, index, &history.job.steps[index], to.as_deref())?;
        if settled == Settled::Done {
            let ended = Ended { step: index, outcome: Outcome::Done(DoneStep {}) };
            ledger.end(std::slice::from_ref(&ended))?;
            history.apply(&Record::Ended(ended));
        } else {
            history.steps[index] = StepState::Pending;
        }
    }
    Ok(())
}

fn retry_failed(history: &mut History, ledger: &mut dyn Ledger, skip: bool) -> Result<(), RunError> {
    for index in 0..history.steps.len() {
        let StepState::Failed(reason) = &history.steps[index] else { continue };
        if skip {
            let reason = format!("skipped after it failed: {reason}");
            let ended = Ended { step: index, outcome: Outcome::Skipped(SkippedStep { reason }) };
            ledger.end(std::slice::from_ref(&ended))?;
            history.apply(&Record::Ended(ended));
        } else {
            history.steps[index] = StepState::Pending;
        }
    }
    Ok(())
}

/// Performs a step that was written ahead; a destination that is taken is written ahead again under another name.
fn act(history: &mut History, ledger: &mut dyn Ledger, index: usize) -> Result<Outcome, RunError> {
    for attempt in 1..=MOST_ATTEMPTS {
        let step = &history.job.steps[index];
        let to = match &history.steps[index] {
            StepState::Open(Some(to)) => to.clone(),
            _ => step.act.path().to_owned(),
        };
        match perform(step, &to, &part_of(&history.job.id, index, &to)) {
            Ok(Performed::Done) => return Ok(Outcome::Done(DoneStep {})),
            Ok(Performed::Skipped(reason)) => return Ok(Outcome::Skipped(SkippedStep { reason })),
            Ok(Performed::Taken) => {}
            Err(error) => return Ok(Outcome::Failed(FailedStep { reason: error.to_string() })),
        }
        let is_trash = matches!(step.act, Act::Trash(_));
        if history.job.if_taken == IfTaken::Skip && !is_trash {
            let reason = format!("something else stands at {}", to.display());
            return Ok(Outcome::Skipped(SkippedStep { reason }));
        }
        let other = if is_trash {
            destination(&history.job, index, step, attempt, |_| false)
        } else {
            step.act.destination().map(|wanted| other_name(wanted, attempt + 1))
        };
        let began = Began { step: index, to: other };
        ledger.begin(std::slice::from_ref(&began))?;
        history.apply(&Record::Began(began));
    }
    let reason = format!("no free name was found beside {}", history.job.steps[index].act.path().display());
    Ok(Outcome::Failed(FailedStep { reason }))
}

fn other_name(wanted: &Path, number: u32) -> PathBuf {
    let name = wanted.file_name().unwrap_or_default().to_string_lossy();
    wanted.with_file_name(names::numbered(&name, number))
}

/// Makes everything durable, puts back times, and closes the journal.
fn finish(history: &mut History, ledger: &mut dyn Ledger) -> Result<(), RunError> {
    // Where something had to be left out, the folders are not as they were, and their times should not say so.
    let is_whole = !history.steps.iter().any(|state| matches!(state, StepState::Skipped(_)));
    for time in history.job.restore_times.iter().filter(|_| is_whole) {
        let started = history.folders_before.iter().find(|started| started.folder == time.folder);
        let is_untouched = match (time.after, started) {
            (Some(after), Some(started)) => started.modified == after,
            _ => true,
        };
        if is_untouched && folder_time(&time.folder).is_some() {
            set_folder_time(&time.folder, time.before)?;
        }
    }
    let mut folders = history.job.folders.clone();
    folders.extend(history.job.scope.iter().cloned());
    disk::sync(&folders)?;
    let finished = Finished { folders: times_of(&history.job.folders) };
    ledger.finish(&finished)?;
    history.apply(&Record::Finished(finished));
    Ok(())
}

/// How far a job got, by its history.
pub fn report(history: &History, stopped: Option<Stop>) -> Report {
    let mut skipped = Vec::new();
    let mut remaining = 0;
    for (step, state) in history.job.steps.iter().zip(&history.steps) {
        match state {
            StepState::Skipped(reason) => skipped.push((step.operation.clone(), reason.clone())),
            StepState::Done(_) => {}
            StepState::Pending | StepState::Open(_) | StepState::Failed(_) => remaining += 1,
        }
    }
    Report { done: history.done(), skipped, stopped, remaining }
}
