//! Simple commands judged: floor, wrappers, rules, table, and what the rest may do.

mod beside;
pub(crate) mod effects;
pub(crate) mod environment;
pub(crate) mod git;
pub(crate) mod hints;
pub(crate) mod judge;
pub(crate) mod paths;
mod reveal;
pub(crate) mod simple;
mod together;
mod tracked;
pub(crate) mod words;
pub(crate) mod wrappers;
