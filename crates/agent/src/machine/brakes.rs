//! Brakes: a task that repeats itself without progress asks its user instead of spending more money.

use deputy_protocol::{CallStatus, Choice, ToolCall, ToolResult};
use std::collections::HashMap;

/// The brake that was triggered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Brake {
    /// The same call was made repeatedly in a row.
    Repeated {
        /// The tool.
        tool: String,
        /// The number of times.
        times: u32,
    },
    /// The same call failed repeatedly.
    Failing {
        /// The tool.
        tool: String,
        /// The number of times.
        times: u32,
    },
    /// Calls ended repeatedly before they were decided: the tool does not exist, the arguments do not fit, or the
    /// folder is gone.
    Unusable {
        /// The number of times.
        times: u32,
    },
    /// Calls were denied repeatedly.
    Denied {
        /// The number of times.
        times: u32,
    },
    /// A person denied every request. Calls that ran without asking in between do not count.
    Refused {
        /// The number of times.
        times: u32,
    },
}

/// Returns whether a poll of a background command brought new output; then the task is not repeating itself.
fn brings_news(call: &ToolCall, result: &ToolResult) -> bool {
    call.tool == deputy_tools::BACKGROUND && result.summary.id() == Some(deputy_tools::NEW_OUTPUT)
}

/// The counts since the user was last asked.
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
    /// Records a finished call. `after` is the number of times that triggers a brake; 0 disables the brakes.
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

    /// Records an answer. An approval resets the count of denials.
    pub(super) fn answered(&mut self, choice: &Choice) {
        if matches!(choice, Choice::Allow(_)) {
            self.refusals = 0;
        }
    }

    /// Records a call that ended because it was not approved when asked. Must be called before [`Brakes::note`].
    pub(super) fn refused(&mut self, after: u32) {
        self.refusals += 1;
        if after > 0 && self.refusals >= after {
            self.pulled = Some(Brake::Refused { times: self.refusals });
        }
    }

    /// Returns the brake that was triggered and that the user has not been asked about.
    pub(super) fn pulled(&self) -> Option<&Brake> {
        self.pulled.as_ref()
    }

    /// Resets the counts after the user was asked.
    pub(super) fn release(&mut self) {
        *self = Self::default();
    }
}
