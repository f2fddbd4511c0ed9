//! What can be typed.

mod memory;
mod queue;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use deputy_protocol::{DeviceScope, Risk};
pub(crate) use memory::{MemoryCommand, Which};
pub(crate) use queue::QueueCommand;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Deputy: hand it a task, and it works on your machine through a shell and your files.
#[derive(Debug, Parser)]
#[command(name = "deputy", version, arg_required_else_help = true, max_term_width = 100)]
pub(crate) struct Args {
    /// Deputy's own folder: configuration, data and socket.
    #[arg(long, global = true, env = "DEPUTY_HOME", value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// One JSON object a line on standard output, logs on standard error.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Hand over a task and watch it.
    Run(RunArgs),
    /// Keep tasks running in the background, and serve the page; the other commands find them there.
    Serve(ServeArgs),
    /// A fresh link that opens the page of the host that serves, once.
    Open,
    /// What runs, and what waits for you.
    Status,
    /// All tasks, newest first.
    Tasks {
        /// At most so many.
        #[arg(long, default_value_t = 20)]
        limit: u32,
    },
    /// Tasks that wait for their turn, in the order in which they will start; without a word more, they are listed.
    Queue {
        #[command(subcommand)]
        command: Option<QueueCommand>,
    },
    /// Everything that happened in a task.
    Show {
        /// The task's id, or its beginning, or `last`.
        task: String,
    },
    /// Watch a task and answer it.
    Follow {
        /// The task's id, or its beginning, or `last`.
        task: String,
    },
    /// Let a task wait.
    Pause {
        /// The task's id, or its beginning, or `last`.
        task: String,
    },
    /// Let a waiting task go on.
    Resume {
        /// The task's id, or its beginning, or `last`.
        task: String,
    },
    /// End a task; what runs may finish first.
    Stop {
        /// The task's id, or its beginning, or `last`.
        task: String,
        /// Stop only this background command of it, e.g. `b1`.
        #[arg(long, value_name = "ID")]
        background: Option<String>,
    },
    /// Say something to a task while it works.
    Steer {
        /// The task's id, or its beginning, or `last`.
        task: String,
        /// What to say.
        text: String,
    },
    /// Answer a question.
    Answer {
        /// The question's id.
        request: String,
        /// The answer.
        text: String,
    },
    /// Allow what a permission request asks.
    Approve {
        /// The request's id.
        request: String,
        /// For how long, as far as the request offers it: once, task, session, 30m (minutes) or always.
        #[arg(long = "for", default_value = "once", value_name = "HOW_LONG")]
        lifetime: String,
        /// Remember more than exactly this call, where that is offered: further words, or the file's folder.
        #[arg(long)]
        wider: bool,
        /// Leave out one of several edits, by its number or its file; may be given more than once.
        #[arg(long, value_name = "PATH_OR_NUMBER")]
        drop: Vec<String>,
    },
    /// Refuse what a permission request asks.
    Deny {
        /// The request's id.
        request: String,
        /// Told to the planner.
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Tidy folders by one plan, which you see and approve as a whole.
    Organize(OrganizeArgs),
    /// What was organised, newest first.
    Jobs {
        /// So many at most.
        #[arg(long, default_value_t = 20, value_name = "N")]
        limit: usize,
        #[command(subcommand)]
        command: Option<JobsCommand>,
    },
    /// Take back what a task, one of its calls, or a job changed.
    Undo {
        /// The task's, the call's or the job's id.
        what: String,
        /// Only say what would be done.
        #[arg(long)]
        dry_run: bool,
        /// What happens with a job's files that were changed, moved or replaced since.
        #[arg(long, value_enum, default_value = "skip", value_name = "CHOICE")]
        on_conflict: OnConflict,
    },
    /// What later tasks may be given of what earlier ones said.
    #[command(subcommand)]
    Memory(MemoryCommand),
    /// Rules and grants: what may run.
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// Phones and browsers that may look on and answer.
    #[command(subcommand)]
    Devices(DevicesCommand),
    /// Model backends.
    #[command(subcommand)]
    Backends(BackendsCommand),
    /// Profiles: the kinds of agent.
    #[command(subcommand)]
    Profiles(ProfilesCommand),
    /// What this machine has, what is missing, and what to do about it.
    Doctor,
    /// Settings.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print the completions of a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ServeArgs {
    /// Where the page, the API and the WebSocket are served: an address of loopback.
    #[arg(long, value_name = "ADDR", value_parser = address)]
    pub(crate) listen: Option<SocketAddr>,
}

/// An address with its port; `localhost` is what people type for the first.
fn address(text: &str) -> Result<SocketAddr, String> {
    let written = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    written
        .as_deref()
        .unwrap_or(text)
        .parse()
        .map_err(|_| "give an address and a port, e.g. 127.0.0.1:9120".to_owned())
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RunArgs {
    /// What is to be done, in your words.
    pub(crate) task: String,
    /// The folder to work in.
    #[arg(long = "in", value_name = "DIR", default_value = ".")]
    pub(crate) folder: PathBuf,
    /// The kind of agent.
    #[arg(long)]
    pub(crate) profile: Option<String>,
    /// Who plans.
    #[arg(long)]
    pub(crate) backend: Option<String>,
    /// Stop after so many iterations.
    #[arg(long, value_name = "N")]
    pub(crate) max_iterations: Option<u32>,
    /// Pause after so many minutes of work.
    #[arg(long, value_name = "N")]
    pub(crate) max_minutes: Option<u64>,
    /// Pause after so many tokens.
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
    /// Allow requests up to this risk without asking.
    #[arg(long, value_name = "RISK")]
    pub(crate) yes: Option<Consent>,
    /// Another folder that it may read; can be given several times.
    #[arg(long, value_name = "DIR")]
    pub(crate) read: Vec<PathBuf>,
    /// A folder that it may propose to change, instead of the one it works in; can be given several times.
    #[arg(long, value_name = "DIR")]
    pub(crate) write: Vec<PathBuf>,
    /// A file that it may touch, and no file but those given so.
    #[arg(long, value_name = "FILE")]
    pub(crate) only: Vec<PathBuf>,
    /// A tag of files that it may touch, and no file without one of those given so.
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// Hand over and return; the task runs in the background.
    #[arg(long)]
    pub(crate) detach: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct OrganizeArgs {
    /// The folders to tidy.
    #[arg(value_name = "DIR", required_unless_present = "apply", conflicts_with = "apply")]
    pub(crate) folders: Vec<PathBuf>,
    /// What the plan goes by.
    #[arg(long, value_enum, default_value = "everything", value_name = "WHAT")]
    pub(crate) by: By,
    /// How files are to be named: an example such as lower-case, "Title Case" or yyyy-mm-dd_lower_case, or the number of a
    /// suggestion of --plan-only, or none. Without it, a terminal asks, and elsewhere names stay.
    #[arg(long, value_name = "CONVENTION")]
    pub(crate) convention: Option<String>,
    /// Only show what would be done; with --json as a plan that --apply takes, edited or not.
    #[arg(long)]
    pub(crate) plan_only: bool,
    /// Do what this file says, as --plan-only --json wrote it.
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["by", "convention", "plan_only"])]
    pub(crate) apply: Option<PathBuf>,
    /// Who plans; without a model, rules do.
    #[arg(long)]
    pub(crate) backend: Option<String>,
    /// Allow requests up to this risk without asking; what puts files into the trash is of high risk, and always asked.
    #[arg(long, value_name = "RISK")]
    pub(crate) yes: Option<Consent>,
}

/// What a plan goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// Copies, projects, screenshots, what documents say, photographs by year, kinds.
    Everything,
    /// The kinds of files.
    Kind,
    /// Years and months.
    Date,
    /// Projects alone.
    Project,
    /// What documents say.
    Content,
    /// Copies alone.
    Duplicates,
    /// Names alone.
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

/// What happens with files that stand against undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnConflict {
    /// They stay as they are, and the rest is taken back.
    Skip,
    /// They come back as they are now, under another name where theirs is taken.
    KeepBoth,
    /// Then nothing is taken back.
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
    /// Go on with a job that was stopped or cut off.
    Resume {
        /// Its id.
        job: String,
        /// Leave out the operation at which it stopped, instead of trying it again.
        #[arg(long)]
        skip: bool,
    },
}

