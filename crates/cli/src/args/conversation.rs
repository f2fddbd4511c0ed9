//! What can be typed about a conversation as a whole.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum ConversationCommand {
    /// Run a task again, with the same request, folder and model.
    Again {
        /// Task ID, its first characters, or `last`.
        task: String,
        /// Start it in the background and return.
        #[arg(long)]
        detach: bool,
    },
    /// Rename a conversation.
    Rename {
        /// Any task of it: task ID, its first characters, or `last`.
        task: String,
        /// The title; leave it out to use the first request again.
        title: Option<String>,
    },
    /// Archive a conversation: `deputy tasks` leaves it out, and nothing is deleted.
    Archive {
        /// Any task of it: task ID, its first characters, or `last`.
        task: String,
        /// Bring it back.
        #[arg(long)]
        undo: bool,
    },
    /// Print a conversation as Markdown.
    Export {
        /// Any task of it: task ID, its first characters, or `last`.
        task: String,
    },
}
