//! Why a file could not be reached, read or changed.

use crate::text::{reason, shown};
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Why a file could not be reached, read or changed. Paths are as in the call, with control characters escaped.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    NotAPath {
        path: String,
    },
    NotFound {
        path: String,
        /// The existing path that differs only in case or composition.
        twin: Option<PathBuf>,
        /// The existing path that the call may have meant.
        near: Option<PathBuf>,
    },
    Outside {
        path: String,
        real: Option<PathBuf>,
    },
    Link {
        path: String,
        real: Option<PathBuf>,
    },
    Hidden {
        path: String,
    },
    /// The user allowed only the names of its settings, and it is no list of settings any more.
    NoNames {
        path: String,
    },
    OutOfScope {
        path: String,
        scope: deputy_policy::path::OutOfScope,
    },
    /// One of the user's rules denies it.
    Denied {
        path: String,
        rule: Phrase,
    },
    Frozen {
        path: String,
    },
    NotAFile {
        path: String,
        kind: &'static str,
    },
    NotAFolder {
        path: String,
        kind: &'static str,
    },
    InTheWay {
        path: String,
        kind: &'static str,
    },
    ManyNames {
        path: String,
        names: u64,
    },
    Changed {
        path: String,
    },
    TooLarge {
        path: String,
        size: Phrase,
        most: Phrase,
    },
    /// The operating system returned an error. The phrase says what was attempted, on which path, and why it failed.
    Io(Phrase),
}

impl FileError {
    /// Creates an error from an I/O error. `cannot` is the message for what was attempted.
    pub(crate) fn io(
        cannot: fn(String, Phrase) -> Phrase,
        path: impl AsRef<Path>,
        source: impl Into<std::io::Error>,
    ) -> Self {
        Self::Io(cannot(shown(path.as_ref().as_os_str()), reason(&source.into())))
    }

    /// Returns the message for people.
    pub(crate) fn phrase(&self) -> Phrase {
        match self {
            Self::NotAPath { path } => say::not_a_path(path),
            Self::NotFound { path, twin: Some(twin), .. } => {
                say::not_found_but(path, shown(twin.as_os_str()))
            }
            Self::NotFound { path, near: Some(near), .. } => {
                say::not_found_near(shown(near.as_os_str()), path)
            }
            Self::NotFound { path, .. } => say::not_found(path),
            Self::Outside { path, real: None } => say::leads_outside(path),
            Self::Outside { path, real: Some(real) } => say::leads_outside_to(path, shown(real.as_os_str())),
            Self::Link { path, real: None } => say::through_link(path),
            Self::Link { path, real: Some(real) } => say::through_link_to(path, shown(real.as_os_str())),
            Self::Hidden { path } => say::hidden(path),
            Self::NoNames { path } => say::no_names(path),
            Self::OutOfScope { path, scope } => say::out_of_scope(path, scope.reason()),
            Self::Denied { path, rule } => say::denied_by_rule(path, rule.clone()),
            Self::Frozen { path } => say::frozen(path),
            Self::NotAFile { path, kind } => say::not_a_file(kind, path),
            Self::NotAFolder { path, kind } => say::not_a_folder(kind, path),
            Self::InTheWay { path, kind } => say::in_the_way(kind, path),
            Self::ManyNames { path, names } => say::many_names(*names, path),
            Self::Changed { path } => say::changed_meanwhile(path),
            Self::TooLarge { path, size, most } => say::too_large(most, path, size),
            Self::Io(phrase) => phrase.clone(),
        }
    }

    /// Converts an error about a folder into an error about `name` in it, so that the hint contains the whole path.
    pub(super) fn below(mut self, missing: &[OsString], name: &OsStr) -> Self {
        if let Self::Outside { real: Some(real), .. } | Self::Link { real: Some(real), .. } = &mut self {
            real.extend(missing);
            real.push(name);
        }
        self
    }
}

deputy_messages::said_by_phrase!(FileError);

/// Why a path could not be resolved. The caller adds the name of the path.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ResolveError {
    /// The path leaves its root folder.
    Outside,
    /// The path contains a link although no links are followed.
    Link,
    /// The error of the operating system.
    System(Errno),
}

impl ResolveError {
    pub(super) fn named(self, given: &str, absolute: &Path) -> FileError {
        let path = shown(given.as_ref());
        match self {
            Self::Outside => FileError::Outside { path, real: std::fs::canonicalize(absolute).ok() },
            Self::Link => FileError::Link { path, real: std::fs::canonicalize(absolute).ok() },
            Self::System(Errno::NOENT) => {
                FileError::NotFound { path, twin: deputy_policy::path::twin(absolute), near: None }
            }
            Self::System(errno) => FileError::io(say::cannot_reach, given, errno),
        }
    }
}
