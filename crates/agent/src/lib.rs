//! The agent loop: a pure state machine, its driver, and the host of all tasks.
//!
//! `machine` decides what comes next without any access to the outside; `driver` performs it, with one driver for each
//! task; `host` owns the drivers and is the interface for clients.

pub mod backends;
mod blobs;
mod browser_settings;
pub mod config;
pub mod doctor;
mod documents;
pub mod keyring;
pub mod keys;
pub mod machine;
pub mod profile;

mod clock;
mod copying;
mod core;
mod driver;
mod git;
mod git_settings;
mod guidance;
mod host;
mod ids;
mod inference;
mod limits;
mod lineage;
mod loans;
pub mod marks;
mod meaning;
mod named_paths;
mod prices;
mod profile_files;
mod record;
mod redact;
mod repositories;
mod routing;
pub mod searching;
mod slots;
mod spending;
pub mod surroundings;
mod temporary;
mod tool_caches;
mod toolbox;
mod user_shell;
mod versions;

pub use clock::{Clock, system_clock};
pub use core::HostParts;
pub use host::{Host, HostError};
pub use loans::answer_git;

/// Redacts the secrets that are recognizable by their shape, for text that other people may see.
pub fn without_secrets(text: &str) -> std::borrow::Cow<'_, str> {
    redact::text(text)
}

/// Creates a new id for a command. Ids of commands are created by clients.
pub fn new_command_id() -> deputy_protocol::CommandId {
    deputy_protocol::CommandId(ids::fresh('m'))
}

/// Creates a new id for a paired device.
pub fn new_device_id() -> deputy_protocol::DeviceId {
    deputy_protocol::DeviceId(ids::fresh('d'))
}
