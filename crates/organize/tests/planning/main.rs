//! Tests scans, naming conventions and offline plans on real folders.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a panic here is a failed test")]

mod planning;
mod scanning;
mod world;