/// Risks that can be consented to beforehand; high is not among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Consent {
    /// Changes in the folder that undo takes back.
    Low,
    /// Also the network and changes elsewhere.
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
pub(crate) enum PolicyCommand {
    /// Decide on cases, one JSON object a line; nothing is run.
    Check {
        /// Read the cases from standard input.
        #[arg(long, required = true)]
        stdin: bool,
    },
    /// Show how a command is taken apart and what is decided on each part.
    Explain {
        /// The command, as one argument.
        command: String,
        /// The folder it would run in.
        #[arg(long = "in", value_name = "DIR", default_value = ".")]
        folder: PathBuf,
    },
    /// The rules of rules.toml, checked.
    Rules {
        #[command(subcommand)]
        command: Option<RulesCommand>,
    },
    /// What was remembered from your answers.
    Grants {
        #[command(subcommand)]
        command: Option<GrantsCommand>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// Check a rules file with its examples.
    Test {
        /// The file.
        file: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum GrantsCommand {
    /// End a grant.
    Revoke {
        /// Its id.
        id: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum DevicesCommand {
    /// Pair a device: it scans what is shown, and you compare six digits.
    Pair {
        /// What it may do beside looking on; can be given several times.
        #[arg(long = "may", value_name = "WHAT", default_values = ["approve"])]
        may: Vec<May>,
    },
    /// All devices.
    List,
    /// Give a device another name.
    Rename {
        /// Its id.
        device: String,
        /// The name.
        name: String,
    },
    /// End a device; its connections are cut at once.
    Revoke {
        /// Its id.
        device: String,
    },
}

/// What a device may do beside looking on.
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
    /// All backends, shipped and your own.
    List,
    /// Ask a backend for its models, to see whether it answers.
    Check {
        /// Its name; the configured one when absent.
        name: Option<String>,
    },
    /// Put a backend's key into the desktop's keyring; it is asked for, or read from standard input.
    Key {
        /// The backend; the configured one when absent.
        name: Option<String>,
        /// Forget it instead.
        #[arg(long)]
        remove: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProfilesCommand {
    /// All profiles, shipped and your own.
    List,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print a setting.
    Get {
        /// Words joined by dots.
        key: String,
    },
    /// Change a setting.
    Set {
        /// Words joined by dots.
        key: String,
        /// The value.
        value: String,
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
