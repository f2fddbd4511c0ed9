//! What can be typed after `deputy memory`.

use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    /// What later tasks may be given of what earlier ones said, newest first.
    List {
        #[command(flatten)]
        which: Which,
    },
    /// Memories with all of these words, newest first; the last may be the beginning of one.
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
    /// Put other words in a memory's place.
    Edit {
        /// Its number.
        memory: u64,
        /// The words.
        text: String,
    },
    /// Forget a memory and whatever says the very same. No later task is given it; the story of the task that said it
    /// (`deputy show`) keeps it.
    Forget {
        /// Its number.
        memory: u64,
    },
    /// Let tasks in other folders be given a memory too. What files, commands and planners said stays in its own folder
    /// until then.
    Promote {
        /// Its number.
        memory: u64,
    },
    /// How much can be found by its meaning, what waits to be, and why not.
    Stats,
    /// Make what finds memories by their meaning anew; what is there serves until then.
    Rebuild,
    /// Bring back a memory that was forgotten.
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
    /// So many at most.
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) limit: usize,
    /// Only what this task said: its id, or the beginning of it, or `last`.
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<String>,
    /// Only what tasks in this folder said.
    #[arg(long = "in", value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}
