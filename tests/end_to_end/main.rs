//! End-to-end tests through the built binary, in a temporary home.

mod answers;
mod headless;
mod hosts;
mod support;
mod terminal;
mod undo;
