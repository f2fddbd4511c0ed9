//! What the machine wants done next.

use super::brakes::Brake;
use super::{FOLLOW, IGNORE};
use deputy_messages::agent as say;
use deputy_protocol::{
    BudgetReached, CallId, Compacted, GuidanceFolder, Phrase, PlanErrorCode, StopReason, Waiting,
};

/// What is to be done next; each ends in an event that is journalled and applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Begin this iteration: `IterationStarted`.
    BeginIteration(u32),
    /// Ask the planner, after a pause: `Planned` or `PlanFailed`.
    Plan {
        /// Milliseconds to wait first.
        delay_ms: u64,
    },
    /// Let policy decide on a call: `CallDecided`, or `ToolFinished` for a call that cannot be.
    Decide(CallId),
    /// Park a call for a person: `PermissionRequested`.
    AskPermission(CallId),
    /// Tell the planner that a call is denied: `ToolFinished`.
    Refuse {
        /// The call.
        call: CallId,
        /// Why.
        reason: Phrase,
    },
    /// Run calls at the same time: `ToolStarted` and `ToolFinished` for each.
    Run(Vec<CallId>),
    /// Find out what became of a call that a crash cut off: it runs again, or `ToolFinished`.
    Settle(CallId),
    /// Ask the user: `QuestionAsked`.
    AskQuestion(Need),
    /// Park, as this limit is reached: `Paused`.
    Pause(BudgetReached),
    /// Put a summary in the place of older steps: `Compacted`.
    Compact(Compacted),
    /// Nothing to do until it is this task's turn, or somebody acts: the event that ends the wait.
    Wait(Waiting),
    /// End what runs in the background: `BackgroundEnded` for each.
    EndBackground,
    /// End: `Stopped`.
    Stop {
        /// How.
        reason: StopReason,
        /// The final answer, or what went wrong.
        summary: Phrase,
    },
    /// It has ended.
    Ended,
}

/// Why the user is asked something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    /// The planner asks.
    Planner {
        /// Its question.
        text: String,
    },
    /// The task goes in circles.
    Brake(Brake),
    /// The planner does not answer.
    PlanFailed {
        /// Why, for programs.
        code: PlanErrorCode,
        /// Why, for people.
        message: Phrase,
        /// How often it was asked.
        attempts: u32,
    },
    /// There is guidance in folders that the user has not decided on.
    Trust {
        /// The folders.
        folders: Vec<GuidanceFolder>,
    },
    /// A crash cut a call off and nobody knows whether it happened.
    OutcomeUnknown {
        /// What the call was, for people.
        call: Phrase,
    },
}

/// The answer that lets a braked or stuck task continue.
const CONTINUE: &str = "continue";
/// The answer that older questions asked for. They may still be open.
const GO_ON: &str = "go on";
/// The answer that ends a braked or stuck task.
pub const STOP: &str = "stop";

/// Whether a text is the answer that lets a task continue.
pub fn lets_continue(text: &str) -> bool {
    [CONTINUE, GO_ON].iter().any(|choice| text.trim().eq_ignore_ascii_case(choice))
}

impl Need {
    /// The question's text.
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

    /// Answers to choose from; empty for free text alone.
    pub fn choices(&self) -> Vec<String> {
        match self {
            Self::Planner { .. } => Vec::new(),
            Self::Trust { .. } => vec![FOLLOW.to_owned(), IGNORE.to_owned()],
            _ => vec![CONTINUE.to_owned(), STOP.to_owned()],
        }
    }
}
