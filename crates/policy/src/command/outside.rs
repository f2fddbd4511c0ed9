//! What a command reaches outside of the workspace: the paths that its words name are opened to that one call, and nothing
//! else is. Words do not take the walls away.

use super::effects::normal;
use super::paths::holds_the_home;
use super::remote_folders;
use crate::Situation;
use crate::path::{self, Operation};
use deputy_messages::policy as say;
use deputy_protocol::{Decision, Part, PartKind, Phrase, Risk};
use std::path::{Component, Path, PathBuf};

/// Most words of a command that are looked at; those beyond open nothing.
const MOST_WORDS: usize = 256;

/// Programs that change all that their words name, and whether the folder around it changes: what is made or removed is an
/// entry of that folder.
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
/// Programs that change what their last word names.
const CHANGE_LAST: &[(&str, bool)] = &[("cp", false), ("rsync", false), ("install", true), ("ln", true)];
/// First words of commands that make or change what a further word names.
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
/// Options whose value is written.
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

/// What is opened to a call besides the workspace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reached {
    /// To be read, by real paths.
    pub(crate) reads: Vec<PathBuf>,
    /// To be changed, by real paths that exist.
    pub(crate) writes: Vec<PathBuf>,
    /// Whether it cannot work without opening the home as a whole to changes, or the machine.
    pub(crate) needs_open: bool,
    /// Whether it reads the home as a whole.
    pub(crate) reads_home: bool,
    /// Whether something of it is in no word: a link of the project leads there, or a setting of the repository. What was
    /// remembered of these words says nothing about it.
    pub(crate) is_led: bool,
}

/// What the words of a command name outside of the folders of a task, and what git's settings say of a remote among them.
pub(crate) fn reached(situation: &Situation, cwd: &Path, argv: &[String]) -> Reached {
    let mut reached = Reached::default();
    let normal = normal(argv);
    for (at, word) in argv.iter().enumerate().skip(1).take(MOST_WORDS) {
        let (option, text) = match word.split_once('=') {
            Some((option, value)) => (Some(option), value),
            None => (at.checked_sub(1).and_then(|at| argv.get(at)).map(String::as_str), word.as_str()),
        };
        // `../...` is how Go and Bazel say: all below.
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
    reached
}

/// The path that a word names where no link is followed.
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

/// Whether the word is one that the command changes, and whether with the folder around it.
fn changes(normal: &[String], argv: &[String], at: usize) -> Option<bool> {
    let name = normal.first()?.as_str();
    let of = |list: &[(&str, bool)]| list.iter().find(|(known, _)| *known == name).map(|(_, with)| *with);
    let begins = |words: &[&str]| normal.len() > words.len() && normal.iter().zip(words).all(|(a, b)| a == b);
    of(CHANGE_ALL)
        .or_else(|| of(CHANGE_LAST).filter(|_| at + 1 == argv.len()))
        .or_else(|| CHANGE_BY_NAME.iter().find(|(words, _)| begins(words)).map(|(_, with)| *with))
}

impl Reached {
    /// How many paths are opened.
    pub(super) fn count(&self) -> usize {
        self.reads.len() + self.writes.len()
    }

    /// Opens a path to be read, where it is there and lies outside.
    pub(crate) fn read(&mut self, situation: &Situation, real: PathBuf) {
        let is_theirs = path::may_read(situation, &real);
        if is_theirs || !real.exists() || !may_be_opened(situation, Operation::Read, &real) {
            return;
        }
        if holds_the_home(situation, &real) {
            self.reads_home = true;
            // What lies above the home is everybody's.
            self.needs_open |= real != path::real_folder(&situation.home);
        }
        if !self.needs_open && !self.reads.contains(&real) {
            self.reads.push(real);
        }
    }

    /// Opens a path to be changed, or the folder in which it would be made.
    pub(crate) fn write(&mut self, situation: &Situation, real: &Path, with_folder: bool) {
        if path::may_write(situation, real) || !may_be_opened(situation, Operation::Write, real) {
            return;
        }
        let made = real.ancestors().skip(usize::from(with_folder)).find(|path| path.exists());
        let Some(opened) = made else { return };
        // A folder that holds the home or the workspace is more than what was named.
        if holds_the_home(situation, opened)
            || path::real_folder(&situation.workspace).starts_with(opened) && opened == Path::new("/")
        {
            self.needs_open = true;
        } else if !self.writes.iter().any(|old| old == opened) {
            self.writes.push(opened.to_owned());
        }
    }

    /// Takes what another command of the same text reaches.
    pub(crate) fn extend(&mut self, other: Self) {
        for (all, more) in [(&mut self.reads, other.reads), (&mut self.writes, other.writes)] {
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

    /// What is opened, for the person who is asked.
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
        reads.chain(writes)
    }
}

/// Whether a path may be opened at all: not a secret, and within the task's scope.
fn may_be_opened(situation: &Situation, operation: Operation, real: &Path) -> bool {
    !path::is_secret(situation, real) && path::in_scope(situation, operation, real).is_ok()
}
