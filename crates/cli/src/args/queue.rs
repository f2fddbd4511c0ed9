//! Arguments of `deputy queue`.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum QueueCommand {
    /// Move a queued task to the front.
    First {
        /// Task ID, its first characters, or `last`.
        task: String,
    },
    /// Move a queued task to the end.
    Last {
        /// Task ID, its first characters, or `last`.
        task: String,
    },
    /// Move a queued task right before another one.
    Move {
        /// Task ID, its first characters, or `last`.
        task: String,
        /// The other queued task.
        #[arg(long, value_name = "OTHER")]
        before: String,
    },
}
