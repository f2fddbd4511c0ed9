//! Arguments of the commands for whole conversations.

use clap::Subcommand;
use std::path::PathBuf;

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
        /// The title; without one, the first request is the title again.
        title: Option<String>,
    },
    /// Archive a conversation: `deputy tasks` leaves it out, and nothing is deleted.
    Archive {
        /// Any task of it: task ID, its first characters, or `last`.
        task: String,
        /// Restore it.
        #[arg(long)]
        undo: bool,
    },
    /// Fork a conversation: start a new one from everything up to a step, with a new request.
    Fork {
        /// Task ID, its first characters, or `last`.
        task: String,
        /// What to do instead, or next.
        text: String,
        /// Last step to keep, by default the newest finished one. Files stay as they are now.
        #[arg(long, value_name = "STEP")]
        step: Option<u32>,
        /// Start it in the background and return.
        #[arg(long)]
        detach: bool,
    },
    /// Print a conversation as Markdown, or with --json in the format of `deputy import`.
    Export {
        /// Any task of it: task ID, its first characters, or `last`.
        task: String,
    },
    /// Import a conversation that was exported with --json, to read or to continue it.
    Import {
        /// File to import.
        file: PathBuf,
        /// Folder of the imported tasks.
        #[arg(long = "in", value_name = "DIR", default_value = ".")]
        folder: PathBuf,
    },
}
