//! The port to a job's journal, and the history that is read from it.

use crate::job::{Act, FolderTime, Job};
use crate::standing::Fingerprint;
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A line of a job's journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "snake_case")]
pub enum Record {
    /// The job, and how its folders were.
    Started(Started),
    /// A step is about to act.
    Began(Began),
    /// A step has a whole copy, which gets its name next.
    Copied(Copied),
    /// A step ended.
    Ended(Ended),
    /// Another process continues, after the machine was started again.
    Resumed(Resumed),
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
    /// The start of the machine during which it began.
    pub boot: String,
}

/// A step is about to act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Began {
    /// Its index.
    pub step: usize,
    /// Where it leads, where that is not what its act says.
    pub to: Option<PathBuf>,
}

/// A step has a whole copy, durable and read back, which gets its name next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copied {
    /// Its index.
    pub step: usize,
    /// What the copy is recognized by.
    pub copy: Fingerprint,
}

/// Another process continues, after the machine was started again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resumed {
    /// The start of the machine since when it continues.
    pub boot: String,
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
    pub reason: Phrase,
}

/// It failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedStep {
    /// Why.
    pub reason: Phrase,
}

/// The last line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// When its folders have changed, by it.
    pub folders: Vec<FolderTime>,
}

/// Why a journal could not be written or read; without it, nothing is done to the disk.
#[derive(Debug, thiserror::Error)]
pub struct LedgerError {
    /// What was tried.
    pub action: LedgerAction,
    /// Which journal.
    pub path: PathBuf,
    /// Why it failed.
    pub reason: Phrase,
}

/// What was tried on a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LedgerAction {
    /// Begin a new one.
    Create,
    /// Begin one again that was cut off at once.
    Recreate,
    /// Make it durable.
    Sync,
    /// Wait until nobody writes it.
    WaitFor,
    /// Open it.
    Open,
    /// Read it.
    Read,
    /// Drop half a line at its end.
    Repair,
    /// Add to it.
    Write,
}

impl LedgerError {
    pub(crate) fn new(action: LedgerAction, path: &Path, source: impl Into<std::io::Error>) -> Self {
        Self { action, path: path.to_owned(), reason: source.into().to_string().into() }
    }

    /// What it says to people.
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

/// Where a job writes ahead what it is about to do.
pub trait Ledger {
    /// Steps are about to act: durable when it returns. What was ended before is durable then, too.
    fn begin(&mut self, steps: &[Began]) -> Result<(), LedgerError>;

    /// A step has a whole copy: durable when it returns. Only by this is a file at its destination known to be ours.
    fn copied(&mut self, copied: &Copied) -> Result<(), LedgerError>;

    /// Steps ended. May be lost in a crash: the disk shows how they ended.
    fn end(&mut self, steps: &[Ended]) -> Result<(), LedgerError>;

    /// Another process continues after the machine was started again: durable when it returns.
    fn resumed(&mut self, resumed: &Resumed) -> Result<(), LedgerError>;

    /// The job is done: durable when it returns.
    fn finish(&mut self, finished: &Finished) -> Result<(), LedgerError>;
}

/// What a step that began has left in the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Where it leads, where that is not what its act says.
    pub to: Option<PathBuf>,
    /// The copy that it made, if it made one.
    pub copy: Option<Fingerprint>,
}

impl Trace {
    /// Where the step really leads.
    pub fn to<'a>(&'a self, act: &'a Act) -> &'a Path {
        self.to.as_deref().or_else(|| act.destination()).unwrap_or_else(|| act.path())
    }
}

/// The state of a step by the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepState {
    /// Not yet begun.
    Pending,
    /// Begun, and the journal does not say how it ended.
    Open(Trace),
    /// It happened.
    Done(Trace),
    /// Left out, for this reason.
    Skipped(Phrase),
    /// Failed, for this reason.
    Failed(Trace, Phrase),
}

/// A job as far as it got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// The job.
    pub job: Job,
    /// When its folders had changed before it.
    pub folders_before: Vec<FolderTime>,
    /// The last start of the machine during which it continued.
    pub boot: String,
    /// Each step.
    pub steps: Vec<StepState>,
    /// When its folders had changed once it was done; absent while it is not.
    pub folders_after: Option<Vec<FolderTime>>,
}

impl History {
    /// A job that did nothing yet.
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

    /// Adds what a journal says next. A record about a step that the job does not have is not a record of it.
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

    /// Whether nothing of it is left to do.
    pub fn is_finished(&self) -> bool {
        self.folders_after.is_some()
    }

    /// Steps that happened.
    pub fn done(&self) -> usize {
        self.steps.iter().filter(|state| matches!(state, StepState::Done(_))).count()
    }
}
