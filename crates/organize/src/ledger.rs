//! The interface to the journal of a job, and the history that is read from it.

use crate::job::{Act, FolderTime, Job};
use crate::standing::Fingerprint;
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A record in the journal of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "snake_case")]
pub enum Record {
    /// The job and the initial state of its folders.
    Started(Started),
    /// A step is about to be performed.
    Began(Began),
    /// The copy of a step is complete and will get its final name next.
    Copied(Copied),
    /// A step ended.
    Ended(Ended),
    /// Another process continues the job after a reboot.
    Resumed(Resumed),
    /// The job is done.
    Finished(Finished),
}

/// The first record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// The job.
    pub job: Job,
    /// The modification times of its folders before the job.
    pub folders: Vec<FolderTime>,
    /// The boot id at the start of the job.
    pub boot: String,
}

/// A step that is about to be performed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Began {
    /// The index of the step.
    pub step: usize,
    /// The destination, if it differs from the one in the action.
    pub to: Option<PathBuf>,
}

/// A step whose copy is complete, durable and verified. The copy gets its final name next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copied {
    /// The index of the step.
    pub step: usize,
    /// The fingerprint of the copy.
    pub copy: Fingerprint,
}

/// A continuation by another process after a reboot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resumed {
    /// The current boot id.
    pub boot: String,
}

/// A step that ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// The index of the step.
    pub step: usize,
    /// The outcome.
    pub outcome: Outcome,
}

/// The outcome of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// The step was performed.
    Done(DoneStep),
    /// The step was skipped. Nothing was changed.
    Skipped(SkippedStep),
    /// The step failed. Nothing was changed, and the job stopped.
    Failed(FailedStep),
}

/// A step that was performed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoneStep {}

/// A step that was skipped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedStep {
    /// The reason.
    pub reason: Phrase,
}

/// A step that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedStep {
    /// The reason.
    pub reason: Phrase,
}

/// The last record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// The modification times of its folders after the job.
    pub folders: Vec<FolderTime>,
}

/// Why a journal could not be written or read. No step is performed without a journal.
#[derive(Debug, thiserror::Error)]
pub struct LedgerError {
    /// The operation that was tried.
    pub action: LedgerAction,
    /// The path of the journal.
    pub path: PathBuf,
    /// The reason for the failure.
    pub reason: Phrase,
}

/// An operation on a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LedgerAction {
    /// Create a new journal.
    Create,
    /// Recreate a journal whose creation was interrupted.
    Recreate,
    /// Make it durable.
    Sync,
    /// Wait until no process writes it.
    WaitFor,
    /// Open it.
    Open,
    /// Read it.
    Read,
    /// Drop an incomplete last line.
    Repair,
    /// Append to it.
    Write,
}

impl LedgerError {
    pub(crate) fn new(action: LedgerAction, path: &Path, source: impl Into<std::io::Error>) -> Self {
        Self { action, path: path.to_owned(), reason: source.into().to_string().into() }
    }

    /// Returns the message for people.
    pub fn phrase(&self) -> Phrase {
        let (path, source) = (self.path.display(), self.reason.clone());
        match self.action {
            LedgerAction::Create => say::journal_cannot_create(path, source),
            LedgerAction::Recreate => say::journal_cannot_make_anew(path, source),
            LedgerAction::Sync => say::journal_cannot_make_durable(path, source),
            LedgerAction::WaitFor => say::journal_cannot_wait_for(path, source),
            LedgerAction::Open => say::journal_cannot_open(path, source),
            LedgerAction::Read => say::journal_cannot_read(path, source),
            LedgerAction::Repair => say::journal_cannot_repair(path, source),
            LedgerAction::Write => say::journal_cannot_write(path, source),
        }
    }
}

deputy_messages::said_by_phrase!(LedgerError);

/// The write-ahead log of a job.
pub trait Ledger {
    /// Records that steps are about to be performed. Durable when this returns, as are all earlier outcomes.
    fn begin(&mut self, steps: &[Began]) -> Result<(), LedgerError>;

    /// Records that the copy of a step is complete. Durable when this returns. Only this record identifies a file at
    /// the destination as ours.
    fn copied(&mut self, copied: &Copied) -> Result<(), LedgerError>;

