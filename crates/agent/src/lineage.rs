//! The parent of a sub-task, and the sub-tasks of a task.

use crate::core::Core;
use deputy_protocol::{Grant, Lifetime, ParentCall, TaskId, TaskSpec, TaskState, TaskSummary};
use deputy_store::StoreError;
use std::collections::HashSet;
use std::sync::Arc;

/// Returns the ancestors of a task, the nearest first.
pub(crate) fn above(core: &Core, parent: Option<&ParentCall>) -> Result<Vec<TaskSummary>, StoreError> {
    let mut found: Vec<TaskSummary> = Vec::new();
    let mut next = parent.map(|parent| parent.task.clone());
    while let Some(task) = next {
        let Some(summary) = core.store.task(&task)? else { break };
        next = summary.parent.as_ref().map(|parent| parent.task.clone());
        found.push(summary);
    }
    Ok(found)
}

/// Returns all sub-tasks of a task at all depths, each before its own sub-tasks.
pub(crate) fn below(core: &Core, task: &TaskId) -> Result<Vec<TaskSummary>, StoreError> {
    let mut found = Vec::new();
    for part in core.store.subtasks(task)? {
        let id = part.id.clone();
        found.push(part);
        found.extend(below(core, &id)?);
    }
    Ok(found)
}

/// Returns the other tasks of a task's tree: those that it is a part of, and all their sub-tasks.
pub(crate) fn relatives(core: &Core, spec: &TaskSpec) -> Result<HashSet<TaskId>, StoreError> {
    let above = above(core, spec.parent.as_ref())?;
    let root = above.last().map_or(&spec.id, |root| &root.id);
    let mut tree: HashSet<TaskId> = below(core, root)?.into_iter().map(|task| task.id).collect();
    tree.insert(root.clone());
    tree.remove(&spec.id);
    Ok(tree)
}

/// Returns whether a task has ended.
pub(crate) fn has_ended(task: &TaskSummary) -> bool {
    matches!(task.state, TaskState::Stopped(_))
}

/// The ancestors of a sub-task and their conversations. Answers given for them apply to the sub-task too.
pub(crate) struct Lineage {
    core: Arc<Core>,
    parent: Option<ParentCall>,
}

impl Lineage {
    pub(crate) fn new(core: Arc<Core>, spec: &TaskSpec) -> Self {
        Self { core, parent: spec.parent.clone() }
    }

    /// Converts grants that were given for an ancestor task, or for its conversation, to grants for this task. Grants
    /// for this task do not apply to its ancestors.
    pub(crate) fn inherit(&self, spec: &TaskSpec, grants: &mut [Grant]) -> Result<(), StoreError> {
        if self.parent.is_none() || grants.is_empty() {
            return Ok(());
        }
        let above = above(&self.core, self.parent.as_ref())?;
        for grant in grants {
            match &mut grant.lifetime {
                Lifetime::Task(held) if above.iter().any(|task| task.id == held.task) => {
                    held.task = spec.id.clone();
                }
                Lifetime::Session(held) if above.iter().any(|task| task.session == held.session) => {
                    held.session = spec.session.clone();
                }
                _ => {}
            }
        }
        Ok(())
    }
}
