//! Executes a job: journals each step ahead and performs the steps in order until the end or the first failure. Resumes
//! an interrupted job.

use crate::batch::{destination, gather};
use crate::disk::{self, DiskError, folder_time, set_folder_time};
use crate::job::{Act, FolderTime, IfTaken, Step};
use crate::ledger::{
    Began, Copied, DoneStep, Ended, FailedStep, Finished, History, Ledger, LedgerError, Outcome, Record,
    SkippedStep, StepState,
};
use crate::names;
use crate::perform::{PerformError, Performed, Performing};
use crate::recover::{retry_failed, settle_open};
use crate::settle::part_of;
use crate::standing::Moment;
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The number of attempts to find a free name before a step fails. When they run out, another program is creating names
/// faster.
const MOST_ATTEMPTS: u32 = 1_000;

/// The callbacks that watch and cancel a running job.
pub struct Control<'a> {
    /// Called before each step.
    pub is_cancelled: &'a dyn Fn() -> bool,
    /// Called after each step with the number of steps that are done and the total.
    pub progress: &'a mut dyn FnMut(usize, usize),
    /// Whether to skip the step at which the job stopped, instead of trying it again.
    pub skip_failed: bool,
}

/// Why a job could not run at all.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The journal could not be written.
    Ledger(#[from] LedgerError),
    /// A disk operation outside of any step failed.
    Disk(#[from] DiskError),
    /// A folder of the scope is gone.
    ScopeGone(PathBuf),
}

impl RunError {
    /// Returns the message for people.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Ledger(error) => error.phrase(),
            Self::Disk(error) => error.phrase(),
            Self::ScopeGone(folder) => say::scope_gone(folder.display()),
        }
    }
}

deputy_messages::said_by_phrase!(RunError);

/// The progress of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The number of steps that are done.
    pub done: usize,
    /// Skipped operations, each with the reason.
    pub skipped: Vec<(String, Phrase)>,
    /// Where and why the job stopped before its end.
    pub stopped: Option<Stop>,
    /// The number of remaining steps.
    pub remaining: usize,
}

/// Where and why a job stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The job was cancelled.
    Cancelled,
    /// An operation failed. It can be tried again or skipped, or the job can be undone.
    Failed {
        /// The operation.
        operation: String,
        /// The reason.
        reason: Phrase,
    },
}

/// Returns the modification times of the folders that exist.
pub(crate) fn times_of(folders: &[PathBuf]) -> Vec<FolderTime> {
    let time = |folder: &PathBuf| Some(FolderTime { folder: folder.clone(), modified: folder_time(folder)? });
    folders.iter().filter_map(time).collect()
}

