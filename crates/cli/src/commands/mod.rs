//! The commands, one file per command.

mod backends;
mod config;
mod control;
mod convention;
mod conversation;
mod devices;
mod difference;
mod doctor;
mod jobs;
mod look;
mod memory;
mod open;
mod organize;
mod policy;
mod profiles;
mod prompt;
mod queue;
mod run;
mod serve;
mod undo;
mod usage;
mod web_search;

use crate::args::{
    Args, BackendsCommand, BrowserCommand, Command, ConfigCommand, DevicesCommand, MemoryCommand,
    WebSearchCommand, Which,
};
use crate::failure::{End, Failure};
use crate::home::Homes;
use crate::view::write_all;
use clap::CommandFactory;
use deputy_protocol::ErrorCode;
use std::path::Path;

/// Runs the command.
pub(crate) fn execute(args: Args) -> Result<End, Failure> {
    if args.json {
        crate::view::ids::keep_whole();
    }
    let cx = Context { homes: Homes::find(args.home.as_deref())?, json: args.json };
    // The files in the home decide what may run, so other users must not be able to change it. `doctor` reports this
    // problem along with all others.
    if !matches!(args.command, Some(Command::Doctor | Command::Completions { .. } | Command::Man { .. })) {
        cx.homes.check()?;
    }
    let Some(command) = args.command else { return run_async(look::overview(&cx)) };
    match command {
        // These commands need neither a host nor a runtime.
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Args::command(), "deputy", &mut script);
            write_all(&script);
            Ok(End::Done)
        }
        Command::Man { into } => manual(into.as_deref()),
        Command::Profiles { .. } => profiles::list(&cx),
        Command::Jobs { limit, command: None } => jobs::list(&cx, limit),
        Command::Policy(command) if policy::is_offline(&command) => policy::execute_offline(&cx, command),
        command => run_async(dispatch(&cx, command)),
    }
}

/// Prints the manual page of `deputy`, or writes the pages of all commands to files.
fn manual(into: Option<&Path>) -> Result<End, Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(
            ErrorCode::Output,
            format!("The manual could not be written: {error}."),
            "Name a folder that exists.",
        )
    };
    match into {
        Some(folder) => clap_mangen::generate_to(Args::command(), folder).map_err(failed)?,
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Args::command()).render(&mut page).map_err(failed)?;
            write_all(&page);
        }
    }
    Ok(End::Done)
}

fn run_async(work: impl Future<Output = Result<End, Failure>>) -> Result<End, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| {
        Failure::new(
            ErrorCode::Runtime,
            format!("The runtime does not start: {error}."),
            "Are there free threads?",
        )
    })?;
    let end = runtime.block_on(work);
    // Do not wait for a thread that is blocked on reading the terminal.
    runtime.shutdown_background();
    end
}

/// The context that every command needs.
pub(crate) struct Context {
    pub(crate) homes: Homes,
    pub(crate) json: bool,
}

async fn dispatch(cx: &Context, command: Command) -> Result<End, Failure> {
    match command {
        Command::Run(args) => run::execute(cx, *args).await,
        Command::Serve(args) => serve::execute(cx, args).await,
        Command::Open => open::execute(cx).await,
        Command::Status => look::status(cx).await,
        Command::Tasks { words, limit, archived } => look::tasks(cx, &words, limit, archived).await,
        Command::Conversation(command) => conversation::execute(cx, command).await,
        Command::Queue { command } => queue::execute(cx, command).await,
        Command::Show { task, prompt: None } => look::show(cx, &task).await,
        Command::Show { task, prompt: Some(step) } => prompt::show(cx, &task, step).await,
        Command::Usage { task, days, by } => usage::execute(cx, task.as_deref(), days, by).await,
        Command::Follow { task } => look::follow(cx, &task).await,
        Command::Pause { task } => control::pause(cx, &task).await,
        Command::Resume { task } => control::resume(cx, &task).await,
        Command::Stop { task, background: None } => control::stop(cx, &task).await,
        Command::Stop { task, background: Some(background) } => {
            control::stop_background(cx, &task, &background).await
        }
        Command::Switch { task, backend, model } => control::switch(cx, &task, backend, model).await,
        Command::Browser(BrowserCommand::Take { task }) => control::take_browser(cx, &task).await,
        Command::Browser(BrowserCommand::Return { task }) => control::return_browser(cx, &task).await,
        Command::Steer { task, text } => control::steer(cx, &task, text).await,
        Command::Answer { request, text } => control::answer(cx, &request, text).await,
        Command::Approve { request, lifetime, wider, drop } => {
            control::approve(cx, &request, &lifetime, wider, &drop).await
        }
        Command::Diff { task } => difference::show(cx, &task).await,
        Command::Change { request, words } => control::change(cx, &request, words).await,
        Command::Deny { request, words, reason } => control::deny(cx, &request, words + &reason).await,
        Command::Organize(args) => organize::execute(cx, args).await,
        Command::Jobs { command: Some(command), .. } => jobs::execute(cx, command).await,
        Command::Undo { what, dry_run, files, on_conflict } => {
            undo::execute(cx, &what, dry_run, files, on_conflict).await
        }
        Command::Redo { task, files } => undo::redo(cx, &task, files).await,
        Command::Memory { command } => {
            memory::execute(cx, command.unwrap_or(MemoryCommand::List { which: Which::default() })).await
        }
        Command::Policy(command) => policy::execute(cx, command).await,
        Command::Devices { command } => devices::execute(cx, command.unwrap_or(DevicesCommand::List)).await,
        Command::Backends { command } => {
            backends::execute(cx, command.unwrap_or(BackendsCommand::List)).await
        }
        Command::WebSearch { command } => {
            web_search::execute(cx, command.unwrap_or(WebSearchCommand::List)).await
        }
        Command::Doctor => doctor::execute(cx).await,
        Command::Config { command } => config::execute(cx, command.unwrap_or(ConfigCommand::List)).await,
        Command::Profiles { .. }
        | Command::Jobs { command: None, .. }
        | Command::Completions { .. }
        | Command::Man { .. } => Ok(End::Done),
    }
}
