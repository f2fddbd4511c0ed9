//! What lies within bounds: paths and addresses by their published cases, by tables and by chance.

#![allow(clippy::unwrap_used, reason = "a panic here is a failed test")]

mod addresses;
mod corpus;
mod ground;
mod names;
mod paths;
mod remembered;
mod scope;
mod standing;
