//! Errors as HTTP answers: the same body as over every other way, with a status that fits its code.

use crate::gate::Refusal;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use deputy_protocol::ErrorBody;

/// An error as an HTTP answer.
#[derive(Debug)]
pub(super) struct Failure {
    status: StatusCode,
    error: ErrorBody,
}

impl Failure {
    pub(super) fn new(status: StatusCode, error: ErrorBody) -> Self {
        Self { status, error }
    }
}

/// The code of an error, beside its answer: for the log.
#[derive(Clone, Debug)]
pub(super) struct Code(pub(super) String);

impl From<ErrorBody> for Failure {
    fn from(error: ErrorBody) -> Self {
        let status = match error.code.as_str() {
            code if code.starts_with("unknown_") => StatusCode::NOT_FOUND,
            "already_answered" | "task_ended" | "changed" | "expired" | "forgotten" | "job_overlaps"
            | "job_undone" | "not_queued" => StatusCode::CONFLICT,
            "store" | "no_page" => StatusCode::SERVICE_UNAVAILABLE,
            "not_allowed" | "denied" => StatusCode::FORBIDDEN,
            _ => StatusCode::BAD_REQUEST,
        };
        Self { status, error }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self { status: refusal.status(), error: refusal.body() }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let code = Code(self.error.code.clone());
        let mut response = (self.status, Json(self.error)).into_response();
        response.extensions_mut().insert(code);
        response
    }
}
