//! The actions that the machine requests.

use super::brakes::Brake;
use super::{FOLLOW, IGNORE};
use deputy_messages::agent as say;
use deputy_protocol::{
    BudgetReached, CallId, Compacted, GuidanceFolder, Phrase, PlanErrorCode, StopReason, Waiting,
};

/// The next action. Each one ends in an event that is journalled and applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Begin this iteration: `IterationStarted`.
    BeginIteration(u32),
    /// Ask the planner, after a delay: `Planned` or `PlanFailed`.
    Plan {
        /// The delay, in milliseconds.
        delay_ms: u64,
    },
    /// Let the policy decide a call: `CallDecided`, or `ToolFinished` if the call cannot be decided.
    Decide(CallId),
    /// Park a call until a person answers: `PermissionRequested`.
    AskPermission(CallId),
    /// Report to the planner that a call is denied: `ToolFinished`.
    Refuse {
        /// The call.
        call: CallId,
        /// The reason.
        reason: Phrase,
    },
    /// Report to the planner that a call does not run, because the user gave an instruction: `ToolFinished`.
    LeaveOut(CallId),
    /// Run calls in parallel: `ToolStarted` and `ToolFinished` for each.
    Run(Vec<CallId>),
    /// Determine the outcome of a call that a crash interrupted: it runs again, or `ToolFinished`.
    Settle(CallId),
    /// Ask the user: `QuestionAsked`.
    AskQuestion(Need),
    /// Pause because this limit is reached: `Paused`.
    Pause(BudgetReached),
    /// Replace older steps with a summary: `Compacted`.
    Compact(Compacted),
    /// Wait for a slot, or for a person to act: the event that ends the wait.
    Wait(Waiting),
    /// End the background commands: `BackgroundEnded` for each.
    EndBackground,
    /// End: `Stopped`.
    Stop {
        /// How the task ends.
        reason: StopReason,
        /// The final answer, or the error.
        summary: Phrase,
    },
    /// The task has ended.
    Ended,
}

/// The reason why the user is asked something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    /// The planner has a question.
    Planner {
        /// The question.
        text: String,
    },
    /// The task repeats itself.
    Brake(Brake),
    /// The planner does not answer.
    PlanFailed {
        /// The error code.
        code: PlanErrorCode,
        /// The error message.
        message: Phrase,
        /// The number of attempts.
        attempts: u32,
    },
    /// Folders contain guidance that the user has not decided about.
    Trust {
        /// The folders.
        folders: Vec<GuidanceFolder>,
    },
    /// A crash interrupted a call, and its outcome is unknown.
    OutcomeUnknown {
        /// A description of the call.
        call: Phrase,
    },
}

/// The answer that lets a braked or stuck task continue.
const CONTINUE: &str = "continue";
/// The answer that older questions offered; they may still be open.
const GO_ON: &str = "go on";
/// The answer that ends a braked or stuck task.
pub const STOP: &str = "stop";

/// Returns whether a text is the answer that lets a task continue.
pub fn lets_continue(text: &str) -> bool {
    [CONTINUE, GO_ON].iter().any(|choice| text.trim().eq_ignore_ascii_case(choice))
}

impl Need {
    /// Returns the text of the question.
    pub fn text(&self) -> Phrase {
        match self {
            Self::Planner { text } => text.clone().into(),
            Self::Brake(Brake::Repeated { tool, times }) => say::brake_same_call(*times, tool),
            Self::Brake(Brake::Failing { tool, times }) => say::brake_call_fails(*times, tool),
            Self::Brake(Brake::Unusable { times }) => say::brake_unusable(*times),
            Self::Brake(Brake::Refused { times }) => say::brake_refused(*times),
            Self::Brake(Brake::Denied { times }) => say::brake_denied(*times),
            Self::PlanFailed { message, attempts, .. } => {
                let message = message.clone();
                match attempts {
                    0 | 1 => say::planner_did_not_answer(message),
                    _ => say::planner_did_not_answer_often(message, *attempts),
                }
            }
            Self::Trust { folders } => {
                let named =
                    folders.iter().map(|found| format!("{} ({})", found.folder, found.files.join(", ")));
                say::instructions_for_agents(named.collect::<Vec<_>>().join(", "))
            }
            Self::OutcomeUnknown { call } => say::outcome_unknown(call),
        }
    }

    /// Returns the suggested answers. Empty if only free text is possible.
    pub fn choices(&self) -> Vec<String> {
        match self {
            Self::Planner { .. } => Vec::new(),
            Self::Trust { .. } => vec![FOLLOW.to_owned(), IGNORE.to_owned()],
            _ => vec![CONTINUE.to_owned(), STOP.to_owned()],
        }
    }
}
