//! Ends a host when nothing is left to do, without losing a command that arrives at that moment: a command is either
//! executed before the host ends, or refused so that its client sends it to the next host.

use super::Host;
use super::HostError;
use deputy_messages::agent as say;
use deputy_protocol::{ErrorBody, ErrorCode};
use tokio::sync::watch;

/// Whether the host accepts commands, and how many it is executing.
#[derive(Default)]
struct Door {
    is_closed: bool,
    in_progress: usize,
}

/// Counts the commands in progress, and refuses further ones once the host ends.
#[derive(Default)]
pub(super) struct Commands(watch::Sender<Door>);

impl Commands {
    /// Registers a command until the returned value is dropped. An error if the host is ending.
    pub(super) fn begin(&self) -> Result<InProgress<'_>, ErrorBody> {
        let is_begun = self.0.send_if_modified(|door| {
            door.in_progress += usize::from(!door.is_closed);
            !door.is_closed
        });
        if is_begun {
            return Ok(InProgress(&self.0));
        }
        Err(ErrorBody::new(ErrorCode::HostEnding, say::host_is_ending(), say::try_again()))
    }
}

/// A command in progress.
pub(super) struct InProgress<'a>(&'a watch::Sender<Door>);

impl Drop for InProgress<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|door| door.in_progress -= 1);
    }
}

impl Host {
    /// Waits until no command is in progress and the host is not busy. From then on, it refuses every command. Cancel
    /// safe.
    pub async fn refuse_when_idle(&self) -> Result<(), HostError> {
        let mut events = self.events();
        let mut commands = self.0.once.commands.0.subscribe();
        loop {
            let mut is_busy = Ok(true);
            let is_refusing = self.0.once.commands.0.send_if_modified(|door| {
                if door.in_progress == 0 {
                    is_busy = self.is_busy();
                }
                door.is_closed = matches!(is_busy, Ok(false));
                door.is_closed
            });
            is_busy?;
            if is_refusing {
                return Ok(());
            }
            tokio::select! {
                // If it lags behind, events have happened.
                _ = events.recv() => {}
                _ = commands.changed() => {}
            }
        }
    }
}
