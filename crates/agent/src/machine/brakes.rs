//! Brakes: a task that goes in circles asks its user instead of burning money.

use deputy_protocol::{CallStatus, Choice, ToolCall, ToolResult};
use std::collections::HashMap;

/// Which brake was pulled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Brake {
    /// The same call came again and again, one after the other.
    Repeated {
        /// The tool.
        tool: String,
        /// How often.
        times: u32,
    },
    /// The same call failed again and again.
    Failing {
        /// The tool.
        tool: String,
        /// How often.
        times: u32,
    },
    /// Call after call ended before it was decided on: no such tool, arguments that do not fit, a folder that is gone.
    Unusable {
        /// How often.
        times: u32,
    },
    /// Call after call was denied.
    Denied {
        /// How often.
        times: u32,
    },
    /// A person refused whatever they were asked; what ran unasked in between does not count.
    Refused {
        /// How often.
        times: u32,
    },
}

/// Whether a poll of a background command brought something new; then the task is not repeating itself.
fn brings_news(call: &ToolCall, result: &ToolResult) -> bool {
    call.tool == deputy_tools::BACKGROUND && result.summary.id() == Some(deputy_tools::NEW_OUTPUT)
}

/// Counts since the user last had a say.
#[derive(Clone, Debug, Default)]
pub(super) struct Brakes {
    last: Option<String>,
    repeats: u32,
    failures: HashMap<String, u32>,
    unusable: u32,
    denials: u32,
    refusals: u32,
    pulled: Option<Brake>,
}

impl Brakes {
    /// Takes note of a finished call; `after` is how often something may happen, 0 for no brakes.
    pub(super) fn note(&mut self, call: &ToolCall, result: &ToolResult, is_unusable: bool, after: u32) {
        if after == 0 {
            return;
        }
        let key =
            format!("{} {} {}", call.tool, call.parameters, call.problem.as_deref().unwrap_or_default());
        if self.last.as_deref() == Some(key.as_str()) && !brings_news(call, result) {
            self.repeats += 1;
        } else {
            self.repeats = 1;
        }
        self.denials = if result.status == CallStatus::Denied { self.denials + 1 } else { 0 };
        self.unusable = if is_unusable { self.unusable + 1 } else { 0 };
        let mut failed = 0;
        if result.status == CallStatus::Failed {
            let count = self.failures.entry(key.clone()).or_default();
            *count += 1;
            failed = *count;
        }
        self.last = Some(key);
        if self.denials >= after {
            self.pulled = Some(Brake::Denied { times: self.denials });
        } else if failed >= after {
            self.pulled = Some(Brake::Failing { tool: call.tool.clone(), times: failed });
        } else if self.repeats >= after {
            self.pulled = Some(Brake::Repeated { tool: call.tool.clone(), times: self.repeats });
        } else if self.unusable >= after {
            self.pulled = Some(Brake::Unusable { times: self.unusable });
        }
    }

    /// Takes note of an answer: a yes makes good for every no before it.
    pub(super) fn answered(&mut self, choice: &Choice) {
        if matches!(choice, Choice::Allow(_)) {
            self.refusals = 0;
        }
    }

    /// Takes note of a call that ended because nobody allowed it when asked. Comes before [`Brakes::note`].
    pub(super) fn refused(&mut self, after: u32) {
        self.refusals += 1;
        if after > 0 && self.refusals >= after {
            self.pulled = Some(Brake::Refused { times: self.refusals });
        }
    }

    /// The brake that the user has not heard of yet.
    pub(super) fn pulled(&self) -> Option<&Brake> {
        self.pulled.as_ref()
    }

    /// The user had a say: counting begins anew.
    pub(super) fn release(&mut self) {
        *self = Self::default();
    }
}
