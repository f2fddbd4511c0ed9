//! Who may connect: the proof in a hello, and the link that opens the desktop's own page.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the server sends first on a connection that has to be proved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Challenge {
    /// Random, for this connection only; a device signs it.
    pub challenge: String,
}

/// Why a client may connect. The Unix socket needs none: only its owner can open it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "proof", rename_all = "snake_case")]
pub enum Proof {
    /// A session that was opened over HTTP.
    Session(SessionProof),
}

/// A session that was opened over HTTP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionProof {
    /// The session's secret.
    pub session: String,
}

/// A link that opens the desktop's own page; for clients of the Unix socket and of that page only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LinkQuery {}

/// A link that opens the desktop's own page, once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LinkAnswer {
    /// The address; its secret stands behind the `#`, where no server and no log sees it.
    pub url: String,
    /// Until when it can be used.
    pub expires_at_ms: i64,
}
