//! The HTTP API under `/api/v1`: the same commands, queries and events as over the socket.

use super::failure::Failure;
use super::serve::Web;
use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};

/// The routes.
pub(super) fn routes() -> Router<Web> {
    Router::new().route("/api/v1/health", get(health)).route("/api/v1/session", post(open_session))
}

/// That the server is there.
#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
}

async fn health() -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}

/// What opens a session.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SessionRequest {
    /// The token of a one-time link.
    token: String,
}

/// A session.
#[derive(Serialize)]
struct Session {
    /// Its secret: for the hello of a WebSocket, or after `Authorization: Bearer`.
    session: String,
    /// When it ends.
    expires_at_ms: i64,
}

async fn open_session(
    State(web): State<Web>,
    Json(request): Json<SessionRequest>,
) -> Result<Json<Session>, Failure> {
    let opened = web.mirror.gate().open_session(&request.token, web.mirror.now_ms())?;
    Ok(Json(Session { session: opened.session, expires_at_ms: opened.expires_at_ms }))
}
