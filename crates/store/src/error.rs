//! What can go wrong with the store, in words that say what to do next.

use deputy_messages::store as say;
use deputy_protocol::{Digest, Phrase, RequestId, TaskId};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why the store could not do what was asked. Cloneable, because one failed commit fails every append in it.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// An event for a task that was never created.
    UnknownTask {
        /// The id that was given.
        task: TaskId,
    },
    /// A second `created` event, or one that names another task.
    CannotCreate {
        /// The task the event was for.
        task: TaskId,
        /// What is wrong.
        reason: Phrase,
    },
    /// An event after `stopped`.
    TaskEnded {
        /// The task.
        task: TaskId,
        /// Type of the refused event.
        event: String,
    },
    /// A second answer to one request.
    NotOpen {
        /// The request.
        request: RequestId,
    },
    /// As many requests, or questions, are open as may be.
    InboxFull {
        /// How many.
        open: u32,
    },
    /// The same call waits for an answer already.
    AskedAlready {
        /// The request that is open.
        request: RequestId,
    },
    /// No blob of that digest is kept.
    UnknownBlob {
        /// What was asked for.
        digest: Digest,
    },
    /// A blob whose content no longer has its digest.
    DamagedBlob {
        /// The blob's file.
        path: PathBuf,
    },
    /// Only regular files that hold still can be kept.
    CannotKeep {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: Phrase,
    },
    /// No space left, or a quota reached. Nothing was written; later writes work once there is space.
    DiskFull {
        /// What was tried.
        doing: Doing,
        /// The home.
        path: PathBuf,
    },
    /// Another program holds the database's own lock.
    Busy {
        /// What was tried.
        doing: Doing,
        /// The home.
        path: PathBuf,
    },
    /// Another host owns this home.
    InUse {
        /// The home.
        path: PathBuf,
    },
    /// The home cannot be written.
    ReadOnly {
        /// What was tried.
        doing: Doing,
        /// What could not be written.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The database is damaged or is something else. Nothing was changed.
    Corrupt {
        /// The database.
        path: PathBuf,
        /// What SQLite said.
        detail: Phrase,
        /// The commands that set it aside, and bring back the newest backup where there is one.
        advice: Phrase,
    },
    /// A newer Deputy wrote this database.
    NewerFormat {
        /// The database.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The newest format that this program knows.
        supported: u32,
    },
    /// A file or folder of the home could not be used.
    Io {
        /// What was tried.
        doing: Doing,
        /// On what.
        path: PathBuf,
        /// Why it failed.
        source: Arc<std::io::Error>,
    },
    /// SQLite refused for a reason that has no variant of its own.
    Database {
        /// What was tried.
        doing: Doing,
        /// The home.
        path: PathBuf,
        /// What SQLite or the reader of a row said.
        source: Arc<dyn Error + Send + Sync>,
    },
    /// The writer has ended.
    Closed {
        /// What was tried.
        doing: Doing,
    },
}

/// What was tried, said only where it failed.
pub type Doing = fn() -> Phrase;

impl StoreError {
    /// What it says to people.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::UnknownTask { task } => say::unknown_task(task),
            Self::CannotCreate { task, reason } => say::cannot_create(reason.clone(), task),
            Self::TaskEnded { task, event } => say::task_ended(event, task),
            Self::NotOpen { request } => say::not_open(request),
            Self::InboxFull { open } => say::inbox_full(*open),
            Self::AskedAlready { request } => say::asked_already(request),
            Self::UnknownBlob { digest } => say::unknown_blob(digest),
            Self::DamagedBlob { path } => say::damaged_blob(path.display()),
            Self::CannotKeep { path, reason } => say::cannot_keep(path.display(), reason.clone()),
            Self::DiskFull { doing, path } => say::disk_full(doing(), path.display()),
            Self::Busy { doing, path } => say::busy(doing(), path.display()),
            Self::InUse { path } => say::in_use(path.display()),
            Self::ReadOnly { doing, path, reason } => say::read_only(doing(), path.display(), reason),
            Self::Corrupt { path, detail, advice } => {
                say::corrupt(advice.clone(), detail.clone(), path.display())
            }
            Self::NewerFormat { path, found, supported } => {
                say::newer_format(found, path.display(), supported)
            }
            Self::Database { doing, path, source } => say::database(doing(), path.display(), source),
            Self::Closed { doing } => say::closed(doing()),
            Self::Io { doing, path, source } => say::io(doing(), path.display(), source),
        }
    }

    /// Whether the same may succeed later, without anything but space or patience.
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::DiskFull { .. } | Self::Busy { .. })
    }

    pub(crate) fn io(doing: Doing, path: &Path, source: std::io::Error) -> Self {
        use std::io::ErrorKind;
        let path = path.to_path_buf();
        match source.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::DiskFull { doing, path },
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                Self::ReadOnly { doing, path, reason: source.to_string() }
            }
            _ => Self::Io { doing, path, source: Arc::new(source) },
        }
    }
}

deputy_messages::said_by_phrase!(StoreError);

/// What went wrong inside one piece of work, before it is known for whom and where.
#[derive(Debug)]
pub(crate) enum Fault {
    Sqlite(rusqlite::Error),
    Json(serde_json::Error),
    /// The database is damaged, or is something else.
    Corrupt(Phrase),
    Store(StoreError),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Fault {
    /// The error for the caller: what was tried, and in which home.
    pub(crate) fn during(self, doing: Doing, home: &Path) -> StoreError {
        use rusqlite::{ErrorCode as Code, ffi};
        let path = home.to_path_buf();
        let error = match self {
            Self::Store(error) => return error,
            Self::Corrupt(detail) => return crate::home::corrupt(home, detail),
            Self::Json(error) => return StoreError::Database { doing, path, source: Arc::new(error) },
            Self::Sqlite(error) => error,
        };
        // Where not even the index of the log can be made, SQLite speaks of input and output instead.
        let log_index =
            error.sqlite_error().map(|error| error.extended_code) == Some(ffi::SQLITE_IOERR_SHMSIZE);
        match error.sqlite_error_code() {
            _ if log_index => StoreError::DiskFull { doing, path },
            Some(Code::DiskFull) => StoreError::DiskFull { doing, path },
            Some(Code::DatabaseBusy | Code::DatabaseLocked) => StoreError::Busy { doing, path },
            Some(Code::ReadOnly | Code::PermissionDenied) => {
                StoreError::ReadOnly { doing, path, reason: error.to_string() }
            }
            Some(Code::DatabaseCorrupt | Code::NotADatabase) => {
                crate::home::corrupt(home, error.to_string().into())
            }
            _ => StoreError::Database { doing, path, source: Arc::new(error) },
        }
    }
}
