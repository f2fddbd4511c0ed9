//! Notifies the user of what waits: once for each request, not in quiet hours, and withdrawn when it is answered
//! elsewhere.
//!
//! The notices to send are stored together with the event that they come from; this module only sends them. No notice
//! is therefore lost by a crash, a restart, quiet hours, or a relay that is unavailable for a while. After a crash
//! while sending, a notice is sent again with the same id.

mod clients;
mod command;
mod phones;
mod quiet;
mod seal;
#[cfg(test)]
mod tests;

pub(crate) use phones::{MAX_ENDPOINT_BYTES, takes_pushes};
pub use quiet::{Quiet, QuietError};

use crate::mirror::Mirror;
use async_trait::async_trait;
use deputy_agent::config::NotifySettings;
use deputy_messages::Phrase;
use deputy_messages::server as say;
use deputy_protocol::{Notice, NoticeKind, TaskEvent};
use deputy_store::DueNotice;
use futures_util::future::join_all;
use std::collections::HashMap;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// The interval at which quiet hours are checked and failed notices are retried.
const LOOK: Duration = Duration::from_secs(60);
/// The maximum number of attempts to send a notice on a failing channel.
const MOST_TRIES: u32 = 60;
/// The delay before sent notices are recorded. A crash before that sends them again, and nothing else has to wait for
/// the write.
const WRITE_DOWN: Duration = Duration::from_secs(1);
/// The age from which the end of a task is no longer announced, in milliseconds.
const NEWS_MS: i64 = 24 * 3_600_000;
/// The maximum length of a notice, in characters.
const MAX_TEXT_CHARS: usize = 200;

/// A way to reach the user.
#[async_trait]
trait Channel: Send + Sync {
    /// Returns its name for the log.
    fn name(&self) -> &'static str;
    /// Shows a notice, or removes it if it is withdrawn.
    async fn show(&self, notice: &Notice) -> Result<(), String>;
}

/// The reason why notifications cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum NotifyError {
    /// The quiet hours are invalid.
    Quiet(#[from] QuietError),
    /// The address of the topic is invalid.
    Ntfy {
        /// The configured address.
        address: String,
        /// The cause.
        why: Phrase,
    },
}

impl NotifyError {
    /// Returns the message for this error.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Quiet(error) => error.phrase(),
            Self::Ntfy { address, why } => say::ntfy(address, why),
        }
    }
}

deputy_messages::said_by_phrase!(NotifyError);

/// Checks that channels can be set up with these settings.
pub(crate) fn check(settings: &NotifySettings) -> Result<(), NotifyError> {
    settings.quiet.as_deref().map(str::parse::<Quiet>).transpose()?;
    settings.ntfy.as_deref().map(phones::topic).transpose()?;
    Ok(())
}

/// Sends the notifications of a host.
pub struct Notifier {
    mirror: Mirror,
    channels: Vec<Box<dyn Channel>>,
    quiet: Option<Quiet>,
    /// Notices that some channels did not take, by id and whether they are withdrawn.
    stuck: HashMap<(String, bool), Stuck>,
    /// Notices that were sent or withdrawn, and are not recorded yet.
    told: Vec<String>,
    withdrawn: Vec<String>,
    write_down_at: Option<Instant>,
}

/// A notice that some channels did not take.
struct Stuck {
    /// The indexes of these channels.
    channels: Vec<usize>,
    tries: u32,
}

impl Notifier {
    /// Sets up the channels.
    pub fn new(mirror: Mirror, settings: &NotifySettings) -> Result<Self, NotifyError> {
        let quiet = settings.quiet.as_deref().map(str::parse).transpose()?;
        let mut channels: Vec<Box<dyn Channel>> = vec![Box::new(clients::Clients(mirror.clone()))];
        if !settings.command.is_empty() {
            channels.push(Box::new(command::Command(settings.command.clone())));
        }
        let topic = settings.ntfy.as_deref().map(phones::topic).transpose()?;
        channels.push(Box::new(phones::Phones::new(topic, mirror.host().store().clone())));
        Ok(Self::over(mirror, channels, quiet))
    }

    fn over(mirror: Mirror, channels: Vec<Box<dyn Channel>>, quiet: Option<Quiet>) -> Self {
        let (told, withdrawn) = (Vec::new(), Vec::new());
        Self { mirror, channels, quiet, stuck: HashMap::new(), told, withdrawn, write_down_at: None }
    }

    /// Sends notices until `end` is cancelled.
    pub async fn run(mut self, end: CancellationToken) {
        let mut events = self.mirror.host().events();
        let mut look = tokio::time::interval(LOOK);
        loop {
            let write_down_at = self.write_down_at;
            tokio::select! {
                () = end.cancelled() => break,
                _ = look.tick() => self.tell_due(true).await,
                () = at(write_down_at) => self.write_down().await,
                event = events.recv() => match event {
                    Ok(event) if concerns(&event.record.event) => self.tell_due(false).await,
                    Ok(_) => {}
                    // Missed notices are in the store.
                    Err(RecvError::Lagged(_)) => self.tell_due(false).await,
                    Err(RecvError::Closed) => break,
                },
            }
        }
        self.write_down().await;
    }

