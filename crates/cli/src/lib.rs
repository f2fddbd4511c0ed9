//! The command line: the binary `deputy`, and the parts that the desktop window shares to start a host.
//!
//! `args` defines the arguments, and `commands` implements the commands, one file per command. `session` connects to
//! the host, in this process or another. `view` shows the progress of a task.

mod args;
mod commands;
mod failure;
mod home;
mod session;
mod sidecar;
mod ui;
mod view;

pub use deputy_agent::answer_git;
pub use failure::Failure;
pub use home::Homes;
pub use session::{OwnHost, Tasks};
pub use ui::serve_page;

use clap::Parser;
use deputy_protocol::ErrorCode;
use failure::End;
use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

/// Runs the command line and returns its exit code.
pub fn main() -> ExitCode {
    if let Some(end) = answer_git() {
        return end;
    }
    let typed: Vec<OsString> = std::env::args_os().collect();
    let args = match args::Args::try_parse_from(&typed) {
        Ok(args) => args,
        Err(error) => return not_understood(&error, &typed),
    };
    log_to_stderr();
    let json = args.json;
    // If the environment names this home, the suggested commands do not need `--home`.
    if let Some(home) = &args.home
        && std::env::var_os("DEPUTY_HOME").is_none_or(|named| named != home.as_os_str())
    {
        view::use_home(home);
    }
    let end = commands::execute(args).unwrap_or_else(|failure| {
        failure.print(json);
        failure.end()
    });
    if let Some(why) = view::lost_output() {
        let message = format!("Some of the output could not be written: {why}.");
        Failure::new(ErrorCode::Output, message, "Free some space, or send it elsewhere.").print(false);
        return if end == End::Done { End::Failed.into() } else { end.into() };
    }
    end.into()
}

/// Prints help, or a usage error. With `--json`, a usage error is printed as JSON like any other error.
fn not_understood(error: &clap::Error, typed: &[OsString]) -> ExitCode {
    let is_wrong = error.use_stderr();
    let is_json = typed.iter().take_while(|word| *word != OsStr::new("--")).any(|word| word == "--json");
    if is_wrong && is_json {
        let text = error.to_string();
        let mut parts = text.trim_start_matches("error: ").splitn(2, "\n\n");
        let message = parts.next().unwrap_or_default().trim();
        Failure::usage(message, parts.next().unwrap_or_default().trim()).print(true);
    } else {
        // If the output is closed, there is nobody to inform.
        let _ = error.print();
    }
    if is_wrong { End::Usage.into() } else { End::Done.into() }
}

/// Logs to standard error. `DEPUTY_LOG` sets the filter; the default is Deputy's own warnings and errors. Those of
/// libraries, such as readers of documents, are not for the person at the screen.
pub fn log_to_stderr() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("DEPUTY_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("off,deputy=warn"));
    let is_terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    log.with_ansi(is_terminal).compact().init();
}
