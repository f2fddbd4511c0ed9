//! Jobs that a person resumes or undoes by a command. The command counts as the approval, but whatever the current
//! rules, the scope of the job or the protection of system folders deny is still refused.

use super::{OrganizeHome, facts, progress};
use crate::tool::JobSink;
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use deputy_organize::{
    ConflictChoice, Control, History, Job, JobState, JobSummary, Jobs, JobsError, OpenJob, Reversal,
    RunError, StepState, Stop,
};
use deputy_protocol::{
    CallId, Facts, JobConflict, JobId, JobReport, OnConflict, OperationId, ResumeJobCommand,
    SkippedOperation, UndoJobCommand,
};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The maximum number of entries of one kind in a report, which must fit into a message. The rest is counted.
const MOST_TOLD: usize = 500;

/// Fails with the reasons if policy denies what a job would touch in these folders.
pub type Judge<'a> = dyn Fn(&[PathBuf], &Facts) -> Result<(), Phrase> + 'a;

/// The callbacks that decide about a job, cancel it and report on it.
pub struct ByHand<'a> {
    /// The current policy.
    pub judge: &'a Judge<'a>,
    /// Called before each step.
    pub is_cancelled: &'a dyn Fn() -> bool,
    /// Receives the progress of the job.
    pub job: JobSink,
}

/// Why a job was neither resumed nor undone. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum ByHandError {
    /// The jobs, or this job, cannot be used.
    Jobs(#[from] JobsError),
    /// The job could not run at all.
    Run(#[from] RunError),
    /// Policy denies what the job would do.
    Denied {
        /// The job.
        job: String,
        /// What is denied, and by which rule.
        reason: Phrase,
    },
}

impl ByHandError {
    /// Returns the message for people.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Jobs(error) => error.phrase(),
            Self::Run(error) => error.phrase(),
            Self::Denied { job, reason } => say::denied_job(job, reason),
        }
    }
}

deputy_messages::said_by_phrase!(ByHandError);

impl OrganizeHome {
    /// Resumes a job that was stopped or interrupted. The id of a plan's job also means an undo or redo of the plan that
    /// was interrupted.
    pub fn resume_job(&self, command: &ResumeJobCommand, by: &ByHand<'_>) -> Result<JobReport, ByHandError> {
        let (jobs, named) = (self.jobs()?, command.job.as_str());
        let unknown = || JobsError::Unknown(named.to_owned());
        let plan = jobs.plan(named)?.ok_or_else(unknown)?;
        let is_latest_meant = plan.job.id == named && *plan.state() == JobState::Interrupted;
        let id = if is_latest_meant { plan.latest().id.as_str() } else { named };
        if let JobState::Undone(other) = jobs.find(id)?.ok_or_else(unknown)?.state {
            return Err(JobsError::AlreadyUndone { id: id.to_owned(), by: other }.into());
        }
        let history = jobs.history(id)?.ok_or_else(unknown)?;
        let is_left = |index: usize| !matches!(history.steps[index], StepState::Done(_));
        self.may(&history.job, is_left, &facts::left_of(&history), by)?;
        let mut job = jobs.resume(id)?;
        let report = run(&mut job, command.skip, by)?;
        let is_whole = report.stopped.is_none() && report.skipped.is_empty();
        Ok(JobReport { is_whole, ..report })
    }

    /// Undoes a job, or returns what undoing it would do.
    pub fn undo_job(&self, command: &UndoJobCommand, by: &ByHand<'_>) -> Result<JobReport, ByHandError> {
        let (jobs, id) = (self.jobs()?, command.job.as_str());
        let choice = match command.on_conflict {
            OnConflict::Skip | OnConflict::Abort => ConflictChoice::Skip,
            OnConflict::KeepBoth => ConflictChoice::KeepBoth,
        };
        let reversal = jobs.reverse(id, choice)?;
        self.may(&reversal.job, |_| true, &facts::reversal(id, &reversal), by)?;
        let (conflicts, more_conflicts) = conflicts(&reversal);
        let is_aborted = command.on_conflict == OnConflict::Abort && !conflicts.is_empty();
        if command.dry_run || is_aborted {
            let nothing = || say::in_the_way();
            let stopped = is_aborted.then(nothing);
            return Ok(JobReport {
                job: command.job.clone(),
                undoes: None,
                done: 0,
                steps: reversal.job.steps.len() as u64,
                skipped: Vec::new(),
                more_skipped: 0,
                stopped,
                is_whole: conflicts.is_empty(),
                conflicts,
                more_conflicts,
            });
        }
        let mut job = jobs.start(reversal.job)?;
        let report = run(&mut job, false, by)?;
        let is_whole = report.stopped.is_none() && is_taken_back(&jobs, id)?;
        Ok(JobReport { conflicts, more_conflicts, is_whole, ..report })
    }

    /// Returns the jobs that these calls started and that have not been undone completely, newest first.
    pub fn standing_jobs(&self, calls: &[CallId]) -> Result<Vec<JobId>, JobsError> {
        let stands = |state: &JobState| !matches!(state, JobState::Undone(_) | JobState::Damaged);
        let found = self.started_by(calls)?.into_iter().rev().filter(|job| stands(&job.state));
        Ok(found.map(|job| JobId::new(&job.id)).collect())
    }

