//! Sandboxing with the mechanisms of the operating system: runs a child process under a confinement.
//!
//! [`run`] starts a command with a clean environment, closed descriptors, limits and one of four
//! [`Confinement`](deputy_protocol::Confinement)s. It collects the output, and returns when the command *and everything
//! it started* is gone. If a confinement cannot be enforced, it returns an error ([`SandboxError::NoWalls`]) and runs
//! nothing.
//!
//! On Linux, a command that only reads is confined by Landlock and seccomp, which the child applies to itself. A
//! command that may change a folder, or that must not see something inside a readable folder, runs in bubblewrap.
#![cfg(target_os = "linux")]

mod bubblewrap;
mod cgroup;
mod child;
mod denied;
mod enclosure;
mod environment;
mod error;
mod filter;
mod keeper;
mod launch;
mod lent;
mod limits;
mod mount_point;
mod network;
mod outcome;
mod placeholder;
mod plan;
mod processes;
mod ruleset;
mod run;
mod scratch;
mod seatbelt;
mod sockets;
mod spec;
mod view;
mod walls;
mod warden;

pub use environment::{
    Environment, PersonEnvironment, SYSTEM_PATH, clean_env, resolve_program, resolve_program_in,
};
pub use error::SandboxError;
pub use lent::Lent;
pub use network::Network;
pub use outcome::{Attempt, Captured, Ended, LeftRunning, Outcome, Refused};
pub use run::{OutputSink, run, run_with};
pub use scratch::{ScratchFolder, lasting_scratch, remove_abandoned_scratch};
pub use seatbelt::{SeatbeltGrants, seatbelt_profile};
pub use spec::{ChildLimits, ChildSpec, Input, SharedMemory};
pub use view::is_of_machine;
pub use walls::{Walls, walls};
pub use warden::asking::{Reply, Wanted};
pub use warden::guard::Guard;
