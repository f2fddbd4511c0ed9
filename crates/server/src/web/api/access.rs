//! Access: health, sessions and a device's side of pairing. No session is required.

use crate::web::body::Body;
use crate::web::failure::Failure;
use crate::web::peer::Peer;
use crate::web::serve::Web;
use axum::Json;
use axum::extract::State;
use deputy_protocol::{
    Challenge, Health, PROTOCOL_VERSION, PairingClaim, PairingFinish, PairingStage, Session, SessionRequest,
};

/// Check that the server is running.
#[utoipa::path(get, path = "/api/v1/health", tag = "access", security(),
    responses((status = 200, description = "It is.", body = ref("#/components/schemas/Health"))))]
pub(super) async fn health() -> Json<Health> {
    Json(Health {
        status: "ok".to_owned(),
        protocol: PROTOCOL_VERSION,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

/// Open a session with a one-time link, or with a device's signature over a challenge.
#[utoipa::path(post, path = "/api/v1/session", tag = "access", security(),
    request_body = ref("#/components/schemas/SessionRequest"),
    responses((status = 200, description = "Open.", body = ref("#/components/schemas/Session"))))]
pub(super) async fn open_session(
    State(web): State<Web>,
    peer: Peer,
    Body(request): Body<SessionRequest>,
) -> Result<Json<Session>, Failure> {
    let now_ms = web.mirror.now_ms();
    Ok(Json(web.mirror.gate().open_session(&request, &peer.channel, now_ms).await?))
}

/// Get a challenge with which a device opens a session. It can be used once, within a minute.
#[utoipa::path(post, path = "/api/v1/session/challenge", tag = "access", security(),
    responses((status = 200, description = "The challenge.", body = ref("#/components/schemas/Challenge"))))]
pub(super) async fn challenge(State(web): State<Web>) -> Result<Json<Challenge>, Failure> {
    let now_ms = web.mirror.now_ms();
    Ok(Json(Challenge { challenge: web.mirror.gate().session_challenge(now_ms)?, now_ms }))
}

/// Start pairing with the one-time code and the device's keys.
#[utoipa::path(post, path = "/api/v1/pairing", tag = "access", security(),
    request_body = ref("#/components/schemas/PairingClaim"),
    responses((status = 200, description = "The number to compare.", body = ref("#/components/schemas/PairingStage"))))]
pub(super) async fn claim_pairing(
    State(web): State<Web>,
    peer: Peer,
    Body(claim): Body<PairingClaim>,
) -> Result<Json<PairingStage>, Failure> {
    let now_ms = web.mirror.now_ms();
    Ok(Json(web.mirror.gate().claim_pairing(claim, &peer.channel, now_ms)?))
}

/// Confirm the number on the device. Repeat until the desktop has confirmed it too.
#[utoipa::path(post, path = "/api/v1/pairing/finish", tag = "access", security(),
    request_body = ref("#/components/schemas/PairingFinish"),
    responses((status = 200, description = "Where it stands.", body = ref("#/components/schemas/PairingStage"))))]
pub(super) async fn finish_pairing(
    State(web): State<Web>,
    peer: Peer,
    Body(finish): Body<PairingFinish>,
) -> Result<Json<PairingStage>, Failure> {
    let now_ms = web.mirror.now_ms();
    Ok(Json(web.mirror.gate().finish_pairing(&finish, &peer.channel, now_ms).await?))
}
