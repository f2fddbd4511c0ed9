//! Why a command could not be run.

use deputy_protocol::Confinement;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

/// Why a command could not be run. In every case nothing of it ran.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SandboxError {
    /// The machine cannot enforce the confinement.
    #[error(
        "cannot confine a command as {confinement:?}: {why}; nothing was run. See `deputy doctor` for what to install"
    )]
    NoWalls {
        /// What was to be enforced.
        confinement: Confinement,
        /// What is missing or broke.
        why: String,
    },
    /// No program was named.
    #[error("cannot run an empty command: argv holds no program; give at least its name")]
    EmptyCommand,
    /// A bare name is in none of the system folders, or an absolute path does not exist.
    #[error("cannot run {program:?}: not found; programs are taken from {}, or by absolute path", path.to_string_lossy())]
    ProgramNotFound {
        /// As given.
        program: OsString,
        /// The folders that were searched.
        path: OsString,
    },
    /// The program is not an executable file, or is in a format that the system does not know.
    #[error(
        "cannot run {program:?}: it is not an executable program ({source}); check its mode and its first line"
    )]
    NotExecutable {
        /// Its path.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The program lies outside what the confinement shows.
    #[error(
        "cannot run {program:?} as {confinement:?}: it lies outside the folders that the command may read; grant its folder"
    )]
    ProgramOutOfSight {
        /// Its path.
        program: PathBuf,
        /// What hides it.
        confinement: Confinement,
    },
    /// The working directory is gone, or is not a folder.
    #[error("cannot run a command in {path:?}: {source}; choose a folder that exists")]
    WorkingDirectory {
        /// As given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The working directory lies outside what the confinement shows.
    #[error(
        "cannot run a command in {path:?} as {confinement:?}: the folder is not among those that it may read; grant it"
    )]
    WorkingDirectoryOutOfSight {
        /// Its path.
        path: PathBuf,
        /// What hides it.
        confinement: Confinement,
    },
    /// A granted path cannot be used.
    #[error("cannot grant {path:?} to a command: {source}; grant absolute paths that exist")]
    Grant {
        /// The path.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// An argument or a variable holds a zero byte.
    #[error("cannot pass {value:?} to a command: it holds a zero byte; leave it out")]
    ZeroByte {
        /// The argument or variable.
        value: OsString,
    },
    /// Arguments and environment are longer than the system takes.
    #[error(
        "cannot run {program:?}: its arguments are longer than the system takes; pass them by file or by standard input"
    )]
    ArgumentsTooLong {
        /// The program.
        program: PathBuf,
    },
    /// The system did not give what starting a process takes.
    #[error(
        "cannot start {program:?}: {step} failed ({source}); the machine may be out of processes, memory or file descriptors"
    )]
    Start {
        /// The program.
        program: PathBuf,
        /// What failed.
        step: &'static str,
        /// What the system said.
        source: io::Error,
    },
}
