//! The list of executed plans for clients: newest first, with the details that a decision needs. Reads the journals of the jobs,
//! and changes nothing.

use super::{aside, count, organize_home};
use crate::core::Core;
use deputy_messages::agent as say;
use deputy_organize::{JobState, JobSummary, Jobs, JobsError, PlanSummary, StepState, Turn};
use deputy_protocol::{
    Answers, ErrorBody, ErrorCode, JobId, JobInfo, JobStanding, JobTurn, JobsAnswer, JobsQuery, PathNote,
    TurnKind,
};
use deputy_tools::OrganizeHome;
use std::path::Path;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

/// The maximum number of plans that are listed.
const MOST_JOBS: usize = 200;
/// The maximum number of turns of a plan that are listed.
const MOST_TURNS: usize = 20;
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
                Some(id) => jobs.plan(&id).map_err(failed)?.into_iter().collect(),
                None => jobs.plans(MOST_JOBS).map_err(failed)?,
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

/// Returns a plan for the list. The journal of its last turn, which has what was left out and why it stopped, is only
/// read if a person has to decide about it.
fn info(jobs: &Jobs, plan: &PlanSummary, is_wanted: bool) -> Result<JobInfo, ErrorBody> {
    let (latest, state) = (plan.latest(), standing(plan.state()));
    let undone_by = match &plan.job.state {
        JobState::Undone(by) | JobState::PartlyUndone(by) => Some(JobId::new(by)),
        _ => None,
    };
    let mut left_out = Vec::new();
    let mut stopped = None;
    if (is_wanted || state == JobStanding::Interrupted)
        && let Some(history) = jobs.history(&latest.id).map_err(failed)?
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
    let later = plan.turns.iter().map(|Turn { is_redo, job }| match is_redo {
        true => turn(TurnKind::Redo, job),
        false => turn(TurnKind::Undo, job),
    });
    let turns: Vec<JobTurn> = std::iter::once(turn(TurnKind::Execute, &plan.job)).chain(later).collect();
    Ok(JobInfo {
        job: JobId::new(&plan.job.id),
        state,
        undone_by,
        scope: plan.job.scope.iter().map(|folder| text(folder)).collect(),
        turns: turns[turns.len().saturating_sub(MOST_TURNS)..].to_vec(),
        left_out,
        left_out_count: count(latest.skipped),
        stopped,
    })
}

fn standing(state: &JobState) -> JobStanding {
    match state {
        JobState::Running => JobStanding::Running,
        JobState::Interrupted => JobStanding::Interrupted,
        JobState::Done => JobStanding::Done,
        JobState::PartlyUndone(_) => JobStanding::PartlyUndone,
        JobState::Undone(_) => JobStanding::Undone,
        JobState::Damaged => JobStanding::Damaged,
    }
}

fn turn(turn: TurnKind, job: &JobSummary) -> JobTurn {
    let began = job.began.duration_since(UNIX_EPOCH).unwrap_or_default();
    JobTurn {
        job: JobId::new(&job.id),
        turn,
        done: count(job.done),
        steps: count(job.steps),
        began_at_ms: i64::try_from(began.as_millis()).unwrap_or(i64::MAX),
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
