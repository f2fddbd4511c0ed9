//! Why there is no plan.

use deputy_protocol::PlanErrorCode;
use std::time::Duration;

/// Why there is no plan, for programs by `code`, for people by `message`, which says what to do next.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct PlanError {
    /// Stable; the loop decides by it whether to ask again.
    pub code: PlanErrorCode,
    /// What was tried, why it failed, what to do next. Holds no key.
    pub message: String,
    /// Seconds the provider asks to wait; finite and not negative.
    pub retry_after_secs: Option<f64>,
}

impl PlanError {
    /// An error that names no time to wait.
    pub fn new(code: PlanErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), retry_after_secs: None }
    }

    /// The request was withdrawn by its caller.
    pub fn cancelled() -> Self {
        Self::new(PlanErrorCode::Cancelled, "The request to the model was taken back.")
    }

    pub(crate) fn closed() -> Self {
        Self::new(
            PlanErrorCode::Cancelled,
            "The sidecar was shut down, so the request was taken back. Start Deputy again to go on.",
        )
    }

    pub(crate) fn timed_out(method: &str, after: Duration) -> Self {
        Self::new(
            PlanErrorCode::Network,
            format!(
                "The model did not answer `{method}` within {} s. Check that its server is up and not \
                 overloaded, or choose a smaller model.",
                after.as_secs_f64()
            ),
        )
    }

    pub(crate) fn bad_answer(what: impl std::fmt::Display) -> Self {
        Self::new(
            PlanErrorCode::BadResponse,
            format!(
                "The sidecar's answer cannot be used: {what}. Try again; if it stays so, run `deputy backends check`."
            ),
        )
    }

    pub(crate) fn sidecar(what: impl std::fmt::Display) -> Self {
        Self::new(PlanErrorCode::Sidecar, what.to_string())
    }
}
