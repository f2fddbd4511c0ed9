//! The task's slot. A task only works while it holds a slot, and the journal determines its position in the line.

use super::journal::TaskJournal;
use crate::core::Core;
use crate::slots::Turn;
use deputy_store::StoreError;
use std::sync::Arc;

/// A position in the line for a slot, and then the slot.
pub(super) struct Slot {
    core: Arc<Core>,
    turn: Option<Turn>,
}

impl Slot {
    pub(super) fn new(core: Arc<Core>) -> Self {
        Self { core, turn: None }
    }

    pub(super) fn is_held(&self) -> bool {
        self.turn.as_ref().is_some_and(Turn::has_come)
    }

    /// Takes a position in the line if the task has none: by its rank, or at the end. Returns the position.
    pub(super) fn line_up(&mut self, journal: &TaskJournal) -> Result<&mut Turn, StoreError> {
        let turn = match self.turn.take() {
            Some(turn) => turn,
            None => self.core.slots.line_up(journal.rank()?),
        };
        Ok(self.turn.insert(turn))
    }

    /// Releases the slot, so that other tasks can work.
    pub(super) fn give_back(&mut self) {
        self.turn = None;
    }

    /// Moves to the current rank in the journal, which may be newer than the move that triggered this.
    pub(super) fn move_by_rank(&self, journal: &TaskJournal) -> Result<(), StoreError> {
        if let Some(turn) = &self.turn
            && let Some(rank) = journal.rank()?
        {
            turn.move_to(rank);
        }
        Ok(())
    }
}
