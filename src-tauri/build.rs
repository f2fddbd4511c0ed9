//! Reads the window's configuration, and makes a permission of each command that the page may ask for.

use tauri_build::{AppManifest, Attributes};

/// Every command; `capabilities/window.json` says which of them the window may call, and no other can be called.
const COMMANDS: [&str; 9] = [
    "line_open",
    "line_next",
    "line_send",
    "line_close",
    "shell_listen",
    "pick_folder",
    "pick_files",
    "starts_at_login",
    "start_at_login",
];

fn main() {
    let attributes = Attributes::new().app_manifest(AppManifest::new().commands(&COMMANDS));
    if let Err(error) = tauri_build::try_build(attributes) {
        println!("cargo::error={error:#}");
    }
}
