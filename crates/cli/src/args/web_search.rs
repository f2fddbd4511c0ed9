//! Arguments of `deputy web-search`.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum WebSearchCommand {
    /// List search providers, built in and your own.
    List,
    /// Choose a provider.
    Use {
        /// Provider name.
        name: String,
        /// Its address, if it has no default.
        #[arg(long, value_name = "URL")]
        address: Option<String>,
    },
    /// Run one search and show the result.
    Check,
    /// Store a provider's key in the desktop keyring; prompts for it or reads standard input.
    Key {
        /// Provider name (default: the one in use).
        name: Option<String>,
        /// Remove the key instead.
        #[arg(long)]
        remove: bool,
    },
}
