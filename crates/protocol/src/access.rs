//! Who may connect: the challenge, the proof in a hello, sessions over HTTP, and the link that opens the desktop's page.

use crate::{DeviceId, DeviceScope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the server sends first on a connection that has to be proved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Challenge {
    /// Random, good once; a device signs it.
    pub challenge: String,
    /// The server's clock, which every expiry is held against.
    pub now_ms: i64,
}

/// Why a client may connect. The Unix socket needs none: only its owner can open it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "proof", rename_all = "snake_case")]
pub enum Proof {
    /// A session that was opened over HTTP.
    Session(SessionProof),
    /// A device that has signed the challenge.
    Device(DeviceProof),
}

/// A session that was opened over HTTP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionProof {
    /// The session's secret.
    pub session: String,
}

/// A device that has signed the challenge of this connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceProof {
    /// Which device.
    pub device: DeviceId,
    /// Its signature over `deputy-connect-1`, the server's fingerprint, the device and the challenge, a line each.
    pub signature: String,
}

/// What opens a session over HTTP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum SessionRequest {
    /// A one-time link.
    Link(LinkSession),
    /// A device that has signed a challenge.
    Device(DeviceSession),
}

/// A session by a one-time link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LinkSession {
    /// What is behind `#token=` in the link.
    pub token: String,
}

/// A session by a device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceSession {
    /// Which device.
    pub device: DeviceId,
    /// The challenge that the server gave out for this.
    pub challenge: String,
    /// As in a device's proof.
    pub signature: String,
}

/// A session that was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Session {
    /// Its secret: for the hello of a WebSocket, or after `Authorization: Bearer`.
    pub session: String,
    /// When it ends.
    pub expires_at_ms: i64,
    /// What it may do.
    pub scopes: Vec<DeviceScope>,
}

/// That a server is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    /// `ok`.
    pub status: String,
    /// The host's version of the protocol.
    pub protocol: u32,
    /// The host's version.
    pub version: String,
}

/// A link that opens the desktop's own page; for clients of the Unix socket and of that page only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LinkCommand {}

/// A link that opens the desktop's own page, once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LinkOutcome {
    /// The address; its secret is behind the `#`, where no server and no log sees it.
    pub url: String,
    /// Until when it can be used.
    pub expires_at_ms: i64,
}
