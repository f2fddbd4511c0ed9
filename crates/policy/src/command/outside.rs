//! Paths outside the workspace that a command reaches. Only the paths that its words name are opened to the call.
//! Words never remove the walls.

use super::effects::normal;
use super::paths::holds_the_home;
use super::{python_environment, remote_folders};
use crate::Situation;
use crate::path::{self, Operation};
use deputy_messages::policy as say;
use deputy_protocol::{Decision, Part, PartKind, Phrase, Risk};
use std::path::{Component, Path, PathBuf};

/// The maximum number of words of a command that are checked. Further words open nothing.
const MOST_WORDS: usize = 256;

/// Programs that change every path in their words, and whether the parent folder changes too, because an entry of
/// that folder is created or removed.
const CHANGE_ALL: &[(&str, bool)] = &[
    ("touch", false),
    ("mkdir", false),
    ("tee", false),
    ("truncate", false),
    ("chmod", false),
    ("chown", false),
    ("chgrp", false),
    ("rm", true),
    ("rmdir", true),
    ("unlink", true),
    ("mv", true),
    ("shred", false),
];
/// Programs that change the path in their last word.
const CHANGE_LAST: &[(&str, bool)] = &[("cp", false), ("rsync", false), ("install", true), ("ln", true)];
/// The first words of commands that create or change the path in a further word.
const CHANGE_BY_NAME: &[(&[&str], bool)] = &[
    (&["git", "clone"], false),
    (&["git", "init"], false),
    (&["git", "push"], false),
    (&["git", "bundle"], false),
    (&["git", "worktree"], true),
    (&["git", "submodule"], false),
    (&["cargo", "new"], false),
    (&["cargo", "init"], false),
    (&["uv", "init"], false),
    (&["uv", "venv"], false),
    (&["virtualenv"], false),
    (&["python3", "-m", "venv"], false),
    (&["python", "-m", "venv"], false),
];
/// Options whose value is an output path.
const OUTPUTS: &[&str] = &[
    "-o",
    "-O",
    "-C",
    "-d",
    "-t",
    "--output",
    "--out",
    "--out-dir",
    "--outdir",
    "--out-file",
    "--outfile",
    "--output-dir",
    "--output-file",
    "--output-directory",
    "--directory",
    "--target-dir",
    "--target-directory",
    "--dest",
    "--destination",
    "--pack-destination",
    "--prefix",
    "--log-file",
    "of",
    "DESTDIR",
    "PREFIX",
    "prefix",
];

/// The paths that are opened to a call besides the workspace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reached {
    /// Real paths that are opened for reading.
    pub(crate) reads: Vec<PathBuf>,
    /// Existing real paths that are opened for changes.
    pub(crate) writes: Vec<PathBuf>,
    /// The user's own Python environments that are opened for changes.
    pub(crate) environments: Vec<PathBuf>,
    /// Whether the command requires that the whole home directory or the machine is opened for changes.
    pub(crate) needs_open: bool,
    /// Whether the command reads the home directory as a whole.
    pub(crate) reads_home: bool,
    /// Whether a path is not in the words: a link of the project leads to it, or a setting of the repository names
    /// it. A remembered answer about these words does not cover such a path.
    pub(crate) is_led: bool,
}

/// Returns the paths outside the task's folders that the words of a command name, including those of remotes in git's
/// settings.
pub(crate) fn reached(situation: &Situation, cwd: &Path, argv: &[String]) -> Reached {
    let mut reached = Reached::default();
    let normal = normal(argv);
    for (at, word) in argv.iter().enumerate().skip(1).take(MOST_WORDS) {
        let (option, text) = match word.split_once('=') {
            Some((option, value)) => (Some(option), value),
            None => (at.checked_sub(1).and_then(|at| argv.get(at)).map(String::as_str), word.as_str()),
        };
        // In Go and Bazel, `../...` means everything below.
        let text = text.strip_suffix("/...").unwrap_or(text);
        if text.is_empty() || text.starts_with('-') {
            continue;
        }
        let Some(real) = path::real(situation, cwd, text) else { continue };
        let before = reached.count();
        let by_option = option.filter(|option| OUTPUTS.contains(option)).map(|_| false);
        match by_option.or_else(|| changes(&normal, argv, at)) {
            Some(with_folder) => reached.write(situation, &real, with_folder),
            None => reached.read(situation, real),
        }
        reached.is_led |= reached.count() > before && path::may_read(situation, &as_written(cwd, text));
    }
    remote_folders::reach(&mut reached, situation, cwd, argv);
    if let Some(environment) = python_environment::changed(situation, cwd, argv) {
        reached.change_environment(situation, environment);
    }
    reached
}

