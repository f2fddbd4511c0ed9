//! Jobs that a person resumes or undoes. The same policy applies as to any call.

use super::jobs::failed;
use super::organize_home;
use crate::core::Core;
use crate::host::drivers::Drivers;
use crate::host::{HostError, each_event};
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_organize::PlanSummary;
use deputy_policy::Situation;
use deputy_protocol::{
    CallId, Decision, ErrorBody, ErrorCode, Facts, JobId, JobReport, OnConflict, ResumeJobCommand, Scope,
    TaskEvent, TaskId, UndoCommand, UndoJobCommand,
};
use deputy_tools::OrganizeHome;
use deputy_tools::organize::{ByHand, ByHandError};
use std::path::PathBuf;
use std::sync::Arc;

/// The maximum number of denied parts of a job that are listed; more would not help to fix the cause.
const MOST_TOLD: usize = 5;

fn told(error: ByHandError) -> ErrorBody {
    let (code, hint) = match error {
        ByHandError::Jobs(error) => return failed(error),
        ByHandError::Denied { .. } => (ErrorCode::Denied, say::lift_what_denies()),
        ByHandError::Run(_) => (ErrorCode::Job, say::deputy_jobs_lists_them()),
    };
    ErrorBody::new(code, deputy_messages::sentence(error), hint)
}

/// Resumes and undoes jobs.
pub(in crate::host) struct JobsByHand {
    pub(in crate::host) core: Arc<Core>,
    pub(in crate::host) drivers: Arc<Drivers>,
}

impl JobsByHand {
    /// Resumes a job.
    pub(in crate::host) async fn resume_job(
        &self,
        command: ResumeJobCommand,
    ) -> Result<JobReport, ErrorBody> {
        self.by_hand(move |home, by| home.resume_job(&command, by)).await
    }

    /// Undoes a job, or reports what that would do.
    pub(in crate::host) async fn undo_job(&self, command: UndoJobCommand) -> Result<JobReport, ErrorBody> {
        self.by_hand(move |home, by| home.undo_job(&command, by)).await
    }

    /// Finds a plan by its job, or by an undo or a redo of it.
    pub(in crate::host) fn plan(&self, job: &JobId) -> Result<Option<PlanSummary>, ErrorBody> {
        let jobs = organize_home(&self.core).jobs().map_err(failed)?;
        jobs.plan(job.as_str()).map_err(failed)
    }

    /// Returns the task whose call started the plan of a job. `None` if a person started it.
    pub(in crate::host) fn task_of(&self, job: &JobId) -> Result<Option<TaskId>, ErrorBody> {
        let call = self.plan(job)?.and_then(|plan| plan.job.call);
        Ok(call.and_then(|call| CallId::new(&call).task()))
    }

    /// Undoes the jobs of a task's calls, newest first. Conflicting files are left in place.
    pub(in crate::host) async fn undo_of(&self, all: &[UndoCommand]) -> Result<Vec<JobReport>, ErrorBody> {
        let mut outcomes = Vec::new();
        let dry_run = all.iter().any(|undo| undo.dry_run);
        for job in self.standing_of(all)? {
            let on_conflict = OnConflict::Skip;
            outcomes.push(self.undo_job(UndoJobCommand { job, dry_run, on_conflict }).await?);
        }
        Ok(outcomes)
    }

    /// Redoes plans by undoing their undos, in this order. A file that has changed since is left in place.
    pub(in crate::host) async fn redo(&self, undos: Vec<JobId>) -> Result<Vec<JobReport>, ErrorBody> {
        let mut outcomes = Vec::new();
        for job in undos {
            let undo = UndoJobCommand { job, dry_run: false, on_conflict: OnConflict::Skip };
            outcomes.push(self.undo_job(undo).await?);
        }
        Ok(outcomes)
    }

    /// Returns the jobs that undid plans of the tasks' calls, in the order of the calls.
    pub(in crate::host) fn undos_of(&self, all: &[UndoCommand]) -> Result<Vec<JobId>, ErrorBody> {
        let calls = self.organizing(all)?;
        organize_home(&self.core).undos_of(&calls).map_err(|error| told(error.into()))
    }

    /// Returns the jobs that the tasks' calls started and that were not undone, newest first.
    pub(in crate::host) fn standing_of(&self, all: &[UndoCommand]) -> Result<Vec<JobId>, ErrorBody> {
        let calls = self.organizing(all)?;
        if calls.is_empty() {
            return Ok(Vec::new());
        }
        organize_home(&self.core).standing_jobs(&calls).map_err(|error| told(error.into()))
    }

    /// Returns the calls of the tasks that could have started a job, oldest first for each task.
    fn organizing(&self, all: &[UndoCommand]) -> Result<Vec<CallId>, ErrorBody> {
        let mut calls = Vec::new();
        for undo in all {
            let is_meant = |id: &CallId| undo.call.as_ref().is_none_or(|call| call == id);
            each_event(&self.core, &undo.task, |record| {
                if let TaskEvent::Planned(planned) = &record.event {
                    let made = planned.plan.tool_calls.iter();
                    let made = made.filter(|call| call.tool == "organize" && is_meant(&call.id));
                    calls.extend(made.map(|call| call.id.clone()));
                }
            })?;
        }
        Ok(calls)
    }

    /// Works on a job in parallel with the tasks. When the host ends, the job stops after its current step.
    async fn by_hand<T: Send + 'static>(
        &self,
        work: impl FnOnce(&OrganizeHome, &ByHand<'_>) -> Result<T, ByHandError> + Send + 'static,
    ) -> Result<T, ErrorBody> {
        let (core, end) = (self.core.clone(), self.drivers.end().clone());
        let work = move || {
            let judge = |folders: &[PathBuf], facts: &Facts| judge(&core, folders, facts);
            let is_cancelled = || end.is_cancelled();
            let job = core.job_sink(None);
            work(&organize_home(&core), &ByHand { judge: &judge, is_cancelled: &is_cancelled, job })
        };
        let done = self.drivers.at_work().spawn_blocking(work).await;
        let done = done.map_err(|error| HostError::Task(say::job_work_broke_off(error)))?;
        done.map_err(told)
    }
}

/// Fails if the current rules, or the built-in minimum, deny what a job would touch. What they would ask about is
/// answered by the command itself.
fn judge(core: &Core, folders: &[PathBuf], facts: &Facts) -> Result<(), Phrase> {
    let Some(workspace) = folders.first() else { return Err(deputy_messages::organize::names_no_folder()) };
    let named = folders.iter().map(|folder| folder.to_string_lossy().into_owned()).collect();
    let grants = core.store.grants(workspace.to_str(), core.now_ms()).map_err(|error| error.to_string())?;
    let situation = Situation {
        roots: folders.to_vec(),
        scope: Scope { write: named, ..Scope::default() },
        ..core.situation(workspace.clone(), grants)
    };
    let verdict = deputy_policy::decide(&situation, facts).verdict;
    if verdict.decision != Decision::Deny {
        return Ok(());
    }
    let denied = verdict.parts.iter().filter(|part| part.decision == Decision::Deny);
    let told = denied.map(|part| Phrase::joined(": ", [part.text.as_str().into(), part.reason.clone()]));
    Err(deputy_messages::series(told.take(MOST_TOLD)))
}
