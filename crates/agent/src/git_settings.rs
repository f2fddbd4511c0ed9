//! A file with those of the person's git settings that start nothing, for commands that nobody agreed to: one for all
//! tasks, renewed as the person changes theirs.

use deputy_sandbox::ScratchFolder;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a look at the person's settings holds.
const LOOK_HOLDS: Duration = Duration::from_secs(30);
/// The largest list of ignored names that is taken over.
const MOST_BYTES: u64 = 256 * 1024;

/// The file, and when it was last made from the person's.
#[derive(Default)]
pub(crate) struct GitSettings(Mutex<Option<Made>>);

struct Made {
    folder: ScratchFolder,
    at: Instant,
    config: String,
    ignored: Vec<u8>,
}

impl GitSettings {
    /// The file; `None` where the person has no such settings, or none can be written.
    pub(crate) fn file(&self, home: &Path) -> Option<PathBuf> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if made.as_ref().is_none_or(|made| made.at.elapsed() > LOOK_HOLDS) {
            // Without the file git knows nothing of theirs, as before.
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

/// A command that reads it meanwhile gets the one or the other.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = path.with_extension("new");
    std::fs::write(&new, bytes)?;
    std::fs::rename(new, path)
}
