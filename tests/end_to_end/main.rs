//! End-to-end tests through the built binary, in a temporary home.
// A panic is a failed test, in the functions that tests share, too.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod answers;
mod asked;
mod background;
mod command_line;
mod crashes;
mod database;
mod documents;
mod edits;
mod headless;
mod hostile_sidecar;
mod hosts;
mod loans;
mod memory;
mod memory_upkeep;
mod organize;
mod organize_by_hand;
mod organize_large;
mod organize_model;
mod organize_terminal;
mod organize_troubles;
mod planner;
mod policy;
mod power;
mod queue;
mod refused;
mod restarts;
mod rules;
mod secrets;
mod support;
mod surroundings;
mod terminal;
mod undo;
mod wider;
