//! Why a command could not be run.

use deputy_messages::sandbox as say;
use deputy_protocol::{Confinement, Phrase};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

/// Why a command could not be run. In every case nothing of it ran.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SandboxError {
    /// The machine cannot enforce the confinement.
    NoWalls {
        /// What was to be enforced.
        confinement: Confinement,
        /// What is missing or broke.
        why: Phrase,
    },
    /// No program was named.
    EmptyCommand,
    /// A bare name is in none of the system folders, or an absolute path does not exist.
    ProgramNotFound {
        /// As given.
        program: OsString,
        /// The folders that were searched.
        path: OsString,
    },
    /// The program is not an executable file, or is in a format that the system does not know.
    NotExecutable {
        /// Its path.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The program lies outside what the confinement shows.
    ProgramOutOfSight {
        /// Its path.
        program: PathBuf,
        /// What hides it.
        confinement: Confinement,
    },
    /// The working directory is gone, or is not a folder.
    WorkingDirectory {
        /// As given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The working directory lies outside what the confinement shows.
    WorkingDirectoryOutOfSight {
        /// Its path.
        path: PathBuf,
        /// What hides it.
        confinement: Confinement,
    },
    /// A granted path cannot be used.
    Grant {
        /// The path.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// An argument or a variable holds a zero byte.
    ZeroByte {
        /// The argument or variable.
        value: OsString,
    },
    /// Arguments and environment are longer than the system takes.
    ArgumentsTooLong {
        /// The program.
        program: PathBuf,
    },
    /// The system did not give what starting a process takes.
    Start {
        /// The program.
        program: PathBuf,
        /// What failed.
        step: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

impl SandboxError {
    /// What to say about it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::NoWalls { confinement, why } => say::cannot_confine(quoted(confinement), why.clone()),
            Self::EmptyCommand => say::empty_command(),
            Self::ProgramNotFound { program, path } => {
                say::program_not_found(path.to_string_lossy(), quoted(program))
            }
            Self::NotExecutable { program, source } => say::not_executable(quoted(program), source),
            Self::ProgramOutOfSight { program, confinement } => {
                say::program_out_of_sight(quoted(confinement), quoted(program))
            }
            Self::WorkingDirectory { path, source } => say::working_directory(quoted(path), source),
            Self::WorkingDirectoryOutOfSight { path, confinement } => {
                say::working_directory_out_of_sight(quoted(confinement), quoted(path))
            }
            Self::Grant { path, source } => say::cannot_grant(quoted(path), source),
            Self::ZeroByte { value } => say::zero_byte(quoted(value)),
            Self::ArgumentsTooLong { program } => say::arguments_too_long(quoted(program)),
            Self::Start { program, step, source } => say::cannot_start(quoted(program), source, step),
        }
    }
}

deputy_messages::said_by_phrase!(SandboxError);

/// Names of files with what no text can hold escaped.
fn quoted(name: &dyn std::fmt::Debug) -> String {
    format!("{name:?}")
}
