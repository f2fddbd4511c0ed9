//! The server of a host: the lock of a home, the Unix socket, the web server, and the client of the socket. Each home
//! has one host.
//!
//! The first process of a home takes the lock, owns the database and opens the socket; every other process is a client
//! of it. `hub` encodes every event once, `connection` implements the conversation with one client over any transport,
//! `gate` authenticates callers, and `web` has the routes. Outside of `web`, HTTP only appears in the type of the texts
//! that are sent to a client.

mod client;
mod connection;
mod console;
mod devices;
mod gate;
mod hub;
mod line;
mod lock;
mod mirror;
mod notify;
#[cfg(test)]
mod operations_tests;
mod screens;
mod socket;
mod strict;
#[cfg(test)]
mod test_world;
mod web;
mod wire;

pub use client::{Client, ClientError};
pub use line::{LineReceiver, LineSender, open_line};
pub use lock::{HomeLock, LockError};
pub use mirror::Mirror;
pub use notify::{Notifier, NotifyError, Quiet, QuietError};
pub use socket::{ServeError, Server, connect_at, listen_at};
pub use web::{DEFAULT_PORT, WebError, WebServer, WebSettings, serve_devices};

/// The maximum length of a line, in bytes. A longer one ends the connection: commands are small, and a client must not
/// exhaust the memory.
const MAX_LINE_BYTES: usize = 1024 * 1024;
