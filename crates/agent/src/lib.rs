//! The agent loop: a pure state machine, its driver, and the host of all tasks.
//!
//! `machine` decides what comes next and knows nothing of the world; `driver` does it, one driver a task; `host` owns
//! the drivers and is what screens speak to.

pub mod backends;
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
mod git_settings;
mod guidance;
mod host;
mod ids;
mod inference;
mod limits;
mod lineage;
mod loans;
mod meaning;
mod prices;
mod profile_files;
mod redact;
mod routing;
pub mod searching;
mod slots;
mod spending;
pub mod surroundings;
mod tool_caches;
mod toolbox;
mod user_shell;

pub use clock::{Clock, system_clock};
pub use core::HostParts;
pub use host::{Host, HostError};
pub use loans::answer_git;

/// A text without the secrets that are recognizable by their shape, for where anyone passing by may see it.
pub fn without_secrets(text: &str) -> std::borrow::Cow<'_, str> {
    redact::text(text)
}

/// A new id for a command, made by its client.
pub fn new_command_id() -> deputy_protocol::CommandId {
    deputy_protocol::CommandId(ids::fresh('m'))
}

/// A new id for a device that was paired.
pub fn new_device_id() -> deputy_protocol::DeviceId {
    deputy_protocol::DeviceId(ids::fresh('d'))
}
