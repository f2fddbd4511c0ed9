//! A real Chromium against a site on loopback.
#![allow(clippy::unwrap_used, clippy::expect_used)] // A panic in a test's support is a failed test.

mod bad;
mod bounds;
mod costs;
mod forms;
mod hosts;
mod pages;
mod site;
mod taken;
