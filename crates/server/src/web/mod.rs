//! The web server: the page, the WebSocket and the HTTP API. Unencrypted on loopback, with TLS for devices.

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

/// The default port of the desktop page, the API and the WebSocket.
pub const DEFAULT_PORT: u16 = 9120;
