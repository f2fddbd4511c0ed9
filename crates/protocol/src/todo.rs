//! The to-do list of a task: steps with states, put down by its planner and shown as progress.

use crate::CallId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The planner put down its steps, or moved on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TodoChanged {
    /// The call that did.
    pub call: CallId,
    /// All steps, in their order.
    pub steps: Vec<TodoStep>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TodoStep {
    /// What is to be done, in a few words.
    pub title: String,
    /// How far it is.
    pub state: TodoState,
}

/// How far a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TodoState {
    /// Still to come.
    Pending,
    /// Being worked on.
    Active,
    /// Done.
    Done,
    /// Not to be done after all.
    Dropped,
}

/// How far the list is, for lists of tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TodoProgress {
    /// Steps that are done.
    pub done: u32,
    /// Steps, less those that were dropped.
    pub total: u32,
    /// The step that is being worked on.
    #[serde(default)]
    pub current: Option<String>,
}

impl TodoProgress {
    /// How far these steps are; nothing where there are none.
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
