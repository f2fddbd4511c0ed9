//! The background commands of a task, which run next to its driver and end with it. The end of each command is an
//! event. The journal lists the running commands, so that the next host can record that they ended with this one.

mod commands;

pub(crate) use commands::kept_output;
pub(super) use commands::{Backgrounds, Gone};

use super::DriverError;
use super::journal::TaskJournal;
use super::run::changes_since;
use crate::core::Core;
use crate::inference;
use crate::redact;
use commands::id;
use deputy_protocol::{
    BackgroundEnd, BackgroundEnded, BackgroundId, BackgroundStarted, CallId, ChangedRepository, Digest,
    FileChange, KeptOutput, TaskEvent,
};
use deputy_sandbox::{Ended, Network};
use deputy_tools::{Commands, without_escapes};
use std::sync::Arc;
use tokio::sync::mpsc;

/// How much of a command's output the event of its end contains, in bytes.
const TAIL_BYTES: usize = 4 * 1024;

/// The background commands of one task, and those that have ended.
pub(super) struct Background {
    core: Arc<Core>,
    commands: Arc<Backgrounds>,
    gone: mpsc::UnboundedReceiver<Gone>,
    /// Commands that ended before their start was journalled.
    early: Vec<Gone>,
}

impl Background {
    /// Creates the state without running commands. The numbers continue from those in the journal.
    pub(super) fn new(core: Arc<Core>, journal: &TaskJournal) -> Self {
        let last = journal.machine().backgrounds().started();
        let (commands, gone) = Backgrounds::new(core.clone(), journal.task().clone(), last);
        Self { core, commands, gone, early: Vec::new() }
    }

    /// Returns the interface for the calls of the task.
    pub(super) fn commands(&self) -> Arc<dyn Commands> {
        self.commands.clone()
    }

    /// Returns the commands, for judging what leads to them.
    pub(super) fn shared(&self) -> Arc<Backgrounds> {
        self.commands.clone()
    }

    /// Returns the network that the task's commands share. `None` while nothing listens there.
    pub(super) fn network(&self) -> Option<Network> {
        self.commands.network()
    }

    /// Returns the command that a call has started. Each is returned once.
    pub(super) fn started_by(&self, call: &CallId, manifest: Option<Digest>) -> Option<BackgroundStarted> {
        self.commands.started_by(call, manifest)
    }

    /// Stops a command on behalf of a person.
    pub(super) fn stop(&self, background: &BackgroundId) {
        self.commands.end(background, BackgroundEnd::StoppedByUser);
    }

    /// Waits for the next command to end. Cancel safe.
    pub(super) async fn next_gone(&mut self) -> Option<Gone> {
        self.gone.recv().await
    }

    /// Journals the commands that have ended.
    pub(super) async fn bury_all(&mut self, journal: &mut TaskJournal) -> Result<(), DriverError> {
        let mut all = std::mem::take(&mut self.early);
        while let Ok(gone) = self.gone.try_recv() {
            all.push(gone);
        }
        let any = !all.is_empty();
        for gone in all {
            self.bury(journal, gone).await;
        }
        if any {
            journal.commit().await?;
        }
        Ok(())
    }

    /// Journals the end of a background command.
    pub(super) async fn bury(&mut self, journal: &mut TaskJournal, gone: Gone) {
        let background = id(gone.number);
        let Some(started) = journal.machine().backgrounds().get(&background).cloned() else {
            // Its start is not journalled yet: the call that started it has not ended.
            if self.commands.is_fresh(gone.number) {
                self.early.push(gone);
            }
            return;
        };
        let (why, bytes, total) = self.commands.left_by(gone.number);
        let (why, exit_code, message, refused, mut changes) = match gone.ended {
            Ok(ran) => {
                let timed_out = ran.ended == Ended::TimedOut;
                let why =
                    if timed_out { BackgroundEnd::TimeLimit } else { why.unwrap_or(BackgroundEnd::Exited) };
                (why, ran.exit_code, ran.line, ran.refused, ran.changes)
            }
            Err(error) => (
                BackgroundEnd::Exited,
                None,
                deputy_messages::tools::background_did_not_start(error),
                Vec::new(),
                Vec::new(),
            ),
        };
        let from = bytes.len().saturating_sub(TAIL_BYTES);
        let tail = String::from_utf8_lossy(&bytes[from..]);
        let tail = redact::text(&without_escapes(&tail)).into_owned();
        let kept = match bytes.len() > TAIL_BYTES {
            true => keep_output(&self.core, bytes, total).await,
            false => None,
        };
        let (found, repositories) = changed_since(&self.core, started.manifest.as_ref()).await;
        changes.extend(found);
        journal_inferred(&self.core, journal, &started.call);
        journal.emit(TaskEvent::BackgroundEnded(BackgroundEnded {
            background,
            call: started.call,
            why,
            exit_code,
            message,
            tail,
            kept,
            changes,
            repositories,
            refused,
        }));
        if let Some(manifest) = started.manifest {
            journal.drop_later(manifest);
        }
    }

