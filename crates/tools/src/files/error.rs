//! Why a file could not be reached, read or changed.

use crate::text::shown;
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Why a file could not be reached, read or changed. Paths are as the call gave them, control characters escaped.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    #[error("`{path}` does not name a file or folder")]
    NotAPath { path: String },
    #[error("{path} does not exist")]
    NotFound { path: String },
    #[error("{path} leads outside of the folders this task may reach without asking{}", hint(real.as_deref()))]
    Outside { path: String, real: Option<PathBuf> },
    #[error("{path} goes through a symbolic link, which is not followed here{}", hint(real.as_deref()))]
    Link { path: String, real: Option<PathBuf> },
    #[error("{path} is protected: it holds secrets, and no tool reads or lists it")]
    Hidden { path: String },
    #[error("{path} lies outside of this task's scope: {scope}")]
    OutOfScope { path: String, scope: deputy_policy::path::OutOfScope },
    #[error("{path} is protected from changes by tools; the user can change it by hand")]
    Frozen { path: String },
    #[error("{path} is a {kind}, not a file")]
    NotAFile { path: String, kind: &'static str },
    #[error("{path} is a {kind}, not a folder")]
    NotAFolder { path: String, kind: &'static str },
    #[error("{path} already exists and is a {kind}; nothing was changed")]
    InTheWay { path: String, kind: &'static str },
    #[error(
        "{path} has {names} names (hard links); writing it would change or separate the others, so nothing was changed"
    )]
    ManyNames { path: String, names: String },
    #[error("{path} was changed by something else in this moment; nothing was changed, look at it again")]
    Changed { path: String },
    #[error("{path} is {size}, and this works on files of up to {most}")]
    TooLarge { path: String, size: String, most: String },
    #[error("could not {action} {path}: {source}")]
    Io { action: &'static str, path: String, source: std::io::Error },
}

impl FileError {
    pub(crate) fn io(
        action: &'static str,
        path: impl AsRef<Path>,
        source: impl Into<std::io::Error>,
    ) -> Self {
        Self::Io { action, path: shown(path.as_ref().as_os_str()), source: source.into() }
    }

    /// The error of reaching a folder as that of reaching `name` in it: the hint names the whole path.
    pub(super) fn below(mut self, missing: &[OsString], name: &OsStr) -> Self {
        if let Self::Outside { real: Some(real), .. } | Self::Link { real: Some(real), .. } = &mut self {
            real.extend(missing);
            real.push(name);
        }
        self
    }
}

/// Why a path could not be resolved; it gets its name from the one who asked.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ResolveError {
    /// It leaves the folder it is resolved below.
    Outside,
    /// A link stands where none is followed.
    Link,
    /// The system's own reason.
    System(Errno),
}

impl ResolveError {
    pub(super) fn named(self, given: &str, absolute: &Path) -> FileError {
        let path = shown(given.as_ref());
        match self {
            Self::Outside => FileError::Outside { path, real: std::fs::canonicalize(absolute).ok() },
            Self::Link => FileError::Link { path, real: std::fs::canonicalize(absolute).ok() },
            Self::System(Errno::NOENT) => FileError::NotFound { path },
            Self::System(errno) => FileError::Io { action: "reach", path, source: errno.into() },
        }
    }
}

fn hint(real: Option<&Path>) -> String {
    real.map(|real| format!("; ask for {} by that path", shown(real.as_os_str()))).unwrap_or_default()
}
