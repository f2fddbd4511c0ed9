//! The to-do list of a task: steps with states that the planner writes and screens show as progress.

use crate::CallId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The planner wrote or updated its to-do list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TodoChanged {
    /// The call that changed the list.
    pub call: CallId,
    /// All steps, in order.
    pub steps: Vec<TodoStep>,
}

/// A step of a to-do list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TodoStep {
    /// What has to be done, in a few words.
    pub title: String,
    /// The state of the step.
    pub state: TodoState,
}

/// The state of a step of a to-do list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TodoState {
    /// The step has not been started.
    Pending,
    /// The step is in progress.
    Active,
    /// The step is done.
    Done,
    /// The step is no longer needed.
    Dropped,
}

/// The progress of a to-do list, as shown in lists of tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TodoProgress {
    /// The number of steps that are done.
    pub done: u32,
    /// The number of steps, without those that were dropped.
    pub total: u32,
    /// The title of the step that is in progress. Absent if there is none.
    #[serde(default)]
    pub current: Option<String>,
}

impl TodoProgress {
    /// Returns the progress of these steps. `None` if there are no steps, or all were dropped.
    pub fn of(steps: &[TodoStep]) -> Option<Self> {
        let count = |wanted: &dyn Fn(TodoState) -> bool| {
            u32::try_from(steps.iter().filter(|step| wanted(step.state)).count()).unwrap_or(u32::MAX)
        };
        let total = count(&|state| state != TodoState::Dropped);
        let current =
            steps.iter().find(|step| step.state == TodoState::Active).map(|step| step.title.clone());
        (total > 0).then(|| Self { done: count(&|state| state == TodoState::Done), total, current })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_counts_what_is_to_be_done_and_names_what_is_being_done() {
        let step = |title: &str, state| TodoStep { title: title.to_owned(), state };
        assert_eq!(TodoProgress::of(&[]), None);
        assert_eq!(TodoProgress::of(&[step("a", TodoState::Dropped)]), None);
        let steps = [
            step("a", TodoState::Done),
            step("b", TodoState::Dropped),
            step("c", TodoState::Active),
            step("d", TodoState::Pending),
        ];
        let progress = TodoProgress { done: 1, total: 3, current: Some("c".into()) };
        assert_eq!(TodoProgress::of(&steps), Some(progress));
    }
}
