//! Loss of power: a program is recorded while it runs, and the disk is made again as a cut at any moment could leave it.
//!
//! The record is a trace of the system calls. What was made durable by `fsync` of a file (its content, its attributes)
//! or of a folder (its names) is there after a cut. Of everything else that happened before it, each change is there
//! or not, as a seed says, whatever came before or after it; a write may be there in part. As all file systems see to, a
//! rename is there or not as a whole, and no name is lost by one that is; it is durable once the folder that it leads to is.

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
    /// Everything that ever was, with the content that it had in the end.
    after: Disk,
    events: Vec<Event>,
    /// What the program and everything it started came to.
    pub output: Output,
}

impl Recording {
    /// Runs a command under `strace` and records what it does below `root`, which must be a real path.
    ///
    /// # Errors
    /// When `strace` is not there, when a call is not understood, and when the disk at the end is not the one that the
    /// record says: then something was done that the record does not know of.
    pub fn of(root: &Path, command: &Command) -> io::Result<Self> {
        let before = Disk::read(root)?;
        let log = tempfile::NamedTempFile::new()?;
        let mut traced = Command::new("/usr/bin/strace");
        // Without `--seccomp-bpf`, which loses the call right after one that Deputy's own filter gave to the warden.
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
        // SQLite shares its index of the log through memory; it is made anew by anyone who opens the database first.
        let is_shared = |path: &Path| path.to_string_lossy().ends_with("-shm");
        let differences = after.differences(&real, is_shared);
        if !differences.is_empty() {
            return Err(io::Error::other(format!("the record is not what happened to {differences:?}")));
        }
        after.know_inodes(&real);
        Ok(Self { root: root.to_owned(), before, after, events, output })
    }

    /// How many moments there are to cut at.
    pub fn moments(&self) -> usize {
        self.events.len()
    }

    /// What the program had said on its standard output before the cut.
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
