//! One host a home: the lock, the Unix socket, and the client that speaks to it.
//!
//! The first process of a home takes the lock, owns the database and opens the socket; every other process is a
//! client of it. One JSON message a line, the shapes of `deputy_protocol`'s mirror.

mod client;
mod connection;
mod lock;
mod socket;

pub use client::{Client, ClientError};
pub use lock::{HomeLock, LockError};
pub use socket::{ServeError, Server};

/// A longer line than this ends the connection: commands are small, and nobody may fill the memory.
const MAX_LINE_BYTES: usize = 1024 * 1024;
