//! Simple commands judged: floor, wrappers, rules, table, and what the rest may do.

mod below;
mod beside;
mod code;
pub(crate) mod commits;
pub(crate) mod configures;
pub(crate) mod effects;
pub(crate) mod environment;
mod fetches;
mod forms;
pub(crate) mod git;
mod git_config;
pub(crate) mod git_person;
mod handed;
pub(crate) mod hints;
mod hooks;
mod index;
pub(crate) mod judge;
pub(crate) mod leftover;
pub(crate) mod loans;
mod loopback;
mod momentary;
mod outside;
mod parts;
pub(crate) mod paths;
mod printed;
mod programs;
mod reveal;
mod rewriting;
pub(crate) mod simple;
mod standing;
mod together;
mod tracked;
mod whatever;
pub(crate) mod words;
pub(crate) mod wrappers;

pub(crate) use outside::Reached;
