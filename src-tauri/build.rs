//! Reads the window's configuration, and makes a permission of each command that the page may call.

fn main() {
    tauri_build::build();
}
