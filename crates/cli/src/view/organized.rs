//! Whether the last plan that a task submitted for its folders was carried out.

use crate::failure::End;
use deputy_protocol::{CallId, CallStatus, StopReason, TaskEvent};
use deputy_tools::organize::{is_in_full, is_submit};
use std::collections::HashSet;

/// Listens to a task's events for its plans. A task ends as completed when its planner says so, whatever came of them.
#[derive(Debug, Default)]
pub(super) struct Organized {
    submits: HashSet<CallId>,
    /// How a program learns the result of the last one.
    last: Option<End>,
}

impl Organized {
    /// Takes notice of an event.
    pub(super) fn note(&mut self, event: &TaskEvent) {
        match event {
            TaskEvent::Planned(planned) => {
                let submits = planned.plan.tool_calls.iter().filter(|call| is_submit(call));
                self.submits.extend(submits.map(|call| call.id.clone()));
            }
            TaskEvent::ToolFinished(finished) if self.submits.remove(&finished.call) => {
                self.last = Some(match finished.result.status {
                    CallStatus::Denied => End::DeniedOrStopped,
                    _ if is_in_full(&finished.result) => End::Done,
                    _ => End::Failed,
                });
            }
            _ => {}
        }
    }

    /// How a task ended that stopped for `reason`.
    pub(super) fn end_of(&self, reason: StopReason) -> End {
        match reason {
            StopReason::Completed => self.last.unwrap_or(End::Done),
            StopReason::ManualStop | StopReason::Denied => End::DeniedOrStopped,
            StopReason::Error | StopReason::IterationLimit => End::Failed,
            StopReason::NeedsModel => End::NeedsModel,
        }
    }
}