    /// Sends and withdraws what is due. `again` retries failed notices.
    async fn tell_due(&mut self, again: bool) {
        let due = match self.mirror.host().store().due_notices() {
            Ok(due) => due,
            Err(error) => return tracing::warn!("nobody can be notified now: {error}"),
        };
        // Notices that were answered in the meantime are no longer sent, only withdrawn.
        self.stuck.retain(|(id, is_over), _| due.iter().any(|one| one.id == *id && one.is_over == *is_over));
        let now_ms = self.mirror.now_ms();
        let is_quiet = self.quiet.is_some_and(|quiet| quiet.covers(now_ms));
        let mut fresh = Vec::new();
        for one in due {
            let is_old = one.kind == NoticeKind::Ended && one.at_ms < now_ms.saturating_sub(NEWS_MS);
            let is_written_soon = if one.is_over { &self.withdrawn } else { &self.told }.contains(&one.id);
            let waits = !again && self.stuck.contains_key(&(one.id.clone(), one.is_over));
            if is_written_soon || waits || is_quiet && !one.is_over && !is_old {
                continue;
            }
            match (one.is_over, is_old) {
                (true, _) => self.deliver(one).await,
                (false, true) => self.tell_no_more(one.id, false),
                (false, false) => fresh.push(one),
            }
        }
        if fresh.is_empty() {
            return;
        }
        // Recorded before they are sent: if a request is answered from here on, its notice is withdrawn.
        let ids = fresh.iter().map(|one| one.id.clone()).collect();
        match self.mirror.host().store().begin_notices(ids).await {
            Ok(begun) => {
                for one in fresh.into_iter().filter(|one| begun.contains(&one.id)) {
                    self.deliver(one).await;
                }
            }
            Err(error) => tracing::warn!("nobody can be notified now: {error}"),
        }
    }

    /// Shows or withdraws a notice on every channel that has not taken it.
    async fn deliver(&mut self, due: DueNotice) {
        let key = (due.id.clone(), due.is_over);
        let (channels, tries) = match self.stuck.remove(&key) {
            Some(stuck) => (stuck.channels, stuck.tries + 1),
            None => ((0..self.channels.len()).collect(), 1),
        };
        let notice = notice(&due);
        let showing = channels.iter().filter_map(|place| Some((*place, self.channels.get(*place)?)));
        let shown = join_all(showing.map(|(place, channel)| {
            let notice = &notice;
            async move { (place, channel.name(), channel.show(notice).await) }
        }))
        .await;
        let mut failed = Vec::new();
        for (place, name, outcome) in shown {
            if let Err(error) = outcome {
                tracing::warn!("notice {} did not go out through {name}: {error}", notice.id);
                failed.push(place);
            }
        }
        if failed.is_empty() || tries >= MOST_TRIES {
            self.tell_no_more(due.id, due.is_over);
        } else {
            self.stuck.insert(key, Stuck { channels: failed, tries });
        }
    }

    /// Marks a notice as done, to be recorded soon.
    fn tell_no_more(&mut self, id: String, is_over: bool) {
        if is_over { &mut self.withdrawn } else { &mut self.told }.push(id);
        self.write_down_at.get_or_insert_with(|| Instant::now() + WRITE_DOWN);
    }

    /// Records the notices that were sent and withdrawn.
    async fn write_down(&mut self) {
        if self.told.is_empty() && self.withdrawn.is_empty() {
            self.write_down_at = None;
            return;
        }
        let (told, withdrawn) = (self.told.clone(), self.withdrawn.clone());
        match self.mirror.host().store().finish_notices(told, withdrawn).await {
            Ok(()) => {
                (self.told, self.withdrawn) = (Vec::new(), Vec::new());
                self.write_down_at = None;
            }
            Err(error) => {
                tracing::warn!("what was notified cannot be written down: {error}");
                self.write_down_at = Some(Instant::now() + LOOK);
            }
        }
    }
}

/// Returns whether an event may change the notices.
fn concerns(event: &TaskEvent) -> bool {
    matches!(
        event,
        TaskEvent::PermissionRequested(_)
            | TaskEvent::QuestionAsked(_)
            | TaskEvent::PermissionAnswered(_)
            | TaskEvent::QuestionAnswered(_)
            | TaskEvent::Stopped(_)
    )
}

/// Returns the text of a notice: its first line without secrets, because it is visible on lock screens.
fn notice(due: &DueNotice) -> Notice {
    let line = due.text.lines().next().unwrap_or_default();
    let short: String = deputy_agent::without_secrets(line).chars().take(MAX_TEXT_CHARS).collect();
    Notice {
        id: due.id.clone(),
        task: due.task.clone(),
        kind: due.kind,
        text: deputy_policy::visible(&short),
        withdrawn: due.is_over,
    }
}

async fn at(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}
