//! What a request carries in its body, its address and its query, with errors in the shape that all errors have.

use super::failure::Failure;
use axum::Json;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use deputy_protocol::ErrorBody;
use serde::de::DeserializeOwned;

/// A JSON body of a type of the protocol.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(body)) => Ok(Self(body)),
            Err(rejection) => Err(refused("bad_body", "body", rejection.status(), &rejection.body_text())),
        }
    }
}

/// The part of an address that stands for something.
pub(super) struct Place<T>(pub(super) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Place<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(place)) => Ok(Self(place)),
            Err(rejection) => Err(refused("bad_path", "address", rejection.status(), &rejection.body_text())),
        }
    }
}

/// What stands behind the `?` of an address.
pub(super) struct Params<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(params)) => Ok(Self(params)),
            Err(rejection) => Err(refused("bad_query", "query", rejection.status(), &rejection.body_text())),
        }
    }
}

fn refused(code: &str, part: &str, status: StatusCode, why: &str) -> Failure {
    let message = format!("The {part} cannot be used: {why}.");
    let hint = "/api/v1/openapi.json says what is taken; bodies are JSON, with the header `Content-Type: application/json`.";
    Failure::new(status, ErrorBody::new(code, message, hint))
}