    /// Ends all background commands because the task ends.
    pub(super) async fn end_all(&mut self, journal: &mut TaskJournal) -> Result<(), DriverError> {
        self.journal_lost(journal).await;
        for running in journal.machine().backgrounds().running() {
            self.commands.end(&running.background, BackgroundEnd::TaskEnded);
        }
        while !journal.machine().backgrounds().running().is_empty() {
            // The commands hold a sender themselves, so the channel does not close.
            let Some(gone) = self.gone.recv().await else { break };
            self.bury(journal, gone).await;
        }
        journal.commit().await?;
        Ok(())
    }

    /// Records the end of commands that are in the journal but not running. They ended with the process that ran them.
    pub(super) async fn journal_lost(&self, journal: &mut TaskJournal) {
        let running = journal.machine().backgrounds().running().iter();
        let lost: Vec<BackgroundStarted> =
            running.filter(|running| !self.commands.knows(&running.background)).cloned().collect();
        for started in lost {
            let (changes, repositories) = changed_since(&self.core, started.manifest.as_ref()).await;
            journal_inferred(&self.core, journal, &started.call);
            journal.emit(TaskEvent::BackgroundEnded(BackgroundEnded {
                background: started.background,
                call: started.call,
                why: BackgroundEnd::HostRestarted,
                exit_code: None,
                message: deputy_messages::tools::background_restarted(),
                tail: String::new(),
                kept: None,
                changes,
                repositories,
                refused: Vec::new(),
            }));
            if let Some(manifest) = started.manifest {
                journal.drop_later(manifest);
            }
        }
    }

    /// Ends the commands that are not in the journal, after the journal could not be written for a while.
    pub(super) fn end_unknown(&self, journal: &TaskJournal) {
        for background in self.commands.all() {
            if journal.machine().backgrounds().get(&background).is_none() {
                self.commands.end(&background, BackgroundEnd::StoppedByTask);
            }
        }
    }
}

/// Journals the usage of models that a call asked, once everything that the call did has ended.
pub(super) fn journal_inferred(core: &Core, journal: &mut TaskJournal, call: &CallId) {
    match inference::took(&core.home, journal.task(), call) {
        Ok(took) => took.into_iter().for_each(|took| journal.emit(TaskEvent::Inferred(took))),
        Err(error) => tracing::warn!("what the answers of {call} took is not known: {error}"),
    }
}

/// Stores the end of the output as a blob, with secrets redacted. If this fails, only the tail remains.
async fn keep_output(core: &Core, bytes: Vec<u8>, total: u64) -> Option<KeptOutput> {
    let (store, omitted_bytes) = (core.store.clone(), total - bytes.len() as u64);
    let keep = move || store.keep_blob(redact::text(&String::from_utf8_lossy(&bytes)).as_bytes());
    let file = tokio::task::spawn_blocking(keep).await.ok()?.ok()?;
    Some(KeptOutput { digest: file.digest, size_bytes: file.size_bytes, omitted_bytes })
}

/// Returns the files that differ from before a command started. Undo does not cover what cannot be compared.
async fn changed_since(
    core: &Arc<Core>,
    manifest: Option<&Digest>,
) -> (Vec<FileChange>, Vec<ChangedRepository>) {
    let Some(manifest) = manifest.cloned() else { return Default::default() };
    let core = core.clone();
    let found = tokio::task::spawn_blocking(move || changes_since(&core, &manifest)).await;
    match found {
        Ok(Ok((found, repositories))) => (found.changes, repositories),
        _ => Default::default(),
    }
}
