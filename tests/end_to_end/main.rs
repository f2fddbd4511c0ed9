//! End-to-end tests through the built binary, in a temporary home.

mod answers;
mod crashes;
mod database;
mod headless;
mod hosts;
mod planner;
mod policy;
mod secrets;
mod support;
mod surroundings;
mod terminal;
mod undo;
