//! Events in the form that clients get: live events, and those that a client missed.

use super::Store;
use crate::error::StoreError;
use crate::events::{self, MirroredEvent};
use deputy_messages::store as say;
use deputy_protocol::TaskId;
use tokio::sync::broadcast;

impl Store {
    /// Subscribes to new events, in order. An event is sent once it is durable. A receiver that lags learns how many
    /// events it missed, and gets them from [`Store::mirrored_since`].
    pub fn subscribe(&self) -> broadcast::Receiver<MirroredEvent> {
        self.parts.events.subscribe()
    }

    /// Returns events of all tasks after `seq`, in order, each with the current state of its task.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn mirrored_since(&self, seq: u64, limit: u32) -> Result<Vec<MirroredEvent>, StoreError> {
        self.parts
            .readers
            .read(say::read_journal, |conn| events::mirrored(conn, events::since(conn, seq, limit)?))
    }

    /// Returns events of one task after `after`, in order, each with the current state of the task.
    ///
    /// # Errors
    /// If the database cannot be read.
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
