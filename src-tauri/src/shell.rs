//! The page's interface to the desktop: events, file pickers and starting at login.

use crate::login;
use crate::place::Place;
use deputy_protocol::{ErrorBody, ErrorCode};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tauri::ipc::Channel;
use tauri::{State, WebviewWindow};
use tauri_plugin_dialog::{DialogExt, FileDialogBuilder, FilePath};
use tokio::sync::oneshot;

/// An event for the page.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "told", rename_all = "snake_case")]
pub(crate) enum Told {
    /// Show this place.
    Open {
        /// The part of the address after `#`.
        hash: String,
    },
    /// Folders were dropped onto the window. For a dropped file, the folder that contains it.
    Dropped {
        /// Absolute paths.
        folders: Vec<String>,
    },
}

/// The channel to the page.
#[derive(Default)]
pub(crate) struct Shell(Mutex<Ear>);

#[derive(Default)]
struct Ear {
    channel: Option<Channel<Told>>,
    /// Events from before the page listened.
    early: Vec<Told>,
}

impl Shell {
    /// Shows a place.
    pub(crate) fn open(&self, place: &Place) {
        if let Some(hash) = place.hash() {
            self.tell(Told::Open { hash });
        }
    }

    /// Reports dropped files and folders.
    pub(crate) fn dropped(&self, paths: &[PathBuf]) {
        let folder = |path: &PathBuf| match path.is_dir() {
            true => Some(path.clone()),
            false => path.parent().map(Path::to_path_buf),
        };
        // A path that is not valid UTF-8 cannot be typed either.
        let mut folders: Vec<String> =
            paths.iter().filter_map(folder).filter_map(|path| path.to_str().map(str::to_owned)).collect();
        folders.dedup();
        if !folders.is_empty() {
            self.tell(Told::Dropped { folders });
        }
    }

    fn tell(&self, told: Told) {
        let mut ear = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let unheard = match &ear.channel {
            Some(channel) => channel.send(told.clone()).is_err(),
            None => true,
        };
        if unheard {
            ear.early.push(told);
        }
    }
}

/// Starts sending events to the page. A newer page replaces the previous one.
#[tauri::command]
pub(crate) fn shell_listen(shell: State<'_, Shell>, channel: Channel<Told>) {
    let mut ear = shell.0.lock().unwrap_or_else(PoisonError::into_inner);
    for told in ear.early.drain(..) {
        // A page that is already gone listens again after its reload.
        let _ = channel.send(told);
    }
    ear.channel = Some(channel);
}

/// Shows the folder picker. Returns `None` if the user cancels.
#[tauri::command]
pub(crate) async fn pick_folder(window: WebviewWindow) -> Option<String> {
    let (done, picked) = oneshot::channel();
    dialog(&window).pick_folder(|folder| {
        let _ = done.send(folder);
    });
    text(picked.await.ok()??)
}

/// Shows the file picker. Returns an empty list if the user cancels.
#[tauri::command]
pub(crate) async fn pick_files(window: WebviewWindow) -> Vec<String> {
    let (done, picked) = oneshot::channel();
    dialog(&window).pick_files(|files| {
        let _ = done.send(files);
    });
    picked.await.ok().flatten().unwrap_or_default().into_iter().filter_map(text).collect()
}

fn dialog(window: &WebviewWindow) -> FileDialogBuilder<tauri::Wry> {
    window.dialog().file().set_parent(window)
}

fn text(path: FilePath) -> Option<String> {
    path.into_path().ok()?.to_str().map(str::to_owned)
}

/// Returns whether Deputy starts at login.
#[tauri::command]
pub(crate) fn starts_at_login() -> bool {
    login::is_on()
}

/// Turns starting at login on or off.
#[tauri::command]
pub(crate) fn start_at_login(on: bool) -> Result<(), ErrorBody> {
    login::set(on).map_err(|error| {
        let message = format!("Starting at login could not be changed: {error}.");
        ErrorBody::new(
            ErrorCode::Login,
            message,
            "May you write to the folder autostart of your configuration?",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_dropped_file_the_folder_is_told_and_each_once() {
        let folder = tempfile::tempdir().unwrap();
        let files = [folder.path().join("a"), folder.path().join("b")];
        files.iter().for_each(|file| std::fs::write(file, "").unwrap());
        let shell = Shell::default();
        shell.dropped(&files);
        let ear = shell.0.lock().unwrap();
        let [Told::Dropped { folders }] = &ear.early[..] else { panic!("one drop, one message") };
        assert_eq!(folders, &[folder.path().to_str().unwrap()]);
    }
}
