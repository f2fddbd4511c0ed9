//! The hash chain of the journal: each event has a digest of itself and of all events before it, so that an event that
//! was edited, removed from the middle or inserted is detected.

use crate::error::Fault;
use deputy_messages::store as say;
use rusqlite::{Connection, params};

/// The end of the journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct End {
    /// The number of the newest event; 0 if the journal is empty.
    pub(crate) seq: u64,
    /// The digest of the newest event; zeros if the journal is empty.
    pub(crate) digest: [u8; 32],
}

impl End {
    /// Reads the current end of the journal.
    pub(crate) fn read(conn: &Connection) -> Result<Self, Fault> {
        let sql = "SELECT seq, chain FROM events ORDER BY seq DESC LIMIT 1";
        let end = crate::rows::first(conn, sql, [], |row| {
            let seq: i64 = row.get(0)?;
            Ok(Self { seq: seq as u64, digest: row.get(1)? })
        });
        Ok(end?.unwrap_or_default())
    }

    /// Returns the end after one more event.
    pub(crate) fn after(&self, task: &str, at_ms: i64, kind: &str, event: &str) -> Self {
        let seq = self.seq + 1;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.digest).update(&seq.to_le_bytes()).update(&at_ms.to_le_bytes());
        // Each text is hashed with its length, so that characters cannot move from one text to the next.
        for text in [task, kind, event] {
            hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
        }
        Self { seq, digest: *hasher.finalize().as_bytes() }
    }
}

/// Verifies the chain from the first event to the last.
pub(crate) fn verify(conn: &Connection) -> Result<(), Fault> {
    let mut end = End::default();
    let mut statement =
        conn.prepare_cached("SELECT seq, chain, task, at_ms, type, event FROM events ORDER BY seq")?;
    let mut rows = statement.query(params![])?;
    while let Some(row) = rows.next()? {
        let text = |column| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
        end = end.after(text(2)?, row.get(3)?, text(4)?, text(5)?);
        let seq: i64 = row.get(0)?;
        if (seq as u64, row.get(1)?) != (end.seq, end.digest) {
            return Err(Fault::Corrupt(say::event_of_journal_is_missing(end.seq)));
        }
    }
    Ok(())
}
