//! What must hold against a hostile model, proven on the real engine, the real walls and the real agent.
//!
//! The figures and the commands that reproduce them are in `docs/security.md`. The commands of these tests are
//! destructive: they run in the sandbox only, in a home of their own, as a user that owns nothing else, and only after
//! [`canary::prove`] has seen the walls hold on this machine.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod attacks;
mod benign;
mod blind;
mod canary;
mod chains;
mod confined;
mod corpus;
mod folder_yes;
mod ground;
mod image;
mod judged;
mod listeners;
mod ordinary_user;
mod readers;
mod sinks;
mod sinks_outside;
mod size;
mod trace;
mod variations;
mod world;
