//! Tests of the sidecar client with real child processes: well-behaved, broken and hostile ones.

// Test helpers may unwrap like the tests themselves: a panic here is a failed test.
#![allow(clippy::unwrap_used)]

mod conversations;
mod crashes;
mod hostile;
mod requests;
mod secrets;
mod support;
