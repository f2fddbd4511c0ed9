//! The web server: the page, the WebSocket and the HTTP API; on loopback in the clear, for devices through TLS.

mod api;
mod body;
mod crowd;
mod door;
mod failure;
mod guard;
mod pace;
mod pages;
mod peer;
mod serve;
mod socket;

pub use door::serve_devices;
pub use serve::{WebError, WebServer, WebSettings};

/// Port of the desktop's page, the API and the WebSocket.
pub const DEFAULT_PORT: u16 = 9120;
