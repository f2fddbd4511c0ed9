//! The port to a job's journal, and the history that is read from it.

use crate::job::{FolderTime, Job};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A line of a job's journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "snake_case")]
pub enum Record {
    /// The job, and how its folders were.
    Started(Started),
    /// A step is about to act.
    Began(Began),
    /// A step ended.
    Ended(Ended),
    /// The job is done.
    Finished(Finished),
}

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// The job.
    pub job: Job,
    /// When its folders had changed before it.
    pub folders: Vec<FolderTime>,
}

/// A step is about to act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Began {
    /// Its index.
    pub step: usize,
    /// Where it leads, as it is really tried.
    pub to: Option<PathBuf>,
}

/// A step ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Its index.
    pub step: usize,
    /// How.
    pub outcome: Outcome,
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// It happened.
    Done(DoneStep),
    /// It was left out; nothing was changed.
    Skipped(SkippedStep),
    /// It failed; nothing was changed, and the job stopped there.
    Failed(FailedStep),
}

/// It happened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoneStep {}

/// It was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedStep {
    /// Why.
    pub reason: String,
}

/// It failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedStep {
    /// Why.
    pub reason: String,
}

/// The last line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// When its folders have changed, by it.
    pub folders: Vec<FolderTime>,
}

/// Why a journal could not be written or read; without it, nothing is done to the disk.
#[derive(Debug, thiserror::Error)]
#[error("could not {action} the journal {path}: {source}", path = path.display())]
pub struct LedgerError {
    /// What was tried.
    pub action: &'static str,
    /// Which journal.
    pub path: PathBuf,
    /// Why it failed.
    pub source: std::io::Error,
}

/// Where a job writes ahead what it is about to do.
pub trait Ledger {
    /// Steps are about to act: durable when it returns. What was ended before is durable then, too.
    fn begin(&mut self, steps: &[Began]) -> Result<(), LedgerError>;

    /// Steps ended. May be lost in a crash: the disk shows how they ended.
    fn end(&mut self, steps: &[Ended]) -> Result<(), LedgerError>;

    /// The job is done: durable when it returns.
    fn finish(&mut self, finished: &Finished) -> Result<(), LedgerError>;
}

/// Where a step stands by the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepState {
    /// Not yet begun.
    Pending,
    /// Begun, and the journal does not say how it ended.
    Open(Option<PathBuf>),
    /// It happened, and led there.
    Done(Option<PathBuf>),
    /// Left out.
    Skipped(String),
    /// Failed.
    Failed(String),
}

/// A job as far as it got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// The job.
    pub job: Job,
    /// When its folders had changed before it.
    pub folders_before: Vec<FolderTime>,
    /// Each step.
    pub steps: Vec<StepState>,
    /// When its folders had changed once it was done; absent while it is not.
    pub folders_after: Option<Vec<FolderTime>>,
}

impl History {
    /// A job that did nothing yet.
    pub fn new(started: Started) -> Self {
        let steps = vec![StepState::Pending; started.job.steps.len()];
        Self { job: started.job, folders_before: started.folders, steps, folders_after: None }
    }

    /// Adds what a journal says next. A record about a step that the job does not have is no record of it.
    pub fn apply(&mut self, record: &Record) {
        match record {
            Record::Started(_) => {}
            Record::Began(began) => {
                if let Some(state) = self.steps.get_mut(began.step) {
                    *state = StepState::Open(began.to.clone());
                }
            }
            Record::Ended(ended) => {
                if let Some(state) = self.steps.get_mut(ended.step) {
                    let to = match state {
                        StepState::Open(to) => to.take(),
                        _ => None,
                    };
                    *state = match &ended.outcome {
                        Outcome::Done(_) => StepState::Done(to),
                        Outcome::Skipped(skipped) => StepState::Skipped(skipped.reason.clone()),
                        Outcome::Failed(failed) => StepState::Failed(failed.reason.clone()),
                    };
                }
            }
            Record::Finished(finished) => self.folders_after = Some(finished.folders.clone()),
        }
    }

    /// Whether nothing of it is left to do.
    pub fn is_finished(&self) -> bool {
        self.folders_after.is_some()
    }

    /// Steps that happened.
    pub fn done(&self) -> usize {
        self.steps.iter().filter(|state| matches!(state, StepState::Done(_))).count()
    }
}
