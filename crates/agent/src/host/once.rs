//! Idempotence: a command that is sent again gets its first outcome, and is not executed twice.

use super::HostError;
use super::ending::Commands;
use crate::core::Core;
use deputy_protocol::{CommandId, CommandOutcome, ErrorBody, OperationEffect};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum number of secret outcomes that are kept; the oldest is dropped first.
const MOST_SECRETS: usize = 64;

/// Prevents commands from being executed twice, together with the journal.
pub(super) struct Once {
    core: Arc<Core>,
    pub(super) commands: Commands,
    /// The commands in progress, each with a lock that duplicates wait for.
    turns: Mutex<HashMap<CommandId, Arc<tokio::sync::Mutex<()>>>>,
    /// Outcomes of commands that must never be written to disk.
    secrets: Mutex<VecDeque<(CommandId, CommandOutcome)>>,
}

impl Once {
    pub(super) fn new(core: Arc<Core>) -> Self {
        Self { core, commands: Commands::default(), turns: Mutex::default(), secrets: Mutex::default() }
    }

    fn secret(&self, id: &CommandId) -> Option<CommandOutcome> {
        let secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        secrets.iter().find(|(known, _)| known == id).map(|(_, outcome)| outcome.clone())
    }

    fn keep_secret(&self, id: &CommandId, outcome: &CommandOutcome) {
        let mut secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        if secrets.len() == MOST_SECRETS {
            secrets.pop_front();
        }
        secrets.push_back((id.clone(), outcome.clone()));
    }

    /// Executes a command, or returns its outcome if it was sent before.
    ///
    /// The same command may arrive twice at the same time, from a client that reconnects: the second call waits for the
    /// first. Refused if the host is ending.
    pub(super) async fn once(
        &self,
        id: &CommandId,
        effect: OperationEffect,
        doing: impl Future<Output = Result<CommandOutcome, ErrorBody>>,
    ) -> Result<CommandOutcome, ErrorBody> {
        let _in_progress = self.commands.begin()?;
        let turn = {
            let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
            turns.entry(id.clone()).or_default().clone()
        };
        let done = {
            let _turn = turn.lock().await;
            self.in_turn(id, effect, doing).await
        };
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        // Two references are this one and the map's: no other caller waits.
        if Arc::strong_count(&turn) == 2 {
            turns.remove(id);
        }
        done
    }

    async fn in_turn(
        &self,
        id: &CommandId,
        effect: OperationEffect,
        doing: impl Future<Output = Result<CommandOutcome, ErrorBody>>,
    ) -> Result<CommandOutcome, ErrorBody> {
        let before = match self.secret(id) {
            Some(outcome) => Some(outcome),
            None => self.core.store.command_seen(id).await.map_err(HostError::from)?,
        };
        if let Some(outcome) = before {
            return Ok(outcome);
        }
        let outcome = doing.await?;
        if effect == OperationEffect::ChangesInSecret {
            self.keep_secret(id, &outcome);
        } else {
            let now_ms = self.core.now_ms();
            self.core.store.remember_command(id, &outcome, now_ms).await.map_err(HostError::from)?;
        }
        Ok(outcome)
    }
}
