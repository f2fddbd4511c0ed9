//! Test doubles for the boundaries of the system: a scripted planner, a scripted model server, a temporary home, crash
//! points, a bad network, and power loss.
//!
//! Everything inside these boundaries is real in a test: the store is SQLite, the command line is the built binary, and
//! the model is a local server that speaks the same dialect as real ones.

mod binary;
pub mod chaos;
mod child;
mod clock;
mod crash;
mod dice;
mod home;
mod json_lines;
pub mod model;
pub mod power;
pub mod refused;
mod scripted_planner;
pub mod secrets;
mod seed;
mod site;
mod suite;

pub use binary::deputy_binary;
pub use child::{Background, Finished};
pub use clock::FakeClock;
pub use crash::{CRASH_VARIABLE, CrashPoint, Fate, crash_at_every_commit, crash_at_some_commits, run_to};
pub use dice::Dice;
pub use home::TempHome;
pub use json_lines::JsonLines;
pub use model::{Script, ScriptedModel, Turn};
pub use scripted_planner::{Answer, ScriptedPlanner, calls, done, question};
pub use seed::{seed, seed_or};
pub use site::{page, site};
pub use suite::is_full;
