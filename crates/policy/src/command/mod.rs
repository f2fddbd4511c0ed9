//! Simple commands judged: floor, wrappers, rules, table, and what the rest may do.

pub(crate) mod effects;
pub(crate) mod environment;
pub(crate) mod git;
pub(crate) mod hints;
pub(crate) mod judge;
pub(crate) mod paths;
pub(crate) mod simple;
mod tracked;
pub(crate) mod words;
pub(crate) mod wrappers;
