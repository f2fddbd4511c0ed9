//! The arguments of the command line.

mod conversation;
mod memory;
mod money;
mod policy;
mod queue;
mod run;
mod web_search;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
pub(crate) use conversation::ConversationCommand;
use deputy_protocol::{DeviceScope, Risk};
pub(crate) use memory::{MemoryCommand, MemoryKindArg, PruneArgs, Which};
pub(crate) use money::UsageBy;
pub(crate) use policy::{GrantsCommand, PolicyCommand, RulesCommand};
pub(crate) use queue::QueueCommand;
pub(crate) use run::RunArgs;
use std::net::SocketAddr;
use std::path::PathBuf;
pub(crate) use web_search::WebSearchCommand;

/// Deputy works on tasks on your computer, with your shell and your files, and asks before anything that matters.
#[derive(Debug, Parser)]
#[command(name = "deputy", version, max_term_width = 100)]
pub(crate) struct Args {
    /// Deputy's own folder: configuration, data and socket.
    #[arg(long, global = true, env = "DEPUTY_HOME", value_name = "DIR", help_heading = "Global options")]
    pub(crate) home: Option<PathBuf>,
    /// Print one JSON object per line on standard output; logs go to standard error.
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) json: bool,
    /// What to do; alone, `deputy` shows what waits for you and what runs.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Start a task and watch it.
    Run(Box<RunArgs>),
    /// Run tasks in the background and serve the page; other commands use it while it runs.
    Serve(ServeArgs),
    /// Print a link that opens the page; it works once.
    Open,
    /// Show what is running and what needs your answer.
    Status,
    /// List tasks, newest first, or search them.
    #[command(visible_alias = "list", alias = "ls")]
    Tasks {
        /// Only conversations with all of these words in a request, a title or the folder, archived ones included.
        words: Vec<String>,
        /// Maximum number to show.
        #[arg(long, default_value_t = 20)]
        limit: u32,
        /// List archived conversations instead.
        #[arg(long)]
        archived: bool,
    },
    #[command(flatten)]
    Conversation(ConversationCommand),
    /// List queued tasks in the order they will start, or reorder them.
    Queue {
        #[command(subcommand)]
        command: Option<QueueCommand>,
    },
    /// Show everything that happened in a task.
    Show {
        /// Task ID, its first characters, or `last`.
        task: String,
        /// Show exactly what was sent to the model in this step and what came back, without secrets.
        #[arg(long, value_name = "STEP")]
        prompt: Option<u32>,
    },
    /// Show everything that a task changed: files, build output, commits and branches.
    Diff {
        /// Task ID, its first characters, or `last`.
        task: String,
    },
    /// Show what models cost: by day, task, model or backend, or step by step for one task.
    Usage {
        /// Show the steps of this task: its ID, its first characters, or `last`.
        task: Option<String>,
        /// Days to look back, today included.
        #[arg(long, default_value_t = 30, value_name = "N", conflicts_with = "task")]
        days: u32,
        /// What to group by.
        #[arg(long, value_enum, default_value = "day", value_name = "WHAT", conflicts_with = "task")]
        by: UsageBy,
    },
    /// Watch a task and answer its requests.
    Follow {
        /// Task ID, its first characters, or `last`.
        task: String,
    },
    /// Pause a task.
    Pause {
        /// Task ID, its first characters, or `last`.
        task: String,
    },
    /// Resume a paused task.
    Resume {
        /// Task ID, its first characters, or `last`.
        task: String,
    },
    /// Stop a task; the running call may finish first.
    Stop {
        /// Task ID, its first characters, or `last`.
        task: String,
        /// Stop only this background command, e.g. `b1`.
        #[arg(long, value_name = "ID")]
        background: Option<String>,
    },
    /// Let another model continue a task, from its next step on.
    #[command(group = clap::ArgGroup::new("to").required(true).multiple(true))]
    Switch {
        /// Task ID, its first characters, or `last`.
        task: String,
        /// Backend to plan with.
        #[arg(long, group = "to")]
        backend: Option<String>,
        /// Model of that backend.
        #[arg(long, group = "to")]
        model: Option<String>,
    },
    /// Use a task's browser yourself, for instance to sign in.
    #[command(subcommand)]
    Browser(BrowserCommand),
    /// Add an instruction to a running task.
    Steer {
        /// Task ID, its first characters, or `last`.
        task: String,
        /// The instruction.
        text: String,
    },
    /// Answer a question.
    Answer {
        /// Question ID, or its first characters.
        request: String,
        /// The answer.
        text: String,
    },
    /// Approve a permission request.
    Approve {
        /// Request ID, or its first characters.
        request: String,
        /// For how long, among what the request offers: once, names, folder, task, session, 30m (minutes) or always.
        #[arg(long = "for", default_value = "once", value_name = "HOW_LONG")]
        lifetime: String,
        /// Also allow similar commands, or the file's whole folder, where that is offered.
        #[arg(long)]
        wider: bool,
        /// Leave out one of several steps, by number or file (repeatable).
        #[arg(long, value_name = "PATH_OR_NUMBER")]
        drop: Vec<String>,
    },
    /// Ask for a change of what is requested: the model submits it again.
    Change {
        /// Request ID, or its first characters.
        request: String,
        /// What to change, for the model.
        words: String,
    },
    /// Deny a permission request.
    Deny {
        /// Request ID, or its first characters.
        request: String,
        /// The reason, or what to do instead; the model will see it.
        #[arg(default_value = "", conflicts_with = "reason")]
        words: String,
        /// The same as WORDS.
        #[arg(long, default_value = "", value_name = "WORDS")]
        reason: String,
    },
    /// Tidy folders with a plan you approve once and can undo.
    Organize(OrganizeArgs),
    /// List organize jobs, newest first, or resume one.
    Jobs {
        /// Maximum number to show.
        #[arg(long, default_value_t = 20, value_name = "N")]
        limit: usize,
        #[command(subcommand)]
        command: Option<JobsCommand>,
    },
    /// Undo what a task, a call or a job changed.
    Undo {
        /// ID of the task, call or job, its first characters, or `last`.
        what: String,
        /// Only show what would be undone.
        #[arg(long)]
        dry_run: bool,
        /// Leave commits, branches, the index and the stash of git as they are.
        #[arg(long)]
        files: bool,
        /// What to do with files that were changed, moved or replaced since.
        #[arg(long, value_enum, default_value = "skip", value_name = "CHOICE")]
        on_conflict: OnConflict,
    },
    /// Redo what the last undo of a task undid.
    Redo {
        /// Task ID, its first characters, or `last`.
        task: String,
        /// Leave commits, branches, the index and the stash of git as they are.
        #[arg(long)]
        files: bool,
    },
    /// Show, edit and forget what Deputy remembers from past tasks.
    Memory {
        #[command(subcommand)]
        command: Option<MemoryCommand>,
    },
    /// Show and check the rules and saved permissions for what may run.
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// Pair and manage phones and browsers.
    Devices {
        #[command(subcommand)]
        command: Option<DevicesCommand>,
    },
    /// List and check model backends.
    Backends {
        #[command(subcommand)]
        command: Option<BackendsCommand>,
    },
    /// Set up web search for tasks.
    WebSearch {
        #[command(subcommand)]
        command: Option<WebSearchCommand>,
    },
    /// List profiles, the kinds of agent.
    Profiles {
        #[command(subcommand)]
        command: Option<ProfilesCommand>,
    },
    /// Check this computer: what works, what is missing, and how to fix it.
    Doctor,
    /// Show and change settings.
    Config {
        #[command(subcommand)]
        command: Option<ConfigCommand>,
    },
    /// Print shell completions.
    Completions {
        /// Shell to complete for.
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write the pages of all commands to a folder.
    Man {
        /// Folder for the pages of all commands.
        #[arg(value_name = "DIR")]
        into: Option<PathBuf>,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ServeArgs {
    /// Loopback address to serve the page, the API and the WebSocket on.
    #[arg(long, value_name = "ADDR", value_parser = address)]
    pub(crate) listen: Option<SocketAddr>,
}

/// Parses an address with its port. `localhost` is an alias for `127.0.0.1`.
fn address(text: &str) -> Result<SocketAddr, String> {
    let written = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    written
        .as_deref()
        .unwrap_or(text)
        .parse()
        .map_err(|_| "give an address and a port, e.g. 127.0.0.1:9120".to_owned())
}

#[derive(Debug, ClapArgs)]
pub(crate) struct OrganizeArgs {
    /// The folders to tidy.
    #[arg(value_name = "DIR", required_unless_present = "apply", conflicts_with = "apply")]
    pub(crate) folders: Vec<PathBuf>,
    /// How to sort the files.
    #[arg(long, value_enum, default_value = "everything", value_name = "WHAT")]
    pub(crate) by: By,
    /// How to name files: an example such as lower-case, "Title Case" or yyyy-mm-dd_lower_case, the number of a suggestion
    /// from --plan-only, or none. Without it, a terminal asks; elsewhere names stay.
    #[arg(long, value_name = "CONVENTION")]
    pub(crate) convention: Option<String>,
    /// Only show the plan; with --json, print one that you can edit and pass to --apply.
    #[arg(long)]
    pub(crate) plan_only: bool,
    /// Carry out a plan written by --plan-only --json.
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["by", "convention", "plan_only"])]
    pub(crate) apply: Option<PathBuf>,
    /// Backend to plan with (default: built-in rules).
    #[arg(long)]
    pub(crate) backend: Option<String>,
    /// Approve up to this risk without asking; putting files in the trash is high risk and always asks.
    #[arg(long, value_name = "RISK")]
    pub(crate) yes: Option<Consent>,
}

