//! A pool of read-only connections.

use crate::error::{Doing, Fault, StoreError};
use crate::home;
use rusqlite::Connection;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The number of idle connections that are kept. More are opened if needed, and closed afterwards.
const KEPT: usize = 4;

/// The pool of idle connections.
pub(crate) struct Readers {
    home: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(crate) fn new(home: PathBuf) -> Self {
        Self { home, idle: Mutex::new(Vec::new()) }
    }

    /// Runs `read` inside one read transaction, so that it sees a consistent state.
    pub(crate) fn read<T>(
        &self,
        doing: Doing,
        read: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        self.lend(read).map_err(|fault| fault.during(doing, &self.home))
    }

    /// Like [`Readers::read`], but on a new connection. SQLite's check of a full-text index uses data that its
    /// connection has cached, which other connections may have changed, and would then report the index as damaged.
    pub(crate) fn read_anew<T>(
        &self,
        doing: Doing,
        read: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        let read = || read(&*home::reading(&self.home)?.transaction()?);
        read().map_err(|fault: Fault| fault.during(doing, &self.home))
    }

    fn lend<T>(&self, read: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T, Fault> {
        // A connection is in a valid state between two uses, so a panic elsewhere does not corrupt the list.
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut conn = match idle {
            Some(conn) => conn,
            None => home::reading(&self.home)?,
        };
        let transaction = conn.transaction()?;
        let value = read(&transaction)?;
        transaction.commit()?;
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(conn);
        }
        Ok(value)
    }
}
