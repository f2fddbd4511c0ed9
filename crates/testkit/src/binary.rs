//! Finds the built command-line program.

use std::io;
use std::path::PathBuf;

/// Returns the `deputy` binary of the same build profile as the running test. It is one folder above the test's own
/// executable.
pub fn deputy_binary() -> io::Result<PathBuf> {
    let test = std::env::current_exe()?;
    let name = format!("deputy{}", std::env::consts::EXE_SUFFIX);
    test.ancestors().skip(1).take(2).map(|folder| folder.join(&name)).find(|path| path.is_file()).ok_or_else(
        || {
            io::Error::new(
                io::ErrorKind::NotFound,
                format!(
                    "There is no `{name}` beside `{}`. Build it first: `cargo build -p deputy-cli`.",
                    test.display()
                ),
            )
        },
    )
}
