//! Authentication of clients: the challenge, the proof in a hello, sessions over HTTP, and the link that opens the
//! desktop's page.

use crate::{DeviceId, DeviceScope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The challenge that the server sends first on a connection that has to be authenticated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Challenge {
    /// A random text that is valid once. A device signs it.
    pub challenge: String,
    /// The server's current time, against which every expiry is checked.
    pub now_ms: i64,
}

/// The proof that a client may connect. The Unix socket does not require one, because only its owner can open it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "proof", rename_all = "snake_case")]
pub enum Proof {
    /// A session that was opened over HTTP.
    Session(SessionProof),
    /// A device's signature of the challenge.
    Device(DeviceProof),
}

/// The proof by a session that was opened over HTTP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionProof {
    /// The secret of the session.
    pub session: String,
}

/// The proof by a device that signed the challenge of this connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceProof {
    /// The id of the device.
    pub device: DeviceId,
    /// The device's signature of `deputy-connect-1`, the server's fingerprint, the device id and the challenge, each
    /// on its own line.
    pub signature: String,
}

/// A request to open a session over HTTP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum SessionRequest {
    /// A one-time link opens the session.
    Link(LinkSession),
    /// A device that signed a challenge opens the session.
    Device(DeviceSession),
}

/// A request to open a session with a one-time link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LinkSession {
    /// The text after `#token=` in the link.
    pub token: String,
}

/// A request to open a session with a device's signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceSession {
    /// The id of the device.
    pub device: DeviceId,
    /// The challenge that the server issued for this request.
    pub challenge: String,
    /// The signature of the challenge, in the same format as in `DeviceProof`.
    pub signature: String,
}

/// A session that was opened over HTTP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Session {
    /// The secret of the session. It is sent in the hello of a WebSocket, or after `Authorization: Bearer`.
    pub session: String,
    /// When the session ends.
    pub expires_at_ms: i64,
    /// What the session may do.
    pub scopes: Vec<DeviceScope>,
}

/// The health of a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    /// Always `ok`.
    pub status: String,
    /// The host's protocol version.
    pub protocol: u32,
    /// The host's version.
    pub version: String,
}

/// Creates a link that opens the desktop's page. Only clients of the Unix socket and of that page may use it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LinkCommand {}

/// A link that opens the desktop's page once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LinkOutcome {
    /// The address. Its secret is after the `#`, so that no server and no log receives it.
    pub url: String,
    /// When the link expires.
    pub expires_at_ms: i64,
}