    /// Returns the effective undos of jobs that these calls started, in the order of the calls.
    pub fn undos_of(&self, calls: &[CallId]) -> Result<Vec<JobId>, JobsError> {
        let undo = |job: JobSummary| match job.state {
            JobState::Undone(by) | JobState::PartlyUndone(by) => Some(JobId::new(&by)),
            _ => None,
        };
        Ok(self.started_by(calls)?.into_iter().filter_map(undo).collect())
    }

    /// Returns the jobs that these calls started, in the order of the calls.
    fn started_by(&self, calls: &[CallId]) -> Result<Vec<JobSummary>, JobsError> {
        if calls.is_empty() {
            return Ok(Vec::new());
        }
        let mut known: HashMap<String, JobSummary> =
            self.jobs()?.plans(usize::MAX)?.into_iter().map(|plan| (plan.job.id.clone(), plan.job)).collect();
        Ok(calls.iter().filter_map(|call| known.remove(&Self::job_of(call))).collect())
    }

    /// Fails if the job would touch what no job may touch according to current policy.
    fn may(
        &self,
        job: &Job,
        is_meant: impl Fn(usize) -> bool,
        facts: &Facts,
        by: &ByHand<'_>,
    ) -> Result<(), ByHandError> {
        let of = job.undoes.as_ref().unwrap_or(&job.id);
        let denied = |reason| Err(ByHandError::Denied { job: of.clone(), reason });
        let steps = job.steps.iter().enumerate().filter(|(index, _)| is_meant(*index));
        for path in steps.flat_map(|(_, step)| facts::paths(&step.act)) {
            if let Some(reason) = (self.bounds().protected)(path) {
                return denied(Phrase::joined(": ", [path.display().to_string().into(), reason.into()]));
            }
        }
        (by.judge)(&job.scope, facts).or_else(denied)
    }
}

fn is_taken_back(jobs: &Jobs, id: &str) -> Result<bool, JobsError> {
    Ok(jobs.find(id)?.is_some_and(|found| matches!(found.state, JobState::Undone(_))))
}

fn conflicts(reversal: &Reversal) -> (Vec<JobConflict>, u64) {
    let told = reversal.conflicts.iter().map(|conflict| JobConflict {
        operation: OperationId::new(&conflict.operation),
        path: shown(&conflict.path),
        reason: conflict.reason.phrase(),
    });
    bounded(told)
}

fn run(job: &mut OpenJob, skip_failed: bool, by: &ByHand<'_>) -> Result<JobReport, RunError> {
    let mut progress = progress::of(job.history(), &by.job);
    let mut control = Control { is_cancelled: by.is_cancelled, progress: &mut progress, skip_failed };
    let report = job.run(&mut control)?;
    let history = job.history();
    let (skipped, more_skipped) = skipped(history);
    Ok(JobReport {
        job: JobId::new(&history.job.id),
        undoes: history.job.undoes.as_ref().map(JobId::new),
        done: report.done as u64,
        steps: history.steps.len() as u64,
        skipped,
        more_skipped,
        stopped: report.stopped.map(|stop| match stop {
            Stop::Cancelled => say::stopped(),
            Stop::Failed { operation, reason } => say::stopped_at(operation, reason),
        }),
        conflicts: Vec::new(),
        more_conflicts: 0,
        is_whole: false,
    })
}

fn skipped(history: &History) -> (Vec<SkippedOperation>, u64) {
    let steps = history.job.steps.iter().zip(&history.steps);
    let told = steps.filter_map(|(step, state)| match state {
        StepState::Skipped(reason) => Some(SkippedOperation {
            operation: OperationId::new(&step.operation),
            path: shown(step.act.path()),
            reason: reason.clone(),
        }),
        _ => None,
    });
    bounded(told)
}

/// Returns the first [`MOST_TOLD`] entries and the number of the others.
fn bounded<T>(mut all: impl Iterator<Item = T>) -> (Vec<T>, u64) {
    let told = all.by_ref().take(MOST_TOLD).collect();
    (told, all.count() as u64)
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_organize::{Act, Step, TwoPaths};

    /// Regression test: a journal that named system folders used to be enough to change them.
    #[test]
    fn a_job_over_folders_of_the_system_neither_goes_on_nor_is_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let home = OrganizeHome::of(folder.path(), folder.path());
        let paths = TwoPaths { from: "/etc/hostname".into(), to: "/etc/other".into() };
        let step = Step { operation: "o1".to_owned(), act: Act::Move(paths), expects: None, trash: None };
        let job = Job {
            id: "j1".to_owned(),
            scope: vec!["/etc".into()],
            undoes: None,
            call: None,
            if_taken: Default::default(),
            steps: vec![step],
            folders: Vec::new(),
            restore_times: Vec::new(),
        };
        drop(home.jobs().unwrap().start(job).unwrap());
        let by = ByHand { judge: &|_, _| Ok(()), is_cancelled: &|| false, job: std::sync::Arc::new(|_| {}) };
        let resume = ResumeJobCommand { job: JobId::new("j1"), skip: false };
        let error = home.resume_job(&resume, &by).unwrap_err().to_string();
        assert!(error.contains("/etc/hostname: it belongs to the system"), "{error}");
        let history = home.jobs().unwrap().history("j1").unwrap().unwrap();
        assert_eq!(history.steps, [StepState::Pending]);
    }
}
