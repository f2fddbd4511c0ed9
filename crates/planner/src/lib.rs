//! Client of the Python sidecar: process management, framing, timeouts and restarts.
//!
//! Defines two ports, [`Planner`] and [`Embedder`], and their implementation [`Sidecar`], which uses newline-delimited
//! JSON-RPC 2.0 over the standard streams of a child process. The child is not trusted: its output is limited in size,
//! parsed into the types of the protocol or discarded, and never logged with a key in it.

mod config;
mod conversation;
mod crash_log;
mod error;
mod lines;
mod link;
mod ports;
mod process;
mod redact;
mod relay;
mod sidecar;
mod supervisor;
mod wire;

pub use config::{BoundKey, LogSink, Redact, SidecarConfig};
pub use error::PlanError;
pub use ports::{Embedded, Embedder, Planner, ProgressSink};
pub use process::{EmbedderProcess, NoEmbedder};
pub use sidecar::Sidecar;
