//! Jobs for screens: listed, gone on with, taken back. Each works on the jobs' own journals, whose locks keep two
//! processes from one job.

use super::{aside, count};
use crate::host::Host;
use deputy_organize::{ConflictChoice, Control, JobState, JobSummary, JobsError, OpenJob, StepState};
use deputy_protocol::{
    ErrorBody, JobInfo, JobOutcome, JobStanding, JobsAnswer, JobsQuery, OnConflict, PathNote,
    ResumeJobCommand, UndoJobCommand,
};
use deputy_tools::OrganizeHome;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Jobs that are listed.
const MOST_JOBS: usize = 200;
/// Steps that were left out and are told one by one.
const MOST_LEFT_OUT: usize = 50;
/// Conflicts that are told one by one.
const MOST_CONFLICTS: usize = 200;

impl Host {
    /// Jobs, newest first.
    pub(in crate::host) async fn jobs(&self, query: JobsQuery) -> Result<JobsAnswer, ErrorBody> {
        let home = self.organize_home();
        aside("listing the jobs", move || {
            let wanted = query.call.as_ref().map(OrganizeHome::job_of);
            let found = home.jobs().and_then(|jobs| jobs.list()).map_err(failed)?;
            let meant = found
                .iter()
                .filter(|found| wanted.as_ref().is_none_or(|id| found.history.job.id == *id))
                .take(MOST_JOBS);
            Ok(JobsAnswer { jobs: meant.map(info).collect() })
        })
        .await
    }

    /// Goes on with a job; returns once it is at work.
    pub(in crate::host) async fn resume_job(
        &self,
        resume: ResumeJobCommand,
    ) -> Result<JobOutcome, ErrorBody> {
        let home = self.organize_home();
        let opened = aside("opening the job", move || {
            home.jobs().and_then(|jobs| jobs.resume(&resume.job)).map_err(failed)
        });
        let outcome = self.carry_out(opened.await?, resume.skip);
        Ok(outcome)
    }

    /// Takes a job back; returns once that is at work, or with what stands against it.
    pub(in crate::host) async fn undo_job(&self, undo: UndoJobCommand) -> Result<JobOutcome, ErrorBody> {
        let home = self.organize_home();
        let found = aside("taking the job back", move || {
            let choice = match undo.on_conflict {
                OnConflict::Skip | OnConflict::Abort => ConflictChoice::Skip,
                OnConflict::KeepBoth => ConflictChoice::KeepBoth,
            };
            let jobs = home.jobs().map_err(failed)?;
            let reversal = jobs.reverse(&undo.job, choice).map_err(failed)?;
            let conflicts = reversal.conflicts.iter().take(MOST_CONFLICTS).map(|conflict| PathNote {
                path: text(&conflict.path),
                reason: conflict.reason.text().to_owned(),
            });
            let told = JobOutcome {
                job: None,
                steps: count(reversal.job.steps.len()),
                conflicts: conflicts.collect(),
                conflict_count: count(reversal.conflicts.len()),
            };
            let is_off = undo.on_conflict == OnConflict::Abort && !reversal.conflicts.is_empty();
            if undo.dry_run || is_off {
                return Ok((told, None));
            }
            Ok((told, Some(jobs.start(reversal.job).map_err(failed)?)))
        });
        match found.await? {
            (told, None) => Ok(told),
            (told, Some(opened)) => Ok(JobOutcome { job: self.carry_out(opened, false).job, ..told }),
        }
    }

    /// Has what is left of a job done by itself. A host that ends leaves it as it stands, to be gone on with.
    fn carry_out(&self, mut opened: OpenJob, skip_failed: bool) -> JobOutcome {
        let id = opened.history().job.id.clone();
        let steps = count(opened.history().steps.len());
        let (end, told) = (self.end.clone(), id.clone());
        self.at_work.spawn_blocking(move || {
            let is_cancelled = || end.is_cancelled();
            let mut control = Control { is_cancelled: &is_cancelled, progress: &mut |_, _| {}, skip_failed };
            if let Err(error) = opened.run(&mut control) {
                tracing::error!("the job {told} broke off: {error}");
            }
        });
        JobOutcome { job: Some(id), steps, conflicts: Vec::new(), conflict_count: 0 }
    }
}

fn failed(error: JobsError) -> ErrorBody {
    let code = match &error {
        JobsError::Unknown(_) => "unknown_job",
        JobsError::Overlap { .. } => "job_overlaps",
        JobsError::AlreadyUndone { .. } => "job_undone",
        _ => "job",
    };
    ErrorBody::new(code, format!("{error}."), "`deputy jobs` lists them.")
}

fn info(found: &JobSummary) -> JobInfo {
    let history = &found.history;
    let (state, undone_by) = match &found.state {
        JobState::Running => (JobStanding::Running, None),
        JobState::Interrupted => (JobStanding::Interrupted, None),
        JobState::Done => (JobStanding::Done, None),
        JobState::Undone(by) => (JobStanding::Undone, Some(by.clone())),
        JobState::Damaged => (JobStanding::Damaged, None),
    };
    let mut left_out = Vec::new();
    let mut stopped = None;
    for (step, state) in history.job.steps.iter().zip(&history.steps) {
        let note = |reason: &String| PathNote { path: text(step.act.path()), reason: reason.clone() };
        match state {
            StepState::Skipped(reason) => left_out.push(note(reason)),
            StepState::Failed(_, reason) => stopped = Some(note(reason)),
            StepState::Pending | StepState::Open(_) | StepState::Done(_) => {}
        }
    }
    let left_out_count = count(left_out.len());
    left_out.truncate(MOST_LEFT_OUT);
    let began = found.began.duration_since(UNIX_EPOCH).unwrap_or_default();
    JobInfo {
        job: history.job.id.clone(),
        state,
        undone_by,
        undoes: history.job.undoes.clone(),
        scope: history.job.scope.iter().map(|folder| text(folder)).collect(),
        done: count(history.done()),
        steps: count(history.steps.len()),
        began_at_ms: i64::try_from(began.as_millis()).unwrap_or(i64::MAX),
        left_out,
        left_out_count,
        stopped,
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
