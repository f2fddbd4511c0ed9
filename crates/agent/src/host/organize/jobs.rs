//! The list of jobs for clients: newest first, with the details that a decision needs. Reads the journals of the jobs,
//! and changes nothing.

use super::{aside, count, organize_home};
use crate::core::Core;
use deputy_messages::agent as say;
use deputy_organize::{JobState, JobSummary, Jobs, JobsError, StepState};
use deputy_protocol::{
    Answers, ErrorBody, ErrorCode, JobId, JobInfo, JobStanding, JobsAnswer, JobsQuery, PathNote,
};
use deputy_tools::OrganizeHome;
use std::path::Path;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

/// The maximum number of jobs that are listed.
const MOST_JOBS: usize = 200;
/// The maximum number of skipped steps that are reported individually.
const MOST_LEFT_OUT: usize = 50;

/// Lists jobs.
pub(in crate::host) struct JobList {
    pub(in crate::host) core: Arc<Core>,
}

impl Answers<JobsQuery> for JobList {
    async fn answer(&self, query: JobsQuery) -> Result<JobsAnswer, ErrorBody> {
        let home = organize_home(&self.core);
        aside(say::listing_jobs_broke_off, move || {
            let jobs = home.jobs().map_err(failed)?;
            let found = match query.call.as_ref().map(OrganizeHome::job_of) {
                Some(id) => jobs.find(&id).map_err(failed)?.into_iter().collect(),
                None => jobs.list(MOST_JOBS).map_err(failed)?,
            };
            let is_wanted = query.call.is_some();
            let told = found.iter().map(|found| info(&jobs, found, is_wanted));
            Ok(JobsAnswer { jobs: told.collect::<Result<_, _>>()? })
        })
        .await
    }
}

pub(super) fn failed(error: JobsError) -> ErrorBody {
    let code = match &error {
        JobsError::Unknown(_) => ErrorCode::UnknownJob,
        JobsError::Overlap { .. } => ErrorCode::JobOverlaps,
        JobsError::AlreadyUndone { .. } => ErrorCode::JobUndone,
        _ => ErrorCode::Job,
    };
    ErrorBody::new(code, deputy_messages::sentence(error), say::deputy_jobs_lists_them())
}

/// Returns a job for the list. Its journal, which has what was left out and why it stopped, is only read if a person
/// has to decide about it.
fn info(jobs: &Jobs, found: &JobSummary, is_wanted: bool) -> Result<JobInfo, ErrorBody> {
    let (state, undone_by) = match &found.state {
        JobState::Running => (JobStanding::Running, None),
        JobState::Interrupted => (JobStanding::Interrupted, None),
        JobState::Done => (JobStanding::Done, None),
        JobState::Undone(by) => (JobStanding::Undone, Some(JobId::new(by))),
        JobState::Damaged => (JobStanding::Damaged, None),
    };
    let mut left_out = Vec::new();
    let mut stopped = None;
    if (is_wanted || state == JobStanding::Interrupted)
        && let Some(history) = jobs.history(&found.id).map_err(failed)?
    {
        for (step, state) in history.job.steps.iter().zip(history.steps) {
            let note = |reason| PathNote { path: text(step.act.path()), reason };
            match state {
                StepState::Skipped(reason) if left_out.len() < MOST_LEFT_OUT => left_out.push(note(reason)),
                StepState::Failed(_, reason) => stopped = Some(note(reason)),
                _ => {}
            }
        }
    }
    let began = found.began.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(JobInfo {
        job: JobId::new(&found.id),
        state,
        undone_by,
        undoes: found.undoes.as_ref().map(JobId::new),
        scope: found.scope.iter().map(|folder| text(folder)).collect(),
        done: count(found.done),
        steps: count(found.steps),
        began_at_ms: i64::try_from(began.as_millis()).unwrap_or(i64::MAX),
        left_out,
        left_out_count: count(found.skipped),
        stopped,
    })
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