/// What a plan sorts by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// Duplicates, projects, screenshots, document content, photos by year, file types.
    Everything,
    /// File type.
    Kind,
    /// Year and month.
    Date,
    /// Projects only.
    Project,
    /// Document content.
    Content,
    /// Duplicates only.
    Duplicates,
    /// Names only.
    Names,
}

impl From<By> for deputy_organize::plan::By {
    fn from(by: By) -> Self {
        match by {
            By::Everything => Self::Everything,
            By::Kind => Self::Kind,
            By::Date => Self::Date,
            By::Project => Self::Project,
            By::Content => Self::Content,
            By::Duplicates => Self::Duplicates,
            By::Names => Self::Names,
        }
    }
}

/// What happens to files that conflict with an undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnConflict {
    /// Leave them as they are and undo the rest.
    Skip,
    /// Restore them under another name if theirs is taken.
    KeepBoth,
    /// Undo nothing if there are any.
    Abort,
}

impl From<OnConflict> for deputy_protocol::OnConflict {
    fn from(choice: OnConflict) -> Self {
        match choice {
            OnConflict::Skip => Self::Skip,
            OnConflict::KeepBoth => Self::KeepBoth,
            OnConflict::Abort => Self::Abort,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum JobsCommand {
    /// Resume a job that was stopped or interrupted.
    Resume {
        /// Job ID, or its first characters.
        job: String,
        /// Skip the change at which it stopped instead of trying it again.
        #[arg(long)]
        skip: bool,
    },
}

/// Risks that can be consented to beforehand; high is not among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Consent {
    /// Changes in the folder that can be undone.
    Low,
    /// Also the network, and changes elsewhere.
    Medium,
}

impl From<Consent> for Risk {
    fn from(consent: Consent) -> Self {
        match consent {
            Consent::Low => Self::Low,
            Consent::Medium => Self::Medium,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum DevicesCommand {
    /// Pair a device: scan the code with it, then compare six digits.
    Pair {
        /// What it may do besides viewing (repeatable).
        #[arg(long = "may", value_name = "WHAT", default_values = ["approve"])]
        may: Vec<May>,
    },
    /// List paired devices.
    List,
    /// Rename a device.
    Rename {
        /// Device ID, or its first characters.
        device: String,
        /// The new name.
        name: String,
    },
    /// Revoke a device; its connections end at once.
    Revoke {
        /// Device ID, or its first characters.
        device: String,
    },
}

/// What a device may do besides viewing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum May {
    /// Nothing else.
    Monitor,
    /// Answer requests and questions.
    Approve,
    /// Start, steer, pause and stop tasks, and undo.
    Command,
}

impl From<May> for DeviceScope {
    fn from(may: May) -> Self {
        match may {
            May::Monitor => Self::Monitor,
            May::Approve => Self::Approve,
            May::Command => Self::Command,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum BackendsCommand {
    /// List backends, built in and your own.
    List,
    /// Check that a backend responds, and list its models.
    Check {
        /// Backend name (default: the configured one).
        name: Option<String>,
    },
    /// Store a backend's key in the desktop keyring; prompts for it or reads standard input.
    Key {
        /// Backend name (default: the configured one).
        name: Option<String>,
        /// Remove the key instead.
        #[arg(long)]
        remove: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProfilesCommand {
    /// List profiles, built in and your own.
    List,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// List the settings in config.toml; all others have their defaults.
    List,
    /// Print a setting.
    Get {
        /// Dotted key, e.g. limits.max_tokens.
        key: String,
    },
    /// Change a setting.
    Set {
        /// Dotted key, e.g. limits.max_tokens.
        key: String,
        /// The value.
        value: String,
    },
}

/// What is done with a task's browser.
#[derive(Debug, Subcommand)]
pub(crate) enum BrowserCommand {
    /// Open the browser in a window; the task waits meanwhile.
    Take {
        /// Task ID, its first characters, or `last`.
        task: String,
    },
    /// Close the window and let the task continue.
    Return {
        /// Task ID, its first characters, or `last`.
        task: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        Args::command().debug_assert();
    }
}
