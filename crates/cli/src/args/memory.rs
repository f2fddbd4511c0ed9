//! Arguments of `deputy memory`.

use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    /// List memories, newest first.
    List {
        #[command(flatten)]
        which: Which,
    },
    /// Find memories and passages of indexed documents, by words and by meaning, best first.
    Search {
        /// Words to search for.
        #[arg(required = true)]
        words: Vec<String>,
        /// List every memory that contains all of the words, newest first.
        #[arg(long)]
        newest: bool,
        #[command(flatten)]
        which: Which,
    },
    /// Remember something for later tasks in every folder.
    Add {
        /// The text.
        text: String,
        /// Save it as a preference about this subject, such as `language`; it replaces an older one about the same.
        #[arg(long, value_name = "SUBJECT")]
        about: Option<String>,
    },
    /// Replace a memory's text.
    Edit {
        /// Its number.
        memory: u64,
        /// The text.
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
    /// Show how many memories can be found by meaning, and what is pending.
    Stats,
    /// Rebuild the index that finds memories by meaning; the old one works until then.
    Rebuild {
        /// Wait until it is done.
        #[arg(long)]
        wait: bool,
    },
    /// Index a folder's documents so that tasks can recall passages, or update it: Markdown, text, PDF, Office, OpenDocument, EPUB.
    Index {
        /// Folder to index.
        folder: PathBuf,
        /// Let tasks in every folder use its passages, not only those that may read it.
        #[arg(long)]
        everywhere: bool,
        /// Wait until its passages can be found by meaning too.
        #[arg(long)]
        wait: bool,
        /// Remove its passages; the files stay.
        #[arg(long, conflicts_with_all = ["everywhere", "wait"])]
        drop: bool,
    },
    /// Forget memories by age, count or kind. Shows what it would forget; `--apply` does it.
    Prune {
        #[command(flatten)]
        rule: PruneArgs,
        /// Apply it; each memory can be restored.
        #[arg(long)]
        apply: bool,
    },
    /// Export all memories to a file, one JSON object per line.
    Export {
        /// The file, which must not exist yet; `-` for standard output.
        file: PathBuf,
    },
    /// Import exported memories; those already here are skipped.
    Import {
        /// File to import.
        file: PathBuf,
    },
    /// Restore a forgotten or pruned memory.
    Restore {
        /// Its number.
        memory: u64,
    },
}

#[derive(Debug, ClapArgs)]
#[group(id = "rule", required = true, multiple = true)]
pub(crate) struct PruneArgs {
    /// Only memories older than this, such as `90d`, `6w` or `1y`.
    #[arg(long, value_name = "AGE", value_parser = age)]
    pub(crate) older_than: Option<std::time::Duration>,
    /// Keep this many of the newest.
    #[arg(long, value_name = "N")]
    pub(crate) keep: Option<u64>,
    /// Only this kind (repeatable); by default what was said, planned and returned by calls.
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Vec<MemoryKindArg>,
}

/// A kind of memory, as it is typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MemoryKindArg {
    /// What you said to tasks.
    Said,
    /// What the model said.
    Plans,
    /// Tool output.
    Results,
    /// Saved facts.
    Facts,
    /// Saved preferences.
    Preferences,
}

/// Parses an age such as `90d`.
fn age(text: &str) -> Result<std::time::Duration, BadAge> {
    let (number, unit) = text.split_at(text.len() - text.chars().next_back().map_or(0, char::len_utf8));
    let days = match unit {
        "d" => 1,
        "w" => 7,
        "m" => 30,
        "y" => 365,
        _ => return Err(BadAge),
    };
    let seconds = number.parse::<u64>().ok().and_then(|number| number.checked_mul(days * 24 * 3600));
    seconds.filter(|seconds| *seconds < 1 << 40).map(std::time::Duration::from_secs).ok_or(BadAge)
}

/// The error for a text that is not an age.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("expected a number and `d`, `w`, `m` or `y`, such as `90d`")]
pub(crate) struct BadAge;

/// The default number of memories to list.
const LISTED: usize = 20;

#[derive(Debug, ClapArgs)]
pub(crate) struct Which {
    /// Only saved facts and preferences.
    #[arg(long)]
    pub(crate) kept: bool,
    /// Maximum number to show.
    #[arg(long, default_value_t = LISTED, value_name = "N")]
    pub(crate) limit: usize,
    /// Only memories from this task: its ID, its first characters, or `last`.
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<String>,
    /// Only memories from tasks in this folder.
    #[arg(long = "in", value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}

impl Default for Which {
    fn default() -> Self {
        Self { kept: false, limit: LISTED, task: None, folder: None }
    }
}
