//! What can go wrong with the store, in words that say what to do next.

use deputy_protocol::{Digest, RequestId, TaskId};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why the store could not do what was asked. Cloneable, because one failed commit fails every append in it.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// An event for a task that was never created.
    #[error("there is no task {task} in the journal; create it first, or check the id with `deputy tasks`")]
    UnknownTask {
        /// The id that was given.
        task: TaskId,
    },
    /// A second `created` event, or one that names another task.
    #[error("task {task} cannot be created: {reason}")]
    CannotCreate {
        /// The task the event was for.
        task: TaskId,
        /// What is wrong.
        reason: &'static str,
    },
    /// An event after `stopped`.
    #[error("task {task} has ended, so `{event}` cannot be written to its journal; start a new task")]
    TaskEnded {
        /// The task.
        task: TaskId,
        /// Type of the refused event.
        event: String,
    },
    /// A second answer to one request.
    #[error("request {request} is not open any more; ask for its answer instead of answering it again")]
    NotOpen {
        /// The request.
        request: RequestId,
    },
    /// As many requests, or questions, are open as may be.
    #[error(
        "{open} requests or questions wait for an answer, and no more may; answer one, or wait until one is"
    )]
    InboxFull {
        /// How many.
        open: u32,
    },
    /// The same call waits for an answer already.
    #[error("the same call waits for an answer already, as request {request}; answer that one first")]
    AskedAlready {
        /// The request that is open.
        request: RequestId,
    },
    /// No blob of that digest is kept.
    #[error("no content with digest {digest} is kept, so it cannot be restored")]
    UnknownBlob {
        /// What was asked for.
        digest: Digest,
    },
    /// A blob whose content no longer has its digest.
    #[error("the kept content {path} is damaged (its digest differs); it was left as it is and not used")]
    DamagedBlob {
        /// The blob's file.
        path: PathBuf,
    },
    /// Only regular files that hold still can be kept.
    #[error("{path} cannot be kept: {reason}")]
    CannotKeep {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// No space left, or a quota reached. Nothing was written; later writes work once there is space.
    #[error(
        "{doing}: the disk that holds {path} is full; nothing was written. Free some space and try again"
    )]
    DiskFull {
        /// What was tried.
        doing: &'static str,
        /// The home.
        path: PathBuf,
    },
    /// Another program holds the database's own lock.
    #[error(
        "{doing}: another program keeps {path} locked; close it (a database browser, a backup?) and try again"
    )]
    Busy {
        /// What was tried.
        doing: &'static str,
        /// The home.
        path: PathBuf,
    },
    /// Another host owns this home.
    #[error(
        "another Deputy process is using {path}; talk to that one, end it, or choose another folder with --home"
    )]
    InUse {
        /// The home.
        path: PathBuf,
    },
    /// The home cannot be written.
    #[error(
        "{doing}: {path} cannot be written ({reason}); make it writable, or choose another folder with --home"
    )]
    ReadOnly {
        /// What was tried.
        doing: &'static str,
        /// What could not be written.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The database is damaged or is something else. Nothing was changed.
    #[error("{path} is damaged ({detail}); it was left exactly as it is.\n{advice}")]
    Corrupt {
        /// The database.
        path: PathBuf,
        /// What SQLite said.
        detail: String,
        /// The commands that set it aside, and bring back the newest backup where there is one.
        advice: String,
    },
    /// A newer Deputy wrote this database.
    #[error(
        "{path} was written by a newer Deputy (format {found}, this one knows up to {supported}); \
         update Deputy, or choose another folder with --home. Nothing was changed"
    )]
    NewerFormat {
        /// The database.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The newest format that this program knows.
        supported: u32,
    },
    /// A file or folder of the home could not be used.
    #[error("{doing}: {path}: {source}")]
    Io {
        /// What was tried.
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// Why it failed.
        source: Arc<std::io::Error>,
    },
    /// SQLite refused for a reason that has no variant of its own.
    #[error("{doing} in {path}: {source}; run `deputy doctor`")]
    Database {
        /// What was tried.
        doing: &'static str,
        /// The home.
        path: PathBuf,
        /// What SQLite or the reader of a row said.
        source: Arc<dyn Error + Send + Sync>,
    },
    /// The writer has ended.
    #[error("{doing}: the journal is closed, because its writer has ended; restart Deputy")]
    Closed {
        /// What was tried.
        doing: &'static str,
    },
}

impl StoreError {
    /// Whether the same may succeed later, without anything but space or patience.
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::DiskFull { .. } | Self::Busy { .. })
    }

    pub(crate) fn io(doing: &'static str, path: &Path, source: std::io::Error) -> Self {
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

/// What went wrong inside one piece of work, before it is known for whom and where.
#[derive(Debug)]
pub(crate) enum Fault {
    Sqlite(rusqlite::Error),
    Json(serde_json::Error),
    /// The database is damaged, or is something else.
    Corrupt(String),
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
    pub(crate) fn during(self, doing: &'static str, home: &Path) -> StoreError {
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
            Some(Code::DatabaseCorrupt | Code::NotADatabase) => crate::home::corrupt(home, error.to_string()),
            _ => StoreError::Database { doing, path, source: Arc::new(error) },
        }
    }
}
