//! Journals undo and redo in the task whose call made the changes and in the tasks above it, so that every one of them
//! shows what is still in effect, wherever the undo was started.

use super::Undoing;
use super::executed::Executed;
use crate::host::HostError;
use crate::lineage::above;
use deputy_protocol::{
    CallId, ErrorBody, JobReport, Redone, TaskEvent, TaskId, TaskState, UndoCommand, Undone, UndoneFile,
    UndoneOutcome, UndoneRepository,
};
use deputy_tools::has_earlier_state;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The direction: undo or redo.
#[derive(Clone, Copy)]
pub(super) enum Direction {
    Undo,
    Redo,
}

/// What was undone or redone of one task and its sub-tasks.
struct Part {
    files: Vec<UndoneFile>,
    repositories: Vec<UndoneRepository>,
    jobs: Vec<JobReport>,
}

impl Undoing {
    /// Journals the undo or redo of a plan that was started for the plan alone. Does nothing if nothing was done.
    pub(super) async fn note_job(&self, report: &JobReport) -> Result<(), ErrorBody> {
        if report.undoes.is_none() || report.done == 0 {
            return Ok(());
        }
        let Some(plan) = self.jobs.plan(&report.job)? else { return Ok(()) };
        let is_redo = plan.turns.iter().any(|turn| turn.is_redo && turn.job.id == report.job.as_str());
        let direction = if is_redo { Direction::Redo } else { Direction::Undo };
        let outcome = UndoneOutcome { jobs: vec![report.clone()], applied: true, ..UndoneOutcome::default() };
        self.note(None, &outcome, direction).await
    }

    /// Journals what was undone or redone, in all affected tasks. `named` is the task whose plans were undone, if a task
    /// was named.
    pub(super) async fn note(
        &self,
        named: Option<&TaskId>,
        outcome: &UndoneOutcome,
        direction: Direction,
    ) -> Result<(), ErrorBody> {
        let mut jobs = Vec::new();
        for report in &outcome.jobs {
            // Older journals of jobs do not name the call.
            let owner = self.jobs.task_of(&report.job)?.or_else(|| named.cloned());
            jobs.extend(owner.map(|owner| (owner, report)));
        }
        let files: Vec<_> = outcome.files.iter().filter_map(|file| Some((file.call.task()?, file))).collect();
        let of_repositories: Vec<TaskId> = outcome
            .repositories
            .iter()
            .flat_map(|repository| &repository.calls)
            .filter_map(CallId::task)
            .collect();
        let owners: BTreeSet<&TaskId> = jobs
            .iter()
            .map(|(owner, _)| owner)
            .chain(files.iter().map(|(owner, _)| owner))
            .chain(&of_repositories)
            .collect();
        // Sub-tasks come before the tasks above them, whose journals count what theirs say.
        let mut affected = BTreeSet::new();
        for owner in owners {
            let Some(task) = self.core.store.task(owner).map_err(HostError::from)? else { continue };
            let above = above(&self.core, task.parent.as_deref()).map_err(HostError::from)?;
            let chain = std::iter::once(task.id).chain(above.into_iter().map(|task| task.id));
            let chain: Vec<TaskId> = chain.collect();
            let depths = (0..chain.len()).rev().map(Reverse);
            affected.extend(depths.zip(chain));
        }
        for (_, task) in affected {
            let all = self.reached(&UndoCommand::all(task.clone()))?;
            let is_its = |owner: &TaskId| all.iter().any(|reached| reached.task == *owner);
            let own_files = files.iter().filter(|(owner, _)| is_its(owner)).map(|(_, file)| (*file).clone());
            let own_jobs = jobs.iter().filter(|(owner, _)| is_its(owner)).map(|(_, job)| (*job).clone());
            let own_calls = |repository: &UndoneRepository| {
                let is_own = |call: &&CallId| call.task().is_some_and(|owner| is_its(&owner));
                let calls: Vec<CallId> = repository.calls.iter().filter(is_own).cloned().collect();
                (!calls.is_empty()).then(|| UndoneRepository { calls, ..repository.clone() })
            };
            let part = Part {
                files: own_files.collect(),
                repositories: outcome.repositories.iter().filter_map(own_calls).collect(),
                jobs: own_jobs.collect(),
            };
            self.append(&task, &all, part, direction).await?;
        }
        Ok(())
    }

    /// Returns the number of changes of a task's own calls that a redo of repositories made again.
    fn recorded_changes(&self, task: &TaskId, repositories: &[UndoneRepository]) -> Result<usize, ErrorBody> {
        let calls = repositories.iter().flat_map(|repository| &repository.calls);
        let own = calls.filter(|call| call.task().as_ref() == Some(task)).cloned().collect();
        let recorded = self.recorded(&own)?.into_iter().flat_map(|(call, recorded)| {
            let executed = move |change| Executed { seq: recorded.seq, call: call.clone(), change };
            recorded.changes.into_iter().map(executed)
        });
        Ok(recorded.filter(|one| is_covered(one, repositories)).count())
    }

    /// Journals what was undone or redone in one task, and how much can still be undone.
    async fn append(
        &self,
        task: &TaskId,
        all: &[UndoCommand],
        Part { files, repositories, jobs }: Part,
        direction: Direction,
    ) -> Result<(), ErrorBody> {
        // The journals of the sub-tasks already contain this operation; the task's own journal does not yet.
        let is_told =
            |file: &&UndoneFile| all[1..].iter().any(|part| Some(&part.task) == file.call.task().as_ref());
        let mut now = files.iter().filter(|file| file.restored && !is_told(file)).count();
        let mut changes = 0;
        for undo in all {
            let mut executed = self.executed(undo)?;
            executed.retain(|one| has_earlier_state(&one.change));
            changes += executed.len();
            if undo.task == *task && matches!(direction, Direction::Undo) {
                now += executed.iter().filter(|one| is_covered(one, &repositories)).count();
            }
        }
        if matches!(direction, Direction::Redo) {
            now += self.recorded_changes(task, &repositories)?;
        }
        changes = match direction {
            Direction::Undo => changes.saturating_sub(now),
            Direction::Redo => changes + now,
        };
        let left = (changes + self.jobs.standing_of(all)?.len()) as u64;
        let operations = jobs.iter().map(|job| job.done).sum();
        let mut undos = self.redoable(task)?;
        let event = match direction {
            Direction::Undo => {
                let jobs = jobs.into_iter().map(|job| job.job).collect();
                let undone =
                    Undone { files, repositories, operations, jobs, left: Some(left), can_redo: None };
                let can_redo = Some(undone.did_something() || !undos.is_empty());
                TaskEvent::Undone(Undone { can_redo, ..undone })
            }
            Direction::Redo => {
                let jobs = jobs.into_iter().filter_map(|job| job.undoes).collect();
                let redone = Redone { files, repositories, operations, jobs, left, can_redo: None };
                redone.settle(&mut undos);
                TaskEvent::Redone(Redone { can_redo: Some(!undos.is_empty()), ..redone })
            }
        };
        let appended = self.core.store.append(task, self.core.now_ms(), vec![event]).await;
        let summary = self.core.store.task(task).map_err(HostError::from)?;
        // A task that waits tells its planner.
        let is_open = summary.is_some_and(|task| !matches!(task.state, TaskState::Stopped(_)));
        for record in appended.map_err(HostError::from)?.into_iter().filter(|_| is_open) {
            self.drivers.journalled(record).await;
        }
        Ok(())
    }
}

fn is_covered(change: &Executed, repositories: &[UndoneRepository]) -> bool {
    repositories.iter().any(|repository| change.is_of(repository))
}
