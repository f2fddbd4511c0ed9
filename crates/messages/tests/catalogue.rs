//! The tests of what reads the catalogue when this crate is built.

#[path = "../build/catalogue.rs"]
#[allow(dead_code, reason = "the build uses the rest")]
mod catalogue;
