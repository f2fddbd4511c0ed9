//! Tells the user that something waits for them: once for each request, not in quiet hours, and taken back when it is
//! answered elsewhere.

mod clients;
mod command;
mod ntfy;
mod quiet;
mod seal;

pub use quiet::{Quiet, QuietError};

use crate::mirror::Mirror;
use async_trait::async_trait;
use deputy_agent::config::NotifySettings;
use deputy_protocol::{AgentState, EventRecord, Notice, NoticeKind, StopReason, TaskEvent, TaskId};
use deputy_store::Store;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;

/// How often it is looked whether quiet hours are over.
const LOOK: Duration = Duration::from_secs(60);
/// A longer line is cut.
const MAX_TEXT_CHARS: usize = 200;

/// A way to reach the user.
#[async_trait]
trait Channel: Send + Sync {
    /// What it is called in the log.
    fn name(&self) -> &'static str;
    /// Shows a notice, or takes it back where it is withdrawn.
    async fn show(&self, notice: &Notice) -> Result<(), String>;
}

/// Why notifications cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum NotifyError {
    /// The quiet hours are none.
    #[error(transparent)]
    Quiet(#[from] QuietError),
    /// The address of the topic is none.
    #[error("notify.ntfy `{address}` is no address of a topic: {why}")]
    Ntfy {
        /// As it was set.
        address: String,
        /// Why.
        why: String,
    },
}

/// Whether channels can be set up by these settings.
pub(crate) fn check(store: &Store, settings: &NotifySettings) -> Result<(), NotifyError> {
    settings.quiet.as_deref().map(str::parse::<Quiet>).transpose()?;
    settings.ntfy.as_deref().map(|address| ntfy::Ntfy::new(address, store.clone())).transpose()?;
    Ok(())
}

/// Notifications of a host.
pub struct Notifier {
    mirror: Mirror,
    channels: Vec<Box<dyn Channel>>,
    quiet: Option<Quiet>,
    /// What waits for a person, with whether its notice went out.
    waiting: BTreeMap<String, (Notice, bool)>,
}

impl Notifier {
    /// Sets the channels up.
    pub fn new(mirror: Mirror, settings: &NotifySettings) -> Result<Self, NotifyError> {
        let quiet = settings.quiet.as_deref().map(str::parse).transpose()?;
        let mut channels: Vec<Box<dyn Channel>> = vec![Box::new(clients::Clients(mirror.clone()))];
        if !settings.command.is_empty() {
            channels.push(Box::new(command::Command(settings.command.clone())));
        }
        if let Some(address) = &settings.ntfy {
            channels.push(Box::new(ntfy::Ntfy::new(address, mirror.host().store().clone())?));
        }
        Ok(Self { mirror, channels, quiet, waiting: BTreeMap::new() })
    }

    /// Tells until told to end. What waits already when it begins was told by the process before this one.
    pub async fn run(mut self, end: CancellationToken) {
        let mut events = self.mirror.host().events();
        if let Ok(snapshot) = self.mirror.host().snapshot()
            && let AgentState::Active(active) = snapshot.state
        {
            let requests = active.requests.iter().map(|request| {
                notice(request.id.as_str(), &request.task, NoticeKind::Request, &request.summary)
            });
            let questions = active.questions.iter().map(|question| {
                notice(question.id.as_str(), &question.task, NoticeKind::Question, &question.text)
            });
            self.waiting =
                requests.chain(questions).map(|notice| (notice.id.clone(), (notice, true))).collect();
        }
        let mut look = tokio::time::interval(LOOK);
        loop {
            tokio::select! {
                () = end.cancelled() => return,
                _ = look.tick() => self.tell_waiting().await,
                event = events.recv() => match event {
                    Ok(record) => self.event(&record).await,
                    // What waits is seen again at the next event of its kind; a notice is no journal.
                    Err(RecvError::Lagged(missed)) => tracing::warn!("{missed} events came too fast to notify of"),
                    Err(RecvError::Closed) => return,
                },
            }
        }
    }

    async fn event(&mut self, record: &EventRecord) {
        match &record.event {
            TaskEvent::PermissionRequested(asked) => {
                let request = &asked.request;
                self.wait(notice(request.id.as_str(), &record.task, NoticeKind::Request, &request.summary))
                    .await;
            }
            TaskEvent::QuestionAsked(asked) => {
                let question = &asked.question;
                self.wait(notice(question.id.as_str(), &record.task, NoticeKind::Question, &question.text))
                    .await;
            }
            TaskEvent::PermissionAnswered(answered) => self.withdraw(answered.request.as_str()).await,
            TaskEvent::QuestionAnswered(answered) => self.withdraw(answered.request.as_str()).await,
            TaskEvent::Stopped(stopped) => {
                let of_task = self.waiting.iter().filter(|(_, (notice, _))| notice.task == record.task);
                let over: Vec<String> = of_task.map(|(id, _)| id.clone()).collect();
                for id in over {
                    self.withdraw(&id).await;
                }
                let head = match stopped.reason {
                    StopReason::Completed => "Done",
                    // The user did that, and knows.
                    StopReason::ManualStop => return,
                    StopReason::Error | StopReason::IterationLimit | StopReason::Denied => "Ended",
                };
                let text = format!("{head}: {}", stopped.summary);
                self.wait(notice(record.task.as_str(), &record.task, NoticeKind::Ended, &text)).await;
            }
            _ => {}
        }
    }

    /// A request that stood open before a restart is asked again under its own id; it is told once.
    async fn wait(&mut self, notice: Notice) {
        self.waiting.entry(notice.id.clone()).or_insert((notice, false));
        self.tell_waiting().await;
    }

    async fn withdraw(&mut self, id: &str) {
        if let Some((mut notice, true)) = self.waiting.remove(id) {
            notice.withdrawn = true;
            self.show(&notice).await;
        }
    }

    /// Tells what was not told, unless it is quiet.
    async fn tell_waiting(&mut self) {
        if self.quiet.is_some_and(|quiet| quiet.covers(self.mirror.now_ms())) {
            return;
        }
        let fresh = self.waiting.values_mut().filter(|(_, is_told)| !is_told);
        let fresh: Vec<Notice> = fresh
            .map(|(notice, is_told)| {
                *is_told = true;
                notice.clone()
            })
            .collect();
        for notice in fresh {
            self.show(&notice).await;
        }
        // An end is told and done with; nobody answers it.
        self.waiting.retain(|_, (notice, is_told)| !(*is_told && notice.kind == NoticeKind::Ended));
    }

    async fn show(&self, notice: &Notice) {
        for channel in &self.channels {
            if let Err(error) = channel.show(notice).await {
                tracing::warn!("notice {} did not go out through {}: {error}", notice.id, channel.name());
            }
        }
    }
}

fn notice(id: &str, task: &TaskId, kind: NoticeKind, text: &str) -> Notice {
    let line = text.lines().next().unwrap_or_default();
    let short: String = line.chars().take(MAX_TEXT_CHARS).collect();
    let text = deputy_policy::visible(&short);
    Notice { id: id.to_owned(), task: task.clone(), kind, text, withdrawn: false }
}
