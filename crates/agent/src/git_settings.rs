//! A file with the person's git settings that start no programs, for commands that nobody approved. It is shared by all
//! tasks, and updated when the person's settings change.

use deputy_sandbox::ScratchFolder;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the person's settings are cached.
const LOOK_HOLDS: Duration = Duration::from_secs(30);
/// The maximum size of an ignore file that is copied, in bytes.
const MOST_BYTES: u64 = 256 * 1024;

/// The file, and when it was last generated.
#[derive(Default)]
pub(crate) struct GitSettings(Mutex<Option<Made>>);

struct Made {
    folder: ScratchFolder,
    at: Instant,
    config: String,
    ignored: Vec<u8>,
}

impl GitSettings {
    /// Returns the path of the file. `None` if the person has no such settings, or if the file cannot be written.
    pub(crate) fn file(&self, home: &Path) -> Option<PathBuf> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if made.as_ref().is_none_or(|made| made.at.elapsed() > LOOK_HOLDS) {
            // Without the file, git ignores the person's settings.
            *made = renewed(made.take(), home).ok();
        }
        made.as_ref().filter(|made| !made.config.is_empty()).map(|made| made.folder.path().join("config"))
    }
}

fn renewed(before: Option<Made>, home: &Path) -> io::Result<Made> {
    let settings = deputy_policy::git_settings(home);
    let is_small = settings.ignored.metadata().is_ok_and(|meta| meta.is_file() && meta.len() <= MOST_BYTES);
    let ignored = if is_small { std::fs::read(&settings.ignored).unwrap_or_default() } else { Vec::new() };
    let mut made = match before {
        Some(made) => made,
        None => Made {
            folder: ScratchFolder::new()?,
            at: Instant::now(),
            config: String::new(),
            ignored: Vec::new(),
        },
    };
    let mut config = settings.text;
    if !ignored.is_empty() {
        config += &format!("[core]\n\texcludesFile = \"{}\"\n", made.folder.path().join("ignored").display());
    }
    for (name, now, was) in [
        ("ignored", ignored.as_slice(), &made.ignored[..]),
        ("config", config.as_bytes(), made.config.as_bytes()),
    ] {
        if now != was {
            replace(&made.folder.path().join(name), now)?;
        }
    }
    (made.config, made.ignored, made.at) = (config, ignored, Instant::now());
    Ok(made)
}

/// Replaces the file atomically: a command that reads it gets either the old or the new content.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = path.with_extension("new");
    std::fs::write(&new, bytes)?;
    std::fs::rename(new, path)
}
