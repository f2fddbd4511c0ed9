//! The desktop window: a page, its connection to the host, and desktop features.
//!
//! `core` connects to the host or becomes it, and `line` is the page's connection. `window`, `engine`, `look`,
//! `tray`, `bus` and `login` are the desktop's side, `shell` is their interface to the page, and `watch` follows the
//! host for them.

mod bus;
mod core;
mod engine;
mod instance;
mod line;
mod login;
mod look;
mod place;
mod shell;
mod tray;
mod watch;
mod window;
mod words;

use crate::core::Core;
use clap::Parser;
use deputy_cli::Homes;
use instance::{Instance, Start};
use line::{Lines, Started};
use place::Place;
use shell::Shell;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use tauri::{AppHandle, Manager, RunEvent};
use tauri_plugin_global_shortcut::{Builder as Shortcuts, ShortcutState};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tray::Tray;

/// The global shortcut that opens a new task.
const NEW_TASK_KEYS: &str = "ctrl+alt+n";

/// The desktop window of Deputy.
#[derive(Debug, Parser)]
#[command(name = "deputy-desktop", version)]
struct Args {
    /// Deputy's own folder: configuration, data and socket.
    #[arg(long, env = "DEPUTY_HOME", value_name = "DIR")]
    home: Option<PathBuf>,
    /// Start in the tray.
    #[arg(long)]
    hidden: bool,
    /// What to show: deputy://task/ID, deputy://request/ID, deputy://inbox or deputy://new.
    #[arg(value_name = "LINK")]
    link: Option<String>,
}

fn main() -> ExitCode {
    if let Some(end) = deputy_cli::answer_git() {
        return end;
    }
    let started = Started(Instant::now());
    deputy_cli::log_to_stderr();
    match start(Args::parse(), started) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("deputy-desktop: {error}");
            ExitCode::FAILURE
        }
    }
}

fn start(args: Args, started: Started) -> Result<(), Box<dyn std::error::Error>> {
    // The same number of threads as in the command line's host.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    tauri::async_runtime::set(runtime.handle().clone());
    let homes = Homes::find(args.home.as_deref()).map_err(|failure| failure.error.message.to_string())?;
    let link = args.link.unwrap_or_default();
    let hidden = args.hidden;
    match runtime.block_on(instance::start(&homes.deputy, &link))? {
        Start::HandedOver => Ok(()),
        Start::First(instance) => run(Core::new(homes), started, instance, Place::of_link(&link), hidden),
    }
}

/// Runs the window until the user quits.
fn run(
    core: Core,
    started: Started,
    instance: Instance,
    place: Place,
    hidden: bool,
) -> Result<(), Box<dyn std::error::Error>> {
    let app = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .manage(core)
        .manage(started)
        .manage(Lines::default())
        .manage(Shell::default())
        .invoke_handler(tauri::generate_handler![
            line::line_open,
            line::line_next,
            line::line_send,
            line::line_close,
            shell::shell_listen,
            shell::pick_folder,
            shell::pick_files,
            shell::starts_at_login,
            shell::start_at_login,
        ])
        .setup(move |app| {
            let app = app.handle();
            app.state::<Shell>().open(&place);
            // The page's processes start while the rest is set up.
            window::make(app, hidden)?;
            if let Some(tray) = Tray::make(app) {
                app.manage(tray);
            }
            listen(app, instance);
            Ok(())
        })
        .build(tauri::generate_context!())?;
    app.run(|app, event| {
        if let RunEvent::Exit = event {
            tauri::async_runtime::block_on(app.state::<Core>().close());
        }
    });
    Ok(())
}

/// Starts listening to the host, to later starts, to shortcuts and to signals.
fn listen(app: &AppHandle, instance: Instance) {
    let (notices, to_show) = mpsc::unbounded_channel();
    let handle = app.clone();
    tauri::async_runtime::spawn(bus::show_notices(to_show, move |place| window::show(&handle, &place)));
    tauri::async_runtime::spawn(watch::run(app.clone(), notices));
    tauri::async_runtime::spawn(look::follow(app.clone()));
    let handle = app.clone();
    tauri::async_runtime::spawn(instance.serve(move |link| window::show(&handle, &Place::of_link(link))));
    tauri::async_runtime::spawn(end_with_a_signal(app.clone()));
    if let Err(error) = listen_to_keys(app) {
        tracing::warn!("{NEW_TASK_KEYS} is not ours: {error}");
    }
}

fn listen_to_keys(app: &AppHandle) -> Result<(), Box<dyn std::error::Error>> {
    let shortcuts = Shortcuts::new().with_shortcut(NEW_TASK_KEYS)?;
    let shortcuts = shortcuts.with_handler(|app, _, event| {
        if event.state() == ShortcutState::Pressed {
            window::show(app, &Place::NewTask);
        }
    });
    Ok(app.plugin(shortcuts.build())?)
}

/// Exits on SIGTERM and SIGINT, e.g. at the end of the desktop session. That is not a crash.
async fn end_with_a_signal(app: AppHandle) {
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    app.exit(0);
}
