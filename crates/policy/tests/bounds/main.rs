//! Tests of paths and addresses: published cases, tables and random texts.

#![allow(clippy::unwrap_used, reason = "a panic here is a failed test")]

mod addresses;
mod corpus;
mod ground;
mod names;
mod paths;
mod remembered;
mod scope;
mod spelled;
mod standing;