/// Returns the path that a word names, without following links.
fn as_written(cwd: &Path, text: &str) -> PathBuf {
    let mut written = PathBuf::new();
    for part in path::real_folder(cwd).join(text).components() {
        match part {
            Component::ParentDir => {
                written.pop();
            }
            Component::CurDir => {}
            other => written.push(other),
        }
    }
    written
}

/// Whether the command changes the path in the word. The inner value says whether its parent folder changes too.
fn changes(normal: &[String], argv: &[String], at: usize) -> Option<bool> {
    let name = normal.first()?.as_str();
    let of = |list: &[(&str, bool)]| list.iter().find(|(known, _)| *known == name).map(|(_, with)| *with);
    let begins = |words: &[&str]| normal.len() > words.len() && normal.iter().zip(words).all(|(a, b)| a == b);
    of(CHANGE_ALL)
        .or_else(|| of(CHANGE_LAST).filter(|_| at + 1 == argv.len()))
        .or_else(|| CHANGE_BY_NAME.iter().find(|(words, _)| begins(words)).map(|(_, with)| *with))
}

impl Reached {
    /// Returns the number of paths that are opened.
    pub(crate) fn count(&self) -> usize {
        self.reads.len() + self.writes.len() + self.environments.len()
    }

    /// Returns everything that is opened for changes.
    pub(crate) fn changed(self) -> Vec<PathBuf> {
        self.writes.into_iter().chain(self.environments).collect()
    }

    /// Opens a path for reading, if it exists and is outside the workspace.
    pub(crate) fn read(&mut self, situation: &Situation, real: PathBuf) {
        let is_theirs = path::may_read(situation, &real);
        if is_theirs || !real.exists() || !may_be_opened(situation, Operation::Read, &real) {
            return;
        }
        if holds_the_home(situation, &real) {
            self.reads_home = true;
            // Folders above the home directory are shared by all users.
            self.needs_open |= real != path::real_folder(&situation.home);
        }
        if !self.needs_open && !self.reads.contains(&real) {
            self.reads.push(real);
        }
    }

    /// Opens a path for changes, or the folder in which it would be created.
    pub(crate) fn write(&mut self, situation: &Situation, real: &Path, with_folder: bool) {
        if path::may_write(situation, real) || !may_be_opened(situation, Operation::Write, real) {
            return;
        }
        let made = real.ancestors().skip(usize::from(with_folder)).find(|path| path.exists());
        let Some(opened) = made else { return };
        // A folder that contains the home directory, or the root folder, is more than was named.
        if holds_the_home(situation, opened)
            || path::real_folder(&situation.workspace).starts_with(opened) && opened == Path::new("/")
        {
            self.needs_open = true;
        } else if !self.writes.iter().any(|old| old == opened) {
            self.writes.push(opened.to_owned());
        }
    }

    /// Opens a Python environment for changes. It may be in a place of programs, which is otherwise closed to changes.
    fn change_environment(&mut self, situation: &Situation, real: PathBuf) {
        if !path::may_write(situation, &real)
            && may_be_opened(situation, Operation::Write, &real)
            && !holds_the_home(situation, &real)
        {
            self.is_led = true;
            self.environments.push(real);
        }
    }

    /// Adds the paths that another command of the same text reaches.
    pub(crate) fn extend(&mut self, other: Self) {
        for (all, more) in [
            (&mut self.reads, other.reads),
            (&mut self.writes, other.writes),
            (&mut self.environments, other.environments),
        ] {
            for path in more {
                if !all.contains(&path) {
                    all.push(path);
                }
            }
        }
        self.is_led |= other.is_led;
        self.needs_open |= other.needs_open;
        self.reads_home |= other.reads_home;
    }

    /// Returns the parts that show the opened paths to the user.
    pub(crate) fn parts(&self, decision: Decision) -> impl Iterator<Item = Part> + '_ {
        let part = move |kind, path: &PathBuf, reason: Phrase| Part {
            kind,
            text: crate::unseen::escape(&path.to_string_lossy()),
            decision,
            risk: Risk::Medium,
            reason,
        };
        let reads = self.reads.iter().map(move |path| part(PartKind::Read, path, say::opened_call_reading()));
        let writes =
            self.writes.iter().map(move |path| part(PartKind::Write, path, say::opened_call_changes()));
        let environments = self
            .environments
            .iter()
            .map(move |path| part(PartKind::Write, path, say::changes_python_environment()));
        reads.chain(writes).chain(environments)
    }
}

/// Whether a path may be opened at all: it is not a secret, and is within the task's scope.
fn may_be_opened(situation: &Situation, operation: Operation, real: &Path) -> bool {
    !path::is_secret(situation, real) && path::in_scope(situation, operation, real).is_ok()
}
