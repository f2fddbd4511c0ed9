//! The HTTP API under `/api/v1`: the same commands, queries and events as over the socket, one file a subject.

mod access;
mod devices;
mod document;
mod look;
mod memories;
mod organize;
mod stream;

use super::failure::Failure;
use super::serve::Web;
use axum::Router;
use axum::http::StatusCode;
use axum::routing::{delete, get, patch, post};
use deputy_protocol::ErrorBody;

/// The routes.
pub(super) fn routes() -> Router<Web> {
    let api = Router::new()
        .route("/", get(document::page))
        .route("/try.js", get(document::script))
        .route("/try.css", get(document::style))
        .route("/openapi.json", get(document::openapi))
        .route("/health", get(access::health))
        .route("/session", post(access::open_session))
        .route("/session/challenge", post(access::challenge))
        .route("/pairing", post(access::claim_pairing))
        .route("/pairing/finish", post(access::finish_pairing))
        .route("/state", get(look::state))
        .route("/requests", get(look::requests))
        .route("/tasks", get(look::tasks))
        .route("/tasks/{task}", get(look::task))
        .route("/tasks/{task}/history", get(look::history))
        .route("/tasks/{task}/console", get(look::console))
        .route("/tasks/{task}/events", get(stream::of_task))
        .route("/events", get(stream::of_all))
        .route("/events/{seq}", get(look::event))
        .route("/commands", post(look::command))
        .route("/grants", get(look::grants))
        .route("/grants/{grant}", delete(look::revoke_grant))
        .route("/memories", get(memories::list))
        .route("/memories/{memory}", patch(memories::edit).delete(memories::forget))
        .route("/memories/{memory}/promote", post(memories::promote))
        .route("/memories/{memory}/restore", post(memories::restore))
        .route("/folders", get(organize::folders))
        .route("/scans", post(organize::start_scan))
        .route("/scans/{scan}", get(organize::scan).delete(organize::stop_scan))
        .route("/drafts/try", post(organize::draft))
        .route("/jobs", get(organize::jobs))
        .route("/devices", get(devices::list))
        .route("/devices/{device}", patch(devices::rename).delete(devices::revoke))
        .route("/devices/pairing", get(devices::pairing).post(devices::start_pairing))
        .route("/devices/pairing/confirm", post(devices::confirm_pairing))
        .fallback(missing)
        .method_not_allowed_fallback(no_such_method);
    // Nesting alone leaves the address with the slash at its end unanswered.
    Router::new()
        .nest("/api/v1", api)
        .route("/api/v1/", get(document::page))
        .route("/api/{*rest}", get(missing))
}

async fn missing() -> Failure {
    let error =
        ErrorBody::new("unknown_path", "There is nothing at this address.", "/api/v1/ lists all there is.");
    Failure::new(StatusCode::NOT_FOUND, error)
}

async fn no_such_method() -> Failure {
    let message = "This address knows other methods only.";
    let error = ErrorBody::new("unknown_method", message, "/api/v1/ lists all there is.");
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, error)
}