    /// Records the outcomes of steps. They may be lost in a crash, because the disk shows the outcomes, too.
    fn end(&mut self, steps: &[Ended]) -> Result<(), LedgerError>;

    /// Records that another process continues after a reboot. Durable when this returns.
    fn resumed(&mut self, resumed: &Resumed) -> Result<(), LedgerError>;

    /// Records that the job is done. Durable when this returns.
    fn finish(&mut self, finished: &Finished) -> Result<(), LedgerError>;
}

/// What the journal contains about a step that began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The destination, if it differs from the one in the action.
    pub to: Option<PathBuf>,
    /// The fingerprint of its copy, if it made one.
    pub copy: Option<Fingerprint>,
}

impl Trace {
    /// Returns the actual destination of the step.
    pub fn to<'a>(&'a self, act: &'a Act) -> &'a Path {
        self.to.as_deref().or_else(|| act.destination()).unwrap_or_else(|| act.path())
    }
}

/// The state of a step according to the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepState {
    /// The step has not begun.
    Pending,
    /// The step has begun, and the journal has no outcome.
    Open(Trace),
    /// The step was performed.
    Done(Trace),
    /// The step was skipped for this reason.
    Skipped(Phrase),
    /// The step failed for this reason.
    Failed(Trace, Phrase),
}

/// A job and its progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// The job.
    pub job: Job,
    /// The modification times of its folders before the job.
    pub folders_before: Vec<FolderTime>,
    /// The boot id when the job last continued.
    pub boot: String,
    /// The state of each step.
    pub steps: Vec<StepState>,
    /// The modification times of its folders after the job. `None` while the job is unfinished.
    pub folders_after: Option<Vec<FolderTime>>,
}

impl History {
    /// Returns from where to where the job moved, renamed, copied or restored files and folders, or put them into the
    /// trash.
    pub fn moved(&self) -> Vec<(PathBuf, PathBuf)> {
        let steps = self.job.steps.iter().zip(&self.steps);
        let done = steps.filter(|(_, state)| matches!(state, StepState::Done(_)));
        done.filter_map(|(step, _)| Some((step.act.path().to_owned(), step.act.destination()?.to_owned())))
            .collect()
    }

    /// Creates the history of a job that has done nothing yet.
    pub fn new(started: Started) -> Self {
        let steps = vec![StepState::Pending; started.job.steps.len()];
        Self {
            job: started.job,
            folders_before: started.folders,
            boot: started.boot,
            steps,
            folders_after: None,
        }
    }

    /// Applies the next record of the journal. Ignores records about steps that the job does not have.
    pub fn apply(&mut self, record: &Record) {
        match record {
            Record::Started(_) => {}
            Record::Began(began) => {
                if let Some(state) = self.steps.get_mut(began.step) {
                    *state = StepState::Open(Trace { to: began.to.clone(), copy: None });
                }
            }
            Record::Copied(copied) => {
                if let Some(StepState::Open(trace)) = self.steps.get_mut(copied.step) {
                    trace.copy = Some(copied.copy);
                }
            }
            Record::Ended(ended) => {
                if let Some(state) = self.steps.get_mut(ended.step) {
                    let trace = match state {
                        StepState::Open(trace) | StepState::Failed(trace, _) => std::mem::take(trace),
                        _ => Trace::default(),
                    };
                    *state = match &ended.outcome {
                        Outcome::Done(_) => StepState::Done(trace),
                        Outcome::Skipped(skipped) => StepState::Skipped(skipped.reason.clone()),
                        Outcome::Failed(failed) => StepState::Failed(trace, failed.reason.clone()),
                    };
                }
            }
            Record::Resumed(resumed) => self.boot.clone_from(&resumed.boot),
            Record::Finished(finished) => self.folders_after = Some(finished.folders.clone()),
        }
    }

    /// Returns whether the job is done.
    pub fn is_finished(&self) -> bool {
        self.folders_after.is_some()
    }

    /// Returns the number of performed steps.
    pub fn done(&self) -> usize {
        self.steps.iter().filter(|state| matches!(state, StepState::Done(_))).count()
    }
}
