//! The table of harmless commands, which is data with an entry per command, and the check of an argv against it.

mod awk;
mod check;
mod entry;
#[cfg(test)]
mod examples;
mod facts;
mod itself;
mod kinds;
mod said;
mod schema;
mod sed;

pub(crate) use check::{Fit, Touch, check};
pub(crate) use entry::{Given, Kind, lookup};
pub(crate) use facts::facts;
pub(crate) use itself::is_about_itself;
pub(crate) use kinds::problem;
pub(crate) use said::said;
pub use schema::schemas;
