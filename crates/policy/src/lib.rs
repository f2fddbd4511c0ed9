//! May it run? Pure functions from a call's facts to a decision with reasons.
//!
//! Order of precedence: the floor, the task's scope, the user's rules and grants, the built-in knowledge of
//! harmless things, and `Ask` for everything else. Nothing here executes or writes; links and git configuration are read.

pub mod check;
pub mod path;
pub mod rules;
mod situation;
mod subject;
mod unseen;
pub mod url;

pub use rules::Rules;
pub use situation::Situation;

/// How an approved or allowed shell access is to run: where no shell feature is used, no shell starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Execution {
    /// These words, directly.
    Argv(Vec<String>),
    /// This text, with bash.
    Bash(String),
}

