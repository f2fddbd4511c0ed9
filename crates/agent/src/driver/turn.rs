//! Waiting for a slot: a task works only while it has one, and its place in the line is what the journal says.

use super::{Driver, DriverError, Flow};
use crate::slots::Turn;
use deputy_protocol::{QueueRank, TaskEvent};
use deputy_store::StoreError;

impl Driver {
    /// Waits for a slot, and does with it what it waited for.
    pub(super) async fn wait_for_turn(&mut self, then: TaskEvent) -> Result<Flow, DriverError> {
        if self.take_slot().await? {
            self.emit(then);
        }
        Ok(Flow::On)
    }

    /// Takes a slot, or hears a signal first and says `false`: the machine may want something else by then. The place in
    /// the line is kept meanwhile.
    pub(super) async fn take_slot(&mut self) -> Result<bool, DriverError> {
        if self.slot.as_ref().is_some_and(Turn::has_come) {
            return Ok(true);
        }
        self.commit().await?;
        let turn = self.turn()?;
        let turn = self.slot.insert(turn);
        tokio::select! {
            biased;
            Some(signal) = self.signals.recv() => {
                self.hear(signal).await?;
                Ok(false)
            }
            () = turn.come() => Ok(true),
        }
    }

    /// Its place in the line for a slot, a new one where it has none: by its rank, or behind all others.
    pub(super) fn turn(&mut self) -> Result<Turn, StoreError> {
        match self.slot.take() {
            Some(turn) => Ok(turn),
            None => Ok(self.core.slots.line_up(self.rank()?)),
        }
    }

    /// Goes to the place in the line that the journal gives it now: the newest, whichever move this was told of.
    pub(super) fn move_in_line(&self) -> Result<(), StoreError> {
        if let Some(turn) = &self.slot
            && let Some(rank) = self.rank()?
        {
            turn.move_to(rank);
        }
        Ok(())
    }

    /// Its rank among the queued tasks; `None` once it has begun.
    fn rank(&self) -> Result<Option<QueueRank>, StoreError> {
        match self.machine.iteration() {
            0 => Ok(self.core.store.task(&self.task)?.and_then(|task| task.queue_rank)),
            _ => Ok(None),
        }
    }
}
