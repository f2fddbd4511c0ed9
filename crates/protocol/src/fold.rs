//! A task's summary, kept up to date with its journal. The store's tables and every screen use this module.

use crate::{
    Created, EventRecord, QueueRank, TaskEvent, TaskState, TaskStatus, TaskSummary, TaskUpdate, TodoProgress,
};

/// A task's summary and status, kept up to date with its journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskFold {
    summary: TaskSummary,
    status: TaskStatus,
}

impl TaskFold {
    /// Creates a new task. Its `Created` event has to be applied like any other event.
    pub fn new(Created { spec, .. }: &Created, at_ms: i64) -> Self {
        let summary = TaskSummary {
            id: spec.id.clone(),
            session: spec.session.clone(),
            goal: spec.goal.clone(),
            profile: spec.profile.clone(),
            backend: spec.backend.clone(),
            workspace: spec.workspace.clone(),
            state: TaskStatus::default().state(),
            tokens: 0,
            model: spec.model.clone(),
            cost_micros: None,
            todo: None,
            created_at_ms: at_ms,
            updated_at_ms: at_ms,
            queue_rank: None,
            title: None,
            archived: false,
            parent: spec.parent.clone().map(Box::new),
        };
        Self { summary, status: TaskStatus::default() }
    }

    /// Creates a task from stored data. A task that has ended does not need a stored status.
    pub fn stored(summary: TaskSummary, status: Option<TaskStatus>) -> Option<Self> {
        let status = match (status, &summary.state) {
            (Some(status), _) => status,
            (None, TaskState::Stopped(stopped)) => TaskStatus::Stopped(stopped.clone()),
            (None, _) => return None,
        };
        Some(Self { summary, status })
    }

    /// Applies an event of this task.
    pub fn apply(&mut self, record: &EventRecord) {
        if record.event.is_of_memory() {
            return;
        }
        let task = &mut self.summary;
        match &record.event {
            // The conversation's title and archive state do not count as activity of the task.
            TaskEvent::Renamed(renamed) => return task.title.clone_from(&renamed.title),
            TaskEvent::Archived(archived) => {
                task.archived = archived.archived;
                return;
            }
            _ => {}
        }
        self.status.apply(&record.event);
        task.state = self.status.state();
        task.updated_at_ms = record.at_ms;
        match &record.event {
            TaskEvent::Planned(planned) => task.spend(planned.usage, planned.cost_micros),
            TaskEvent::PlanFailed(failed) => {
                failed.spent.iter().for_each(|spent| task.spend(spent.usage, spent.cost_micros));
            }
            TaskEvent::Reviewed(reviewed) => task.spend(reviewed.usage, reviewed.cost_micros),
            TaskEvent::Inferred(inferred) => task.spend(inferred.usage, inferred.cost_micros),
            TaskEvent::TodoChanged(changed) => task.todo = TodoProgress::of(&changed.steps),
            TaskEvent::ModelSwitched(switched) => {
                task.backend = switched.backend.clone();
                task.model = switched.model.clone();
            }
            _ => {}
        }
        task.queue_rank = match (&task.state, &record.event) {
            (TaskState::Queued(_), TaskEvent::QueueMoved(moved)) => Some(moved.rank.clone()),
            (TaskState::Queued(_), _) => {
                task.queue_rank.take().or_else(|| Some(QueueRank::of_event(record.seq)))
            }
            _ => None,
        };
    }

    /// Returns the task as shown in lists.
    pub fn summary(&self) -> &TaskSummary {
        &self.summary
    }

    /// Returns the current status of the task.
    pub fn status(&self) -> &TaskStatus {
        &self.status
    }

    /// Returns the update that screens receive after an event.
    pub fn update(&self) -> TaskUpdate {
        self.summary.update()
    }
}

impl TaskSummary {
    /// Returns the parts of the summary that change with events.
    pub fn update(&self) -> TaskUpdate {
        TaskUpdate {
            state: self.state.clone(),
            tokens: self.tokens,
            backend: self.backend.clone(),
            model: self.model.clone(),
            cost_micros: self.cost_micros,
            todo: self.todo.clone(),
            updated_at_ms: self.updated_at_ms,
            queue_rank: self.queue_rank.clone(),
            title: self.title.clone(),
            archived: self.archived,
        }
    }
}
