//! JSON bodies, with errors in the shape that all errors have.

use super::failure::Failure;
use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use deputy_protocol::ErrorBody;
use serde::de::DeserializeOwned;

/// A JSON body of a type of the protocol.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(body)) => Ok(Self(body)),
            Err(rejection) => Err(refused(&rejection)),
        }
    }
}

fn refused(rejection: &JsonRejection) -> Failure {
    let message = format!("The body cannot be used: {}.", rejection.body_text());
    let hint =
        "Send JSON as /api/v1/openapi.json describes, with the header `Content-Type: application/json`.";
    Failure::new(rejection.status(), ErrorBody::new("bad_body", message, hint))
}
