//! The errors of the store, with messages that say what to do next.

use deputy_messages::store as say;
use deputy_protocol::{Digest, Phrase, RequestId, TaskId};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An error of the store. It can be cloned, because one failed commit fails all of its appends.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// An event for a task that was never created.
    UnknownTask {
        /// The id of the task.
        task: TaskId,
    },
    /// A second `created` event, or one that names another task.
    CannotCreate {
        /// The task of the event.
        task: TaskId,
        /// The reason.
        reason: Phrase,
    },
    /// An event after `stopped`.
    TaskEnded {
        /// The task.
        task: TaskId,
        /// The type of the refused event.
        event: String,
    },
    /// A second answer to one request.
    NotOpen {
        /// The request.
        request: RequestId,
    },
    /// The maximum number of requests or questions is open.
    InboxFull {
        /// The maximum.
        open: u32,
    },
    /// A request for the same call is open.
    AskedAlready {
        /// The open request.
        request: RequestId,
    },
    /// No blob with this digest is stored.
    UnknownBlob {
        /// The digest.
        digest: Digest,
    },
    /// The content of a blob no longer matches its digest.
    DamagedBlob {
        /// The blob's file.
        path: PathBuf,
    },
    /// The file cannot be stored: only regular files that do not change can.
    CannotKeep {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: Phrase,
    },
    /// No space is left, or a quota is reached. Nothing was written; writes succeed again once there is space.
    DiskFull {
        /// The operation.
        doing: Doing,
        /// The home.
        path: PathBuf,
    },
    /// Another program holds the database's own lock.
    Busy {
        /// The operation.
        doing: Doing,
        /// The home.
        path: PathBuf,
    },
    /// Another host uses this home.
    InUse {
        /// The home.
        path: PathBuf,
    },
    /// The home is not writable.
    ReadOnly {
        /// The operation.
        doing: Doing,
        /// The path that could not be written.
        path: PathBuf,
        /// The message of the system.
        reason: String,
    },
    /// The database is damaged, or is not Deputy's. Nothing was changed.
    Corrupt {
        /// The database.
        path: PathBuf,
        /// The message of SQLite.
        detail: Phrase,
        /// The commands that move it away, and restore the newest backup if there is one.
        advice: Phrase,
    },
    /// The database was written by a newer version of Deputy.
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
        /// The operation.
        doing: Doing,
        /// The path.
        path: PathBuf,
        /// The cause.
        source: Arc<std::io::Error>,
    },
    /// SQLite failed for another reason.
    Database {
        /// The operation.
        doing: Doing,
        /// The home.
        path: PathBuf,
        /// The error of SQLite, or of parsing a row.
        source: Arc<dyn Error + Send + Sync>,
    },
    /// The writer thread has ended.
    Closed {
        /// The operation.
        doing: Doing,
    },
}

/// Returns the description of an operation, which is only needed if it fails.
pub type Doing = fn() -> Phrase;

impl StoreError {
    /// Returns the message for this error.
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

    /// Returns whether the same operation may succeed later, once there is space or the lock is released.
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

/// An error inside an operation, before the operation and the home are known.
#[derive(Debug)]
pub(crate) enum Fault {
    Sqlite(rusqlite::Error),
    Json(serde_json::Error),
    /// The database is damaged, or is not Deputy's.
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
    /// Converts the fault to the error for the caller, with the operation and the home.
    pub(crate) fn during(self, doing: Doing, home: &Path) -> StoreError {
        use rusqlite::{ErrorCode as Code, ffi};
        let path = home.to_path_buf();
        let error = match self {
            Self::Store(error) => return error,
            Self::Corrupt(detail) => return crate::home::corrupt(home, detail),
            Self::Json(error) => return StoreError::Database { doing, path, source: Arc::new(error) },
            Self::Sqlite(error) => error,
        };
        // If not even the index of the log can be created, SQLite reports an I/O error instead.
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
