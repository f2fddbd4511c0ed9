//! The sidecar client against real child processes: good ones, broken ones and hostile ones.

mod crashes;
mod hostile;
mod requests;
mod secrets;
mod support;
