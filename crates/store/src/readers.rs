//! A few connections that only read, lent out one at a time.

use crate::error::{Doing, Fault, StoreError};
use crate::home;
use rusqlite::Connection;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// This many idle connections are kept; more are opened when needed and closed again.
const KEPT: usize = 4;

/// The connections that are not lent out.
pub(crate) struct Readers {
    home: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(crate) fn new(home: PathBuf) -> Self {
        Self { home, idle: Mutex::new(Vec::new()) }
    }

    /// Runs `read` inside one read transaction, so that all it sees is of one moment.
    pub(crate) fn read<T>(
        &self,
        doing: Doing,
        read: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        self.lend(read).map_err(|fault| fault.during(doing, &self.home))
    }

    /// The same on a connection that has read nothing yet. SQLite's check of a full-text index goes by what its
    /// connection has kept of the index, which others may have changed since, and then takes it for damaged.
    pub(crate) fn read_anew<T>(
        &self,
        doing: Doing,
        read: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        let read = || read(&*home::reading(&self.home)?.transaction()?);
        read().map_err(|fault: Fault| fault.during(doing, &self.home))
    }

    fn lend<T>(&self, read: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T, Fault> {
        // A connection is whole between two uses, so a panic elsewhere does not spoil the list.
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
