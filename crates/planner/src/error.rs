//! Why there is no plan.

use deputy_messages::planner as say;
use deputy_protocol::{Phrase, PlanErrorCode, Usage};
use std::time::Duration;

/// Why there is no plan, for programs by `code`, for people by `message`, which says what to do next.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct PlanError {
    /// Stable; the loop decides by it whether to ask again.
    pub code: PlanErrorCode,
    /// What was tried, why it failed, what to do next. Holds no key.
    pub message: Phrase,
    /// Seconds the provider asks to wait; finite and not negative.
    pub retry_after_secs: Option<f64>,
    /// What the provider counted before it failed.
    pub usage: Option<Usage>,
}

impl PlanError {
    /// An error that names no time to wait.
    pub fn new(code: PlanErrorCode, message: impl Into<Phrase>) -> Self {
        Self { code, message: message.into(), retry_after_secs: None, usage: None }
    }

    /// The request was withdrawn by its caller.
    pub fn cancelled() -> Self {
        Self::new(PlanErrorCode::Cancelled, say::taken_back())
    }

    pub(crate) fn closed() -> Self {
        Self::new(PlanErrorCode::Cancelled, say::shut_down())
    }

    pub(crate) fn timed_out(method: &str, after: Duration) -> Self {
        Self::new(PlanErrorCode::Network, say::timed_out(method, after.as_secs_f64()))
    }

    pub(crate) fn bad_answer(what: impl std::fmt::Display) -> Self {
        Self::new(PlanErrorCode::BadResponse, say::bad_answer(what))
    }

    pub(crate) fn sidecar(what: Phrase) -> Self {
        Self::new(PlanErrorCode::Sidecar, what)
    }
}
