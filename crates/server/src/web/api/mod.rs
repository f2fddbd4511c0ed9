//! The HTTP API under `/api/v1`: the same commands, queries and events as over the socket. Operations are served as
//! they are declared. Only sessions, event streams and endpoints that combine operations are written by hand.

mod access;
mod commands;
mod document;
mod operations;
mod stream;

use super::failure::Failure;
use super::serve::Web;
use axum::Router;
use axum::routing::{get, post};
use deputy_messages::server as say;
use deputy_protocol::{ErrorBody, ErrorCode};

/// Returns the routes.
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
        .route("/requests", get(commands::requests))
        .route("/commands", post(commands::command))
        .route("/tasks/{task}/events", get(stream::of_task))
        .route("/events", get(stream::of_all));
    let api = operations::add_to(api).fallback(missing).method_not_allowed_fallback(no_such_method);
    // Nesting alone does not serve the address with a trailing slash.
    Router::new()
        .nest("/api/v1", api)
        .route("/api/v1/", get(document::page))
        .route("/api/{*rest}", get(missing))
}

async fn missing() -> Failure {
    let error =
        ErrorBody::new(ErrorCode::UnknownPath, say::there_is_nothing(), "/api/v1/ lists all there is.");
    error.into()
}

async fn no_such_method() -> Failure {
    let message = say::this_address_knows_other_methods();
    let error = ErrorBody::new(ErrorCode::UnknownMethod, message, "/api/v1/ lists all there is.");
    error.into()
}
