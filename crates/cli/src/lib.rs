//! The command line: the binary `deputy`, and what it starts a host with, for the desktop window to do the same.
//!
//! `args` says what can be typed, `commands` does it, one file a command; `session` is the way to the host, whether
//! that is this process or another; `view` shows a task as it goes.

mod args;
mod commands;
mod failure;
mod home;
mod session;
mod sidecar;
mod ui;
mod view;

pub use failure::Failure;
pub use home::Homes;
pub use session::{OwnHost, Tasks};
pub use ui::serve_page;

use clap::Parser;
use std::process::ExitCode;

/// Does what was typed, and says how it ended.
pub fn main() -> ExitCode {
    let args = args::Args::parse();
    log_to_stderr();
    let json = args.json;
    match commands::execute(args) {
        Ok(end) => end.into(),
        Err(failure) => {
            failure.print(json);
            failure.end.into()
        }
    }
}

/// Logs go to standard error, warnings and worse unless `DEPUTY_LOG` says otherwise.
pub fn log_to_stderr() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("DEPUTY_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    let is_terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    log.with_ansi(is_terminal).compact().init();
}
