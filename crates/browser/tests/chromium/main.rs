//! Tests with a real Chromium and a site on loopback.
#![allow(clippy::unwrap_used, clippy::expect_used)] // A panic in a test helper is a failed test.

mod bad;
mod bounds;
mod costs;
mod forms;
mod held;
mod hosts;
mod pages;
mod site;
mod taken;
