//! Tests plans on real file systems: simulated, executed, killed, resumed and undone.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a panic here is a failed test")]

mod bad_disks;
mod bad_input;
mod crash;
mod execution;
mod model;
mod plans;
mod power;
mod previews;
mod together;
mod world;
