//! End-to-end tests through the built binary, in a temporary home.

mod answers;
mod crashes;
mod headless;
mod hosts;
mod planner;
mod support;
mod terminal;
mod undo;
