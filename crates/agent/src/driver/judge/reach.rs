//! The paths that the confinement leaves accessible to a call: the workspace and the scope of the task, without what
//! the scope excludes.

use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_policy::Situation;
use deputy_policy::path::{Operation, in_scope};
use deputy_protocol::{Confinement, Scope};
use std::path::{Path, PathBuf};

/// The maximum number of entries examined to find what a scope of files or tags covers.
const MOST_ENTRIES: usize = 20_000;
/// The maximum number of paths that are hidden individually, and of files that are made writable individually.
const MOST_PATHS: usize = 500;

/// The paths besides the system that a command may read and change, and those inside that stay hidden.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::driver) struct Reach {
    pub(in crate::driver) readable: Vec<PathBuf>,
    pub(in crate::driver) writable: Vec<PathBuf>,
    pub(in crate::driver) hidden: Vec<PathBuf>,
}

/// The reason why a command cannot be limited to the task's scope, with the scope.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ReachError {
    NoWalls(Phrase),
    TooMany(Phrase),
}

impl ReachError {
    /// Returns the message for this error.
    pub(super) fn phrase(&self) -> Phrase {
        match self {
            Self::NoWalls(scope) => say::no_walls_for_scope(scope),
            Self::TooMany(scope) => say::too_many_files_for_scope(scope),
        }
    }
}

deputy_messages::said_by_phrase!(ReachError);

/// Returns the paths that a command can access.
pub(super) fn reach(situation: &Situation, confinement: Confinement) -> Result<Reach, ReachError> {
    let scope = &situation.scope;
    let has_bounds = scope.read_only || !scope.write.is_empty() || is_narrow(scope);
    if has_bounds && confinement == Confinement::Open {
        return Err(ReachError::NoWalls(in_words(scope)));
    }
    let writable = match (scope.read_only, scope.write.is_empty()) {
        (true, _) => Vec::new(),
        (false, true) => vec![situation.workspace.clone()],
        // What does not exist yet cannot be opened to a command. The functions for files can create it.
        (false, false) => scope.write.iter().map(PathBuf::from).filter(|path| path.exists()).collect(),
    };
    if !is_narrow(scope) {
        return Ok(Reach { readable: situation.roots.clone(), writable, hidden: Vec::new() });
    }
    let mut narrow = Narrow { situation, reach: Reach::default(), seen: 0 };
    narrow.folder(&situation.workspace)?;
    for root in &situation.roots {
        let is_seen = match root.is_dir() {
            true => narrow.folder(root)?,
            false => in_scope(situation, Operation::Read, root).is_ok(),
        };
        if is_seen {
            narrow.reach.readable.push(root.clone());
        }
    }
    // A listed path may be outside of every folder, and a folder may be listed with all that is in it.
    let listed: Vec<PathBuf> =
        scope.only_files.iter().map(PathBuf::from).filter(|path| path.exists()).collect();
    for path in writable.iter().chain(&listed) {
        if path.is_file() || narrow.is_whole(path) {
            narrow.file(path)?;
        }
    }
    narrow.reach.readable.extend(listed);
    narrow.reach.writable.sort();
    narrow.reach.writable.dedup();
    Ok(narrow.reach)
}

/// Returns whether a command in this scope is limited to some files and folders.
pub(in crate::driver) fn is_narrow(scope: &Scope) -> bool {
    !scope.only_files.is_empty() || !scope.only_tags.is_empty()
}

fn in_words(scope: &Scope) -> Phrase {
    let part =
        |words: fn(String) -> Phrase, list: &[String]| (!list.is_empty()).then(|| words(list.join(", ")));
    let parts = [
        part(say::scope_only, &scope.only_files),
        part(say::scope_tagged, &scope.only_tags),
        part(say::scope_changes, &scope.write),
        scope.read_only.then(say::scope_no_changes),
    ];
    deputy_messages::series(parts.into_iter().flatten())
}

struct Narrow<'a> {
    situation: &'a Situation,
    reach: Reach,
    seen: usize,
}

impl Narrow<'_> {
    /// Returns whether the scope includes all of a folder.
    fn is_whole(&self, folder: &Path) -> bool {
        let has_tags = !self.situation.scope.only_tags.is_empty();
        !has_tags && in_scope(self.situation, Operation::Read, folder).is_ok()
    }

    /// Hides what the scope excludes below a folder. Returns whether anything remains visible.
    fn folder(&mut self, folder: &Path) -> Result<bool, ReachError> {
        // The workspace is open to every command, so that what it contains has to be hidden.
        if in_scope(self.situation, Operation::List, folder).is_err() && folder != self.situation.workspace {
            return Ok(false);
        }
        if self.is_whole(folder) {
            return Ok(true);
        }
        let hidden_before = self.reach.hidden.len();
        let mut is_needed = false;
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            self.seen += 1;
            let path = entry.path();
            let is_in = match entry.file_type() {
                Ok(kind) if kind.is_dir() => self.folder(&path)?,
                // The target of a link is checked at its own location.
                Ok(kind) if kind.is_symlink() => continue,
                _ => self.file(&path)?,
            };
            is_needed |= is_in;
            if !is_in {
                self.reach.hidden.push(path);
            }
            self.check()?;
        }
        if !is_needed && folder != self.situation.workspace {
            // The caller hides the whole folder instead, which needs fewer rules.
            self.reach.hidden.truncate(hidden_before);
        }
        Ok(is_needed)
    }

    fn file(&mut self, path: &Path) -> Result<bool, ReachError> {
        let is_in = in_scope(self.situation, Operation::Read, path).is_ok();
        if is_in && in_scope(self.situation, Operation::Write, path).is_ok() {
            self.reach.writable.push(path.to_owned());
        }
        self.check()?;
        Ok(is_in)
    }

    fn check(&self) -> Result<(), ReachError> {
        let paths = self.reach.hidden.len().max(self.reach.writable.len());
        if self.seen > MOST_ENTRIES || paths > MOST_PATHS {
            return Err(ReachError::TooMany(in_words(&self.situation.scope)));
        }
        Ok(())
    }
}
