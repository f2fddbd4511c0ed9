//! The policy: decides whether a call may run. Its functions are pure: they turn the facts of a call into a decision
//! with reasons.
//!
//! The order of precedence is: the floor, the task's scope, the user's rules and grants, the built-in table of
//! harmless operations, and `Ask` for everything else. Nothing here executes or writes; links, git configuration and
//! the contents of some files are read.

pub mod check;
mod command;
mod decide;
mod digest;
mod explain;
mod floor;
mod folder;
mod history;
mod offers;
pub mod path;
mod refused;
pub mod rules;
mod shell;
mod situation;
mod subject;
mod table;
mod together;
mod unseen;
pub mod url;
mod wider;

pub use command::git::is_repository;
pub use command::git_person::{GitSettings, git_settings};
pub use command::loans::{
    FileLoan, GitLoginLoan, Loan, Server, SignatureLoan, Site, SocketLoan, SshLoan, TokenLoan,
};
pub use command::python_environment::is_environment;
pub use decide::{Execution, Ruling, decide};
pub use digest::{BROWSER_TOOL, SHELL_TOOL};
pub use digest::{digest, digest_of_steps};
pub use explain::{explain, verdict};
pub use offers::{may_be_remembered, offers};
pub use refused::{Refusal, Refusals, touched};
pub use rules::{Rules, granted_reads, words};
pub use situation::Situation;
pub use table::schemas;
pub use together::{are_apart, can_join, edited, offers_for_all};
pub use unseen::visible;
