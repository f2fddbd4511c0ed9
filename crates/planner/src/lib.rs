//! Client of the Python sidecar: spawn, frame, time out, restart.
//!
//! Two ports, [`Planner`] and [`Embedder`], and what is behind them in real life: [`Sidecar`], which talks
//! newline-delimited JSON-RPC 2.0 over the standard streams of a child process. The child is not trusted: what it
//! writes is bounded, parsed into the protocol's types or left out, and never reaches a log with a key in it.

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
