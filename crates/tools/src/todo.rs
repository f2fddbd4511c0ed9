//! `todo`: the planner's steps with their states. Every screen shows them, and they survive a summary of the
//! conversation.

use crate::parameters::{Parameters, one_action};
use crate::text::{one_line, said};
use crate::tool::{CallContext, InvalidCall, Place, TypedTool};
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_protocol::{
    Access, CallStatus, Effect, Facts, OwnAccess, Risk, TodoProgress, TodoState, TodoStep, ToolCall,
    ToolResult,
};
use schemars::JsonSchema;
use serde::Deserialize;

/// The name of the tool.
pub const TODO: &str = "todo";

/// The maximum number of steps.
const MOST_STEPS: usize = 50;
const TITLE_CHARS: usize = 160;

/// The tool that writes the list of steps.
pub(crate) struct Todo;

/// Parameters of `todo`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TodoCall {
    /// The whole list in order; it replaces the old one.
    steps: Vec<Step>,
}

// A step as a planner writes it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    title: String,
    state: State,
}

// The state of a step. The names describe themselves to the model.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum State {
    Pending,
    Active,
    Done,
    Dropped,
}

one_action!(TodoCall);

impl TodoCall {
    /// Converts the call to the list of steps.
    fn list(&self) -> Vec<TodoStep> {
        let step = |step: &Step| TodoStep {
            title: one_line(step.title.trim(), TITLE_CHARS),
            state: match step.state {
                State::Pending => TodoState::Pending,
                State::Active => TodoState::Active,
                State::Done => TodoState::Done,
                State::Dropped => TodoState::Dropped,
            },
        };
        self.steps.iter().map(step).collect()
    }
}

/// Returns the list of steps in a call. `None` if it is not a valid `todo` call.
pub fn todo_steps(call: &ToolCall) -> Option<Vec<TodoStep>> {
    let is_todo = call.tool == TODO;
    is_todo.then(|| TodoCall::parse(TODO, &call.parameters).ok()).flatten().map(|call| call.list())
}

fn progress_in_words(steps: &[TodoStep]) -> Phrase {
    match TodoProgress::of(steps) {
        Some(TodoProgress { done, total, current: Some(current) }) => {
            say::steps_done_now(current, done, total)
        }
        Some(TodoProgress { done, total, current: None }) => say::steps_done(done, total),
        None => say::no_steps(),
    }
}

impl TypedTool for Todo {
    const NAME: &'static str = TODO;
    type Parameters = TodoCall;

    fn facts(&self, call: &TodoCall, _: &Place) -> Result<Facts, InvalidCall> {
        if call.steps.len() > MOST_STEPS {
            let problem = say::too_many_steps(MOST_STEPS, call.steps.len());
            return Err(InvalidCall::parameter(Self::NAME, "steps", problem));
        }
        if let Some(at) = call.steps.iter().position(|step| step.title.trim().is_empty()) {
            return Err(InvalidCall::parameter(
                Self::NAME,
                &format!("steps[{at}].title"),
                say::expected_words(),
            ));
        }
        Ok(Facts {
            // The call changes only the task's list, and repeating it changes nothing.
            effect: Effect::ReadOnly,
            accesses: vec![Access::Own(OwnAccess { what: "todo".to_owned() })],
            summary: say::todo(progress_in_words(&call.list())),
            diff: None,
            plan: None,
            risk: Risk::Low,
        })
    }

    async fn run(&self, call: TodoCall, _: &CallContext) -> ToolResult {
        said(CallStatus::Ok, progress_in_words(&call.list()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_protocol::CallId;
    use serde_json::{Value, json};

    #[test]
    fn a_list_is_read_from_its_call_and_from_no_other() {
        let steps = json!({"steps": [{"title": " Look\naround ", "state": "done"}, {"title": "Write", "state": "active"}]});
        let call = |tool: &str, parameters: &Value| ToolCall {
            id: CallId::new("c"),
            tool: tool.to_owned(),
            parameters: parameters.clone(),
            problem: None,
            written: None,
        };
        let list = todo_steps(&call(TODO, &steps)).unwrap();
        assert_eq!(list[0].state, TodoState::Done);
        assert!(list[0].title.starts_with("Look") && !list[0].title.contains('\n'), "{}", list[0].title);
        assert_eq!(progress_in_words(&list), "1 of 2 steps done; now: Write");
        assert_eq!(todo_steps(&call("code", &steps)), None);
        assert_eq!(todo_steps(&call(TODO, &json!({"steps": [{"title": "x", "state": "half"}]}))), None);
    }
}
