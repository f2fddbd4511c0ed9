//! The web server: the desktop's page, the WebSocket and the HTTP API, on loopback only.

mod api;
mod failure;
mod guard;
mod pages;
mod peer;
mod serve;
mod socket;

pub use serve::{WebError, WebServer, WebSettings};

/// Port of the desktop's page, the API and the WebSocket.
pub const DEFAULT_PORT: u16 = 9120;
