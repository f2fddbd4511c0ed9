//! The sidecar client against real child processes: good ones, broken ones and hostile ones.

// Helpers of tests may unwrap like the tests themselves: a panic here is a failed test.
#![allow(clippy::unwrap_used)]

mod conversations;
mod crashes;
mod hostile;
mod requests;
mod secrets;
mod support;
