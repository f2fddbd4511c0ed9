//! The browser of a task: people can watch it, take it over and return it.

use super::existing;
use crate::core::Core;
use deputy_messages::agent as say;
use deputy_protocol::{
    Answers, BrowserAnswer, BrowserQuery, BrowserReturned, BrowserTaken, CommandId, DoneOutcome, ErrorBody,
    ErrorCode, Performs, ReturnBrowserCommand, TakeBrowserCommand, TaskEvent, TaskId,
};
use deputy_tools::{ByHand, TakeError};
use std::pin::Pin;
use std::sync::Arc;

/// Shows the browsers of tasks, and transfers control of them.
pub(super) struct Browsing {
    core: Arc<Core>,
}

impl Browsing {
    pub(super) fn new(core: Arc<Core>) -> Self {
        // A weak reference: the core owns the tools, which own this.
        let host = Arc::downgrade(&core);
        let noting = move |task: TaskId, done: ByHand| -> Pin<Box<dyn Future<Output = ()> + Send>> {
            let host = host.clone();
            Box::pin(async move {
                if let Some(core) = host.upgrade() {
                    journal(&core, &task, done).await;
                }
            })
        };
        core.registry.browsers().noted_by(Box::new(noting));
        let host = Arc::downgrade(&core);
        let kept = move || {
            let core = host.upgrade()?;
            core.config().browser.profile.as_ref().map(|name| name.folder(&core.home))
        };
        core.registry.browsers().kept_by(Box::new(kept));
        Self { core }
    }
}

/// Journals that the browser was taken over or returned. Every client shows these events of the task.
async fn journal(core: &Core, task: &TaskId, done: ByHand) {
    let shown = |url: Option<String>| url.map(|url| crate::redact::text(&url).into_owned());
    let event = match done {
        ByHand::Taken(url) => TaskEvent::BrowserTaken(BrowserTaken { url: shown(url) }),
        ByHand::Returned(url) => TaskEvent::BrowserReturned(BrowserReturned { url: shown(url) }),
    };
    if let Err(error) = core.store.append(task, core.now_ms(), vec![event]).await {
        tracing::warn!("what was done with the browser of {task} is not in the journal: {error}");
    }
}

impl Answers<BrowserQuery> for Browsing {
    async fn answer(&self, query: BrowserQuery) -> Result<BrowserAnswer, ErrorBody> {
        existing(&self.core, &query.task)?;
        Ok(self.core.registry.browsers().seen(&query.task))
    }
}

impl Performs<TakeBrowserCommand> for Browsing {
    async fn perform(&self, _: &CommandId, take: TakeBrowserCommand) -> Result<DoneOutcome, ErrorBody> {
        existing(&self.core, &take.task)?;
        self.core.registry.browsers().take(&take.task).await.map_err(|error| {
            let (message, hint) = match error {
                TakeError::NoBrowser => (say::no_browser_to_take(), say::browser_opens_with_page()),
                TakeError::NoDisplay => (say::no_display_for_browser(), say::start_deputy_on_desktop()),
                TakeError::InUse => (say::browser_in_use(), say::take_browser_later()),
                TakeError::Browser(error) => (say::browser_not_in_window(error), say::task_keeps_browser()),
            };
            ErrorBody::new(ErrorCode::CannotTakeBrowser, message, hint)
        })?;
        Ok(DoneOutcome {})
    }
}

impl Performs<ReturnBrowserCommand> for Browsing {
    async fn perform(&self, _: &CommandId, give: ReturnBrowserCommand) -> Result<DoneOutcome, ErrorBody> {
        existing(&self.core, &give.task)?;
        self.core.registry.browsers().give_back(&give.task).await.map_err(|error| {
            let message = say::browser_not_given_back(error);
            ErrorBody::new(ErrorCode::CannotTakeBrowser, message, say::task_opens_new_browser())
        })?;
        Ok(DoneOutcome {})
    }
}
