//! The types of Deputy's protocols: all data that crosses a process boundary.
//!
//! The crate only contains serde types and no I/O. `cargo xtask codegen` generates the JSON Schema, the TypeScript
//! types and the Python models from them. Two rules keep all four consistent:
//!
//! - Every union is internally tagged, and each of its variants wraps a named struct that no other union uses.
//! - Times are milliseconds since the Unix epoch (`*_ms`).

mod access;
mod backend;
mod background;
mod browser;
mod call;
mod command;
mod console;
mod conversation;
mod decision;
mod device;
mod documents;
mod error;
mod error_code;
mod event;
mod files;
mod fold;
mod grant;
mod guidance;
mod ids;
mod memory;
mod message;
mod mirror;
mod opening;
mod operation;
mod operations;
mod organize;
mod part;
mod permission;
mod phrase;
mod profile_files;
mod prompt;
mod queue;
mod report;
mod repository;
mod rules;
mod settings;
mod sidecar;
mod status;
mod subtask;
mod task;
mod todo;
mod undone;
mod upkeep;
mod usage;

pub use access::*;
pub use backend::*;
pub use background::*;
pub use browser::*;
pub use call::*;
pub use command::*;
pub use console::*;
pub use conversation::*;
pub use decision::*;
pub use device::*;
pub use documents::*;
pub use error::*;
pub use error_code::*;
pub use event::*;
pub use files::*;
pub use fold::*;
pub use grant::*;
pub use guidance::*;
pub use ids::*;
pub use memory::*;
pub use message::*;
pub use mirror::*;
pub use opening::*;
pub use operation::*;
pub use operations::*;
pub use organize::*;
pub use part::*;
pub use permission::*;
pub use phrase::*;
pub use profile_files::*;
pub use prompt::*;
pub use queue::*;
pub use report::*;
pub use repository::*;
pub use rules::*;
pub use settings::*;
pub use sidecar::*;
pub use status::*;
pub use subtask::*;
pub use task::*;
pub use todo::*;
pub use undone::*;
pub use upkeep::*;
pub use usage::*;

/// The JSON Schema of all types in this crate, as committed to the repository.
pub const JSON_SCHEMA: &str = include_str!("../generated/protocol.schema.json");

/// The version of all protocols in this crate. Peers with a different version are refused with an error.
pub const PROTOCOL_VERSION: u32 = 1;
