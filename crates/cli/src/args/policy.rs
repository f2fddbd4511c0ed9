//! Arguments of `deputy policy`.

use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum PolicyCommand {
    /// Decide on cases, one JSON object per line; runs nothing.
    Check {
        /// Read the cases from standard input.
        #[arg(long, required = true)]
        stdin: bool,
    },
    /// Show the parts of a command and the decision on each.
    Explain {
        /// The command, as one argument.
        command: String,
        /// The folder it would run in.
        #[arg(long = "in", value_name = "DIR", default_value = ".")]
        folder: PathBuf,
    },
    /// Check and list the rules in rules.toml.
    Rules {
        #[command(subcommand)]
        command: Option<RulesCommand>,
    },
    /// List saved permissions, or revoke one.
    Grants {
        #[command(subcommand)]
        command: Option<GrantsCommand>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// Check a rules file with its examples.
    Test {
        /// Rules file to check.
        file: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum GrantsCommand {
    /// Revoke a saved permission.
    Revoke {
        /// Its ID, or its first characters.
        id: String,
    },
}
