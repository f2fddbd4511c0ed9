//! Extractors for the body, the path and the query string of a request, with errors in the common format.

use super::failure::Failure;
use super::pace::TooSlow;
use crate::strict::refuse_unknown;
use axum::Json;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use bytes::Bytes;
use deputy_messages::server as say;
use deputy_protocol::{ErrorBody, ErrorCode};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A JSON body of a protocol type.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(body)) => Ok(Self(body)),
            Err(rejection) => Err(unread(&rejection, rejection.status(), &rejection.body_text())),
        }
    }
}

/// A JSON body without unknown fields, for requests that change something.
pub(super) struct Strict<T>(pub(super) T);

impl<T: DeserializeOwned + Serialize, S: Send + Sync> FromRequest<S> for Strict<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        let (parts, body) = request.into_parts();
        let bytes = match Bytes::from_request(Request::from_parts(parts.clone(), body), state).await {
            Ok(bytes) => bytes,
            Err(rejection) => return Err(unread(&rejection, rejection.status(), &rejection.body_text())),
        };
        let again = Request::from_parts(parts, axum::body::Body::from(bytes.clone()));
        let Body(body) = Body::<T>::from_request(again, state).await?;
        refuse_unknown(&String::from_utf8_lossy(&bytes), &body)?;
        Ok(Self(body))
    }
}

/// The parameters in the path.
pub(super) struct Place<T>(pub(super) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Place<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(place)) => Ok(Self(place)),
            Err(rejection) => Err(unusable(ErrorCode::BadPath, "address", &rejection.body_text()).into()),
        }
    }
}

/// The parameters in the query string.
pub(super) struct Params<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(params)) => Ok(Self(params)),
            Err(rejection) => Err(unusable(ErrorCode::BadQuery, "query", &rejection.body_text()).into()),
        }
    }
}

/// Returns the error for a body that cannot be read.
fn unread(rejection: &(dyn std::error::Error + 'static), status: StatusCode, why: &str) -> Failure {
    if is_slow(rejection) {
        let message = say::body_came_too_slowly();
        let error = ErrorBody::new(ErrorCode::SlowBody, message, say::send_again_all_at_once());
        return error.into();
    }
    Failure::with_status(status, unusable(ErrorCode::BadBody, "body", why))
}

fn is_slow(error: &(dyn std::error::Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| error.source()).any(|error| error.is::<TooSlow>())
}

/// Returns the error for an invalid part of a request.
pub(super) fn unusable(code: ErrorCode, part: &str, why: &str) -> ErrorBody {
    let message = format!("The {part} cannot be used: {why}.");
    let hint = "/api/v1/openapi.json says what is taken; bodies are JSON, with the header `Content-Type: application/json`.";
    ErrorBody::new(code, message, hint)
}
