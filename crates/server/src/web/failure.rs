//! Errors as HTTP responses: the same body as over every other transport, with the status of its code.

use crate::gate::Refusal;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use deputy_protocol::{ErrorBody, ErrorCode};

/// An error as an HTTP response.
#[derive(Debug)]
pub(super) struct Failure {
    status: StatusCode,
    error: ErrorBody,
}

impl Failure {
    /// Keeps the status of an error by HTTP itself, such as a body that is too large.
    pub(super) fn with_status(status: StatusCode, error: ErrorBody) -> Self {
        Self { status, error }
    }
}

/// The code of an error, attached to its response for the log.
#[derive(Clone, Debug)]
pub(super) struct Code(pub(super) ErrorCode);

impl From<ErrorBody> for Failure {
    fn from(error: ErrorBody) -> Self {
        let status = error.code.info().http_status.and_then(|status| StatusCode::from_u16(status).ok());
        Self { status: status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), error }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        ErrorBody::from(refusal).into()
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let code = Code(self.error.code);
        let mut response = (self.status, Json(self.error)).into_response();
        response.extensions_mut().insert(code);
        response
    }
}
