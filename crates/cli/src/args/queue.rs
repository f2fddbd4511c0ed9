//! What can be typed after `deputy queue`.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum QueueCommand {
    /// Let a queued task start before all others.
    First {
        /// The task's id, or its beginning, or `last`.
        task: String,
    },
    /// Let a queued task start after all others.
    Last {
        /// The task's id, or its beginning, or `last`.
        task: String,
    },
    /// Let a queued task start right before another one.
    Move {
        /// The task's id, or its beginning, or `last`.
        task: String,
        /// The other one, queued too.
        #[arg(long, value_name = "OTHER")]
        before: String,
    },
}
