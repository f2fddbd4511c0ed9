//! What can be typed after `deputy memory`.

use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    /// List memories, newest first.
    List {
        #[command(flatten)]
        which: Which,
    },
    /// Find memories that contain all of these words, newest first.
    Search {
        /// The words.
        #[arg(required = true)]
        words: Vec<String>,
        #[command(flatten)]
        which: Which,
    },
    /// Remember something for later tasks in every folder.
    Add {
        /// The words.
        text: String,
        /// A preference about this, in a word or two, such as `language`; it takes the place of an older one about the same.
        #[arg(long, value_name = "SUBJECT")]
        about: Option<String>,
    },
    /// Replace a memory's text.
    Edit {
        /// Its number.
        memory: u64,
        /// The words.
        text: String,
    },
    /// Forget a memory and identical ones. Later tasks never see it; the task it came from (`deputy show`) keeps it.
    Forget {
        /// Its number.
        memory: u64,
    },
    /// Let tasks in every folder use a memory.
    Promote {
        /// Its number.
        memory: u64,
    },
    /// How much can be found by its meaning, what waits to be, and why not.
    Stats,
    /// Make what finds memories by their meaning anew; what is there serves until then.
    Rebuild,
    /// Restore a forgotten memory.
    Restore {
        /// Its number.
        memory: u64,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Which {
    /// Only facts and preferences that were put down to be remembered.
    #[arg(long)]
    pub(crate) kept: bool,
    /// Maximum number to show.
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) limit: usize,
    /// Only memories from this task: its ID, its first characters, or `last`.
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<String>,
    /// Only memories from tasks in this folder.
    #[arg(long = "in", value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}
