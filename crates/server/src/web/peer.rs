//! The metadata of a connection, and the caller that a request's session belongs to.

use super::crowd::Place;
use super::failure::Failure;
use super::serve::Web;
use crate::gate::{Caller, Channel, Refusal};
use axum::extract::FromRequestParts;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use std::net::SocketAddr;

/// The metadata of a connection, which comes from the system and not from headers.
#[derive(Clone, Debug)]
pub(super) struct Peer {
    /// The local address of the connection.
    pub(super) at: SocketAddr,
    /// The channel of the connection.
    pub(super) channel: Channel,
    /// Its place among all connections.
    pub(super) place: Place,
}

impl FromRequestParts<Web> for Peer {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _web: &Web) -> Result<Self, Failure> {
        // Every connection has one; without it access is refused.
        Ok(parts.extensions.get::<Self>().cloned().ok_or(Refusal::NoProof)?)
    }
}

/// The sender of a request, authenticated by the session after `Authorization: Bearer`.
pub(super) struct By(pub(super) Caller);

impl FromRequestParts<Web> for By {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Failure> {
        let peer = Peer::from_request_parts(parts, web).await?;
        let header = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let session = header.and_then(|value| value.strip_prefix("Bearer ")).ok_or(Refusal::NoProof)?;
        let caller = web.mirror.gate().of_session(session, &peer.channel, web.mirror.now_ms())?;
        peer.place.let_in();
        Ok(Self(caller))
    }
}
