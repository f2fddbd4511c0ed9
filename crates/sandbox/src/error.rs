//! Why a command could not be run.

use deputy_messages::sandbox as say;
use deputy_protocol::{Confinement, Phrase};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

/// Why a command could not be run. In every case, the command did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SandboxError {
    /// The machine cannot enforce the confinement.
    NoWalls {
        /// The requested confinement.
        confinement: Confinement,
        /// What is missing or failed.
        why: Phrase,
    },
    /// The command is empty.
    EmptyCommand,
    /// A program name is in none of the searched folders, or an absolute path does not exist.
    ProgramNotFound {
        /// The program as given.
        program: OsString,
        /// The folders that were searched.
        path: OsString,
    },
    /// The program is not an executable file, or its format is unknown to the system.
    NotExecutable {
        /// Its path.
        program: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The program is outside of what the confinement makes visible.
    ProgramOutOfSight {
        /// Its path.
        program: PathBuf,
        /// The confinement that hides it.
        confinement: Confinement,
    },
    /// The working directory does not exist or is not a folder.
    WorkingDirectory {
        /// The path as given.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The working directory is outside of what the confinement makes visible.
    WorkingDirectoryOutOfSight {
        /// Its path.
        path: PathBuf,
        /// The confinement that hides it.
        confinement: Confinement,
    },
    /// A granted path cannot be used.
    Grant {
        /// The path.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// An argument or a variable contains a null byte.
    ZeroByte {
        /// The argument or variable.
        value: OsString,
    },
    /// The arguments and environment are too long for the system.
    ArgumentsTooLong {
        /// The program.
        program: PathBuf,
    },
    /// The system lacks the resources to start a process.
    Start {
        /// The program.
        program: PathBuf,
        /// The step that failed.
        step: &'static str,
        /// The error of the system.
        source: io::Error,
    },
}

impl SandboxError {
    /// Returns the message for people.
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

/// Quotes a file name, with characters escaped that text cannot contain.
fn quoted(name: &dyn std::fmt::Debug) -> String {
    format!("{name:?}")
}
