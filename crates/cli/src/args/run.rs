//! Arguments of `deputy run`.

use super::Consent;
use super::money::hundredths;
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct RunArgs {
    /// What you want done.
    pub(crate) task: String,
    /// The folder to work in.
    #[arg(long = "in", value_name = "DIR", default_value = ".")]
    pub(crate) folder: PathBuf,
    /// The kind of agent.
    #[arg(long)]
    pub(crate) profile: Option<String>,
    /// Backend to plan with.
    #[arg(long)]
    pub(crate) backend: Option<String>,
    /// Model of that backend.
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// Continue a conversation: the newest one in this folder, or the one of a task or session.
    #[arg(long = "continue", value_name = "SESSION", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) conversation: Option<String>,
    /// Stop after this many steps.
    #[arg(long, value_name = "N")]
    pub(crate) max_iterations: Option<u32>,
    /// Pause after this many minutes of work.
    #[arg(long, value_name = "N")]
    pub(crate) max_minutes: Option<u64>,
    /// Pause after this many tokens.
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
    /// Pause after spending this much, in the currency of your prices, e.g. 0.50.
    #[arg(long, value_name = "AMOUNT", value_parser = hundredths)]
    pub(crate) max_cost: Option<u64>,
    /// Approve requests up to this risk without asking.
    #[arg(long, value_name = "RISK")]
    pub(crate) yes: Option<Consent>,
    /// Also let the task read this folder (repeatable).
    #[arg(long, value_name = "DIR")]
    pub(crate) read: Vec<PathBuf>,
    /// Let the task change this folder instead of the one it works in (repeatable).
    #[arg(long, value_name = "DIR")]
    pub(crate) write: Vec<PathBuf>,
    /// Restrict the task to this file (repeatable).
    #[arg(long, value_name = "FILE")]
    pub(crate) only: Vec<PathBuf>,
    /// Restrict the task to files with this tag (repeatable).
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// Name files in plans like this example, such as `lower-case` or `yyyy-mm-dd_Title_Case`.
    #[arg(long, value_name = "EXAMPLE")]
    pub(crate) names: Option<String>,
    /// Start the task in the background and return.
    #[arg(long)]
    pub(crate) detach: bool,
}
