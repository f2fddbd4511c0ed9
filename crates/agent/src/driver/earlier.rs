//! The earlier tasks of the conversation. Phrases such as `them`, `the same` and `undo that` refer to them.

use crate::core::Core;
use deputy_protocol::{CallStatus, EarlierTask, TaskEvent, TaskId, TaskSpec, TaskState};
use deputy_store::StoreError;
use deputy_tools::organize::{OrganizeHome, is_submit};
use std::collections::HashSet;

/// The maximum number of earlier tasks that are mentioned.
const MOST: u32 = 12;
/// The maximum number of events of a task that are examined.
const MOST_EVENTS: u32 = 1_000;
/// The maximum number of changed files that are named.
const MOST_FILES: usize = 50;

/// Returns the tasks before this one. If they cannot be read, the plan is made without them.
pub(super) fn tasks(core: &Core, spec: &TaskSpec) -> Vec<EarlierTask> {
    let found = core.store.tasks_before(&spec.session, &spec.id, MOST).and_then(|found| {
        let told = found.into_iter().map(|task| {
            let (reason, summary) = match task.state {
                TaskState::Stopped(stopped) => (Some(stopped.reason), Some(stopped.summary.into())),
                _ => (None, None),
            };
            let (jobs, changed_files) = deeds(core, &task.id)?;
            let created_at_ms = task.created_at_ms;
            Ok(EarlierTask {
                id: task.id,
                goal: task.goal,
                reason,
                summary,
                changed_files,
                created_at_ms,
                jobs,
            })
        });
        told.collect()
    });
    found.unwrap_or_else(|error: StoreError| {
        tracing::warn!("the conversation so far cannot be read, the plan goes without: {error}");
        Vec::new()
    })
}

/// Returns the jobs of plans that a task submitted and that were carried out, and the files that it changed.
fn deeds(core: &Core, task: &TaskId) -> Result<(Vec<String>, Vec<String>), StoreError> {
    let (mut submits, mut jobs, mut files) = (HashSet::new(), Vec::new(), Vec::new());
    for record in core.store.task_events(task, 0, MOST_EVENTS)? {
        match record.event {
            TaskEvent::Planned(planned) => {
                let submitted = planned.plan.tool_calls.into_iter().filter(is_submit);
                submits.extend(submitted.map(|call| call.id));
            }
            TaskEvent::FileKept(kept) if files.len() < MOST_FILES && !files.contains(&kept.change.path) => {
                files.push(kept.change.path);
            }
            TaskEvent::ToolFinished(finished)
                if finished.result.status == CallStatus::Ok && submits.remove(&finished.call) =>
            {
                jobs.push(OrganizeHome::job_of(&finished.call));
            }
            _ => {}
        }
    }
    Ok((jobs, files))
}
