//! Events as screens get them: live, and those that a screen missed.

use super::Store;
use crate::error::StoreError;
use crate::events::{self, MirroredEvent};
use deputy_messages::store as say;
use deputy_protocol::TaskId;
use tokio::sync::broadcast;

impl Store {
    /// Every event from now on, in order, sent once it is durable. A listener that lags learns how many it missed and
    /// gets them from [`Store::mirrored_since`].
    pub fn subscribe(&self) -> broadcast::Receiver<MirroredEvent> {
        self.parts.events.subscribe()
    }

    /// Events of all tasks after `seq`, in order, each with its task as it is now.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn mirrored_since(&self, seq: u64, limit: u32) -> Result<Vec<MirroredEvent>, StoreError> {
        self.parts
            .readers
            .read(say::read_journal, |conn| events::mirrored(conn, events::since(conn, seq, limit)?))
    }

    /// Events of one task after `after`, in order, each with the task as it is now.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn mirrored_of_task(
        &self,
        task: &TaskId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<MirroredEvent>, StoreError> {
        self.parts.readers.read(say::read_journal, |conn| {
            events::mirrored(conn, events::of_task(conn, task, after, limit)?)
        })
    }
}
