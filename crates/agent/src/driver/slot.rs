//! The task's slot: it works only while it has one, and its place in the line for one is what the journal says.

use super::journal::TaskJournal;
use crate::core::Core;
use crate::slots::Turn;
use deputy_store::StoreError;
use std::sync::Arc;

/// A place in the line for a slot, and then the slot.
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

    /// Takes a place in the line where it has none, by its rank or behind all others, and gives it.
    pub(super) fn line_up(&mut self, journal: &TaskJournal) -> Result<&mut Turn, StoreError> {
        let turn = match self.turn.take() {
            Some(turn) => turn,
            None => self.core.slots.line_up(journal.rank()?),
        };
        Ok(self.turn.insert(turn))
    }

    /// Lets others work.
    pub(super) fn give_back(&mut self) {
        self.turn = None;
    }

    /// Goes to the place in the line that the journal gives it now: the newest, whichever move this is about.
    pub(super) fn move_by_rank(&self, journal: &TaskJournal) -> Result<(), StoreError> {
        if let Some(turn) = &self.turn
            && let Some(rank) = journal.rank()?
        {
            turn.move_to(rank);
        }
        Ok(())
    }
}