/// Runs the rest of a job. First settles steps that a crash interrupted, by checking the disk.
pub fn run(
    history: &mut History,
    ledger: &mut dyn Ledger,
    control: &mut Control<'_>,
) -> Result<Report, RunError> {
    if history.is_finished() {
        return Ok(report(history, None));
    }
    if let Some(folder) = scope_gone(history) {
        return Err(RunError::ScopeGone(folder.clone()));
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

/// Returns a folder of the scope that no longer exists.
fn scope_gone(history: &History) -> Option<&PathBuf> {
    history.job.scope.iter().find(|folder| folder_time(folder).is_none())
}

/// Ends a job early. Skips its remaining steps, except for entries that wait for their names.
pub(crate) fn give_up(history: &mut History, ledger: &mut dyn Ledger) -> Result<Report, RunError> {
    if !history.is_finished() {
        settle_open(history, ledger)?;
        retry_failed(history, ledger, true)?;
        let outcome = Outcome::Skipped(SkippedStep { reason: say::job_ended_before() });
        let is_left = |index: &usize| {
            let waits = names::is_waiting(history.job.steps[*index].act.path());
            history.steps[*index] == StepState::Pending && !waits
        };
        let left = (0..history.steps.len()).filter(is_left);
        let ended: Vec<_> = left.map(|step| Ended { step, outcome: outcome.clone() }).collect();
        ledger.end(&ended)?;
        ended.into_iter().for_each(|ended| history.apply(&Record::Ended(ended)));
        if scope_gone(history).is_some() {
            finish(history, ledger)?;
        }
    }
    let mut control = Control { is_cancelled: &|| false, progress: &mut |_, _| {}, skip_failed: true };
    run(history, ledger, &mut control)
}

/// Performs a step that was journaled ahead. If its destination is taken, journals it again with another name.
fn act(history: &mut History, ledger: &mut dyn Ledger, index: usize) -> Result<Outcome, RunError> {
    let skipped = |reason| Ok(Outcome::Skipped(SkippedStep { reason }));
    let failed = |reason| Ok(Outcome::Failed(FailedStep { reason }));
    // An entry that waits under one of our temporary names must not stay there.
    let waits = names::is_waiting(history.job.steps[index].act.path());
    let leaves_out = history.job.if_taken == IfTaken::Skip && !waits;
    let mut wanted = history.job.steps[index].act.destination().map(Path::to_owned);
    for attempt in 1..=MOST_ATTEMPTS {
        let (to, performed) = attempt_at(history, ledger, index);
        let step = &history.job.steps[index];
        let is_trash = matches!(step.act, Act::Trash(_));
        let other = match performed {
            Ok(Performed::Done) => return Ok(Outcome::Done(DoneStep {})),
            Ok(Performed::Skipped(reason)) => return skipped(reason),
            Ok(Performed::Taken) if leaves_out && !is_trash => {
                return skipped(say::something_else_at(to.display()));
            }
            Ok(Performed::Taken) if is_trash => destination(&history.job, index, step, attempt, |_| false),
            Ok(Performed::Taken) => wanted.as_deref().map(|wanted| other_name(wanted, attempt + 1)),
            // Give it its name in the folder in which it waits.
            Ok(Performed::Nowhere) if waits && to.parent() != step.act.path().parent() => {
                wanted = to.file_name().map(|name| step.act.path().with_file_name(name));
                wanted.clone()
            }
            Ok(Performed::Nowhere) => {
                let reason = say::folder_of_gone(to.display());
                return if leaves_out { skipped(reason) } else { failed(reason) };
            }
            // Nothing is done without a journal. This is not a failure of the step.
            Err(PerformError::Ledger(error)) => return Err(error.into()),
            Err(error) => return failed(error.phrase()),
        };
        let began = Began { step: index, to: other };
        ledger.begin(std::slice::from_ref(&began))?;
        history.apply(&Record::Began(began));
    }
    failed(say::no_free_name(history.job.steps[index].act.path().display()))
}

/// Tries a step once, with its current destination.
fn attempt_at(
    history: &mut History,
    ledger: &mut dyn Ledger,
    index: usize,
) -> (PathBuf, Result<Performed, PerformError>) {
    let step = &history.job.steps[index];
    let to = match &history.steps[index] {
        StepState::Open(trace) => trace.to(&step.act),
        _ => step.act.destination().unwrap_or_else(|| step.act.path()),
    };
    let (to, part) = (to.to_owned(), part_of(&history.job.id, index, to));
    let mut copied = None;
    let mut write_down = |copy| {
        let record = Copied { step: index, copy };
        ledger.copied(&record)?;
        copied = Some(record);
        Ok(())
    };
    let performed = Performing { step, to: &to, part: &part, write_down: &mut write_down }.perform();
    if let Some(copied) = copied {
        history.apply(&Record::Copied(copied));
    }
    (to, performed)
}

fn other_name(wanted: &Path, number: u32) -> PathBuf {
    let name = wanted.file_name().unwrap_or_default().to_string_lossy();
    wanted.with_file_name(names::numbered(&name, number))
}

/// Makes everything durable, restores times, and closes the journal.
fn finish(history: &mut History, ledger: &mut dyn Ledger) -> Result<(), RunError> {
    // If something was skipped, the folders are not in their previous state, so do not restore their times.
    let is_whole = !history.steps.iter().any(|state| matches!(state, StepState::Skipped(_)));
    let started: HashMap<&Path, Moment> =
        history.folders_before.iter().map(|time| (time.folder.as_path(), time.modified)).collect();
    for time in history.job.restore_times.iter().filter(|_| is_whole) {
        let is_untouched = match (time.after, started.get(time.folder.as_path())) {
            (Some(after), Some(started)) => *started == after,
            _ => true,
        };
        if is_untouched && folder_time(&time.folder).is_some() {
            // A folder of another owner keeps its new time. That must not prevent the job from finishing.
            let _ = set_folder_time(&time.folder, time.before);
        }
    }
    disk::sync(touched(history))?;
    let trash = |step: &Step| match &step.act {
        Act::Trash(paths) => Some(paths.to.clone()),
        _ => None,
    };
    for trash in history.job.steps.iter().filter_map(trash).collect::<BTreeSet<_>>() {
        // The trash contains many small notes, which are all synced at once.
        disk::sync_device_of(&trash)?;
    }
    let finished = Finished { folders: times_of(&history.job.folders) };
    ledger.finish(&finished)?;
    history.apply(&Record::Finished(finished));
    Ok(())
}

/// Returns the folders in which entries were added or removed.
fn touched(history: &History) -> BTreeSet<&Path> {
    let mut folders: BTreeSet<&Path> = history.job.folders.iter().map(PathBuf::as_path).collect();
    for (step, state) in history.job.steps.iter().zip(&history.steps) {
        if let StepState::Done(trace) = state {
            folders.extend(step.act.path().parent());
            folders.extend(trace.to(&step.act).parent());
        }
    }
    folders
}

/// Returns the progress of a job from its history.
pub fn report(history: &History, stopped: Option<Stop>) -> Report {
    let mut skipped = Vec::new();
    let mut remaining = 0;
    for (step, state) in history.job.steps.iter().zip(&history.steps) {
        match state {
            StepState::Skipped(reason) => skipped.push((step.operation.clone(), reason.clone())),
            StepState::Done(_) => {}
            StepState::Pending | StepState::Open(_) | StepState::Failed(..) => remaining += 1,
        }
    }
    Report { done: history.done(), skipped, stopped, remaining }
}
