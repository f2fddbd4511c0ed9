//! Power loss: records a program while it runs, and restores the disk as a power loss at any moment could leave it.
//!
//! The recording is a trace of system calls. Everything that was made durable by `fsync` of a file (its content and
//! attributes) or of a folder (its names) survives a power loss. Every other earlier change either survives or not,
//! depending on a seed and independently of the changes before or after it. A write may survive in part. As in all file
//! systems, a rename is atomic and never loses a name, and it is durable once its target folder is.

mod cut;
mod disk;
mod recorder;
mod strace;

pub use cut::{Cut, Fate};

use disk::Disk;
use recorder::{Event, Recorder};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What a program did to a folder.
pub struct Recording {
    root: PathBuf,
    before: Disk,
    /// All entries that ever existed, with their final content.
    after: Disk,
    events: Vec<Event>,
    /// The output of the program and of everything it started.
    pub output: Output,
}

impl Recording {
    /// Runs a command under `strace` and records what it does below `root`, which must be a real path.
    ///
    /// # Errors
    ///
    /// Fails if `strace` is missing, if a call is not understood, or if the final disk differs from the recording,
    /// which means that something was done that was not recorded.
    pub fn of(root: &Path, command: &Command) -> io::Result<Self> {
        let before = Disk::read(root)?;
        let log = tempfile::NamedTempFile::new()?;
        let mut traced = Command::new("/usr/bin/strace");
        // Do not use `--seccomp-bpf`, which loses the call right after one that Deputy's own filter passed to the
        // warden.
        traced.args(["-f", "-ttt", "-y", "-xx", "-qq", "-s", "100000000", "-e", "signal=none", "-e"]);
        traced.arg(format!("trace={}", strace::WATCHED)).arg("-o").arg(log.path()).arg("--");
        traced.arg(command.get_program()).args(command.get_args()).env_clear();
        traced.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        if let Some(folder) = command.get_current_dir() {
            traced.current_dir(folder);
        }
        let output = traced.stdin(Stdio::null()).output()?;
        let text = String::from_utf8_lossy(&fs::read(log.path())?).into_owned();
        let mut recorder = Recorder::new(root, command.get_current_dir().unwrap_or(root), before.clone());
        recorder.follow(&text)?;
        let Recorder { disk: mut after, events, .. } = recorder;
        let real = Disk::read(root)?;
        // SQLite shares the index of its log through this file, and recreates it when the database is opened for the
        // first time.
        let is_shared = |path: &Path| path.to_string_lossy().ends_with("-shm");
        let differences = after.differences(&real, is_shared);
        if !differences.is_empty() {
            return Err(io::Error::other(format!("the record is not what happened to {differences:?}")));
        }
        after.know_inodes(&real);
        Ok(Self { root: root.to_owned(), before, after, events, output })
    }

    /// Returns the number of moments at which the power can be lost.
    pub fn moments(&self) -> usize {
        self.events.len()
    }

    /// Returns what the program had written to standard output before the cut.
    pub fn said(&self, cut: &Cut) -> String {
        let said = self.events[..cut.moment.min(self.events.len())].iter().filter_map(|event| match event {
            Event::Said(bytes) => Some(String::from_utf8_lossy(bytes)),
            _ => None,
        });
        said.collect()
    }
}

#[cfg(test)]
mod tests;
