//! Chores of the workspace: code generation and the tidy check.

fn main() {}
