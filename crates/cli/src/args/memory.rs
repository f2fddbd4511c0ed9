//! What can be typed after `deputy memory`.

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
        /// The words.
        #[arg(required = true)]
        words: Vec<String>,
        /// List all memories that contain all of the words instead, newest first.
        #[arg(long)]
        newest: bool,
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
    /// Show how many memories search finds by meaning, what is waiting, and why.
    Stats,
    /// Embed all memories again. Search works meanwhile.
    Rebuild {
        /// Wait until it is done.
        #[arg(long)]
        wait: bool,
    },
    /// Let tasks recall passages of the documents in a folder, or update them: Markdown, text, PDF, Office, OpenDocument, EPUB.
    Index {
        /// The folder.
        folder: PathBuf,
        /// Give its passages to tasks in every folder, not only to those that may read it.
        #[arg(long)]
        everywhere: bool,
        /// Wait until all passages can be found by meaning, too.
        #[arg(long)]
        wait: bool,
        /// Forget its passages. The files stay.
        #[arg(long, conflicts_with_all = ["everywhere", "wait"])]
        drop: bool,
    },
    /// Forget memories by age, count or kind. Shows what it would forget; `--apply` does it.
    Prune {
        #[command(flatten)]
        rule: PruneArgs,
        /// Do it. Each memory can be restored.
        #[arg(long)]
        apply: bool,
    },
    /// Write all memories to a file, one JSON object a line.
    Export {
        /// The file, which must not be there yet; `-` for the standard output.
        file: PathBuf,
    },
    /// Import exported memories, from here or another home. Skips what is already here.
    Import {
        /// The file.
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
    /// Keep the newest N of them.
    #[arg(long, value_name = "N")]
    pub(crate) keep: Option<u64>,
    /// Only this kind; repeat it for several. Without it: said, plans and results.
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Vec<MemoryKindArg>,
}

/// A kind of memory, as it is typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MemoryKindArg {
    /// What you said to tasks.
    Said,
    /// What the planner said.
    Plans,
    /// What calls gave back.
    Results,
    /// Facts that were put down.
    Facts,
    /// Preferences that were put down.
    Preferences,
}

/// An age such as `90d`.
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

/// What was typed is not an age.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("expected a number and `d`, `w`, `m` or `y`, such as `90d`")]
pub(crate) struct BadAge;

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
