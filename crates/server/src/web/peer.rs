//! What is known of a connection before it says a word.

use std::net::SocketAddr;

/// The two ends of a connection, from the system and never from a header.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer {
    /// Where it comes from.
    pub(super) from: SocketAddr,
    /// The address of ours that it reached.
    pub(super) at: SocketAddr,
}
