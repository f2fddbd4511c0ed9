//! The errors of planning.

use deputy_messages::planner as say;
use deputy_protocol::{Phrase, PlanErrorCode, Usage};
use std::time::Duration;

/// An error of planning. Programs use `code`, and people read `message`, which says what to do next.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct PlanError {
    /// The stable error code; the loop uses it to decide whether to retry.
    pub code: PlanErrorCode,
    /// What was tried, why it failed, and what to do next. Contains no key.
    pub message: Phrase,
    /// The wait that the provider requests, in seconds; finite and not negative.
    pub retry_after_secs: Option<f64>,
    /// The usage that the provider reported before the failure.
    pub usage: Option<Usage>,
}

impl PlanError {
    /// Creates an error without a requested wait.
    pub fn new(code: PlanErrorCode, message: impl Into<Phrase>) -> Self {
        Self { code, message: message.into(), retry_after_secs: None, usage: None }
    }

    /// The caller cancelled the request.
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
