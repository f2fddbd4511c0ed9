//! Standard output and standard error of a command, where either may be closed or on a full disk.

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::OnceLock;

/// The folder that was named by `--home`, as a shell reads it.
static HOME: OnceLock<String> = OnceLock::new();

/// Remembers the folder that was named by `--home`: what is suggested then names it too.
pub(crate) fn use_home(folder: &Path) {
    let _ = HOME.set(deputy_policy::rules::canonical(&[folder.to_string_lossy().into_owned()]));
}

/// A text with the commands that it suggests, between backticks, as they are typed for the home in use.
pub(crate) fn in_use(text: &str) -> String {
    text.replace("`deputy ", &format!("`{} ", program()))
}

/// How this program is called for the home in use.
pub(crate) fn program() -> String {
    HOME.get().map_or_else(|| "deputy".to_owned(), |home| format!("deputy --home {home}"))
}

/// Why some of standard output was lost.
static LOST: OnceLock<String> = OnceLock::new();

/// Writes to standard output. Anyone who closed the pipe does not want the rest; any other failure is remembered, so that the
/// command does not end as if all had been said.
pub(crate) fn write_all(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let _ = LOST.set(error.to_string());
        }
        _ => {}
    }
}

/// Why some of standard output was lost; none where all of it was written, or nobody wanted it.
pub(crate) fn lost() -> Option<&'static str> {
    LOST.get().map(String::as_str)
}

/// Writes a line to standard error; where that is closed there is nobody to tell.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", super::ids::shortened(line));
}
