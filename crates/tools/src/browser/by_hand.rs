//! Lets a person take over the browser of a task, for instance to sign in, and give it back. The browser moves to a
//! window and back with the same profile. A single lock, which calls also wait for, decides who controls it.

use super::session::{Session, Taken};
use crate::per_task::PerTask;
use deputy_browser::{Browser, BrowserError, Display};
use deputy_protocol::{BrowserAnswer, BrowserUser, TaskId};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// How long to wait for a running call to end before telling the person to try again.
const PATIENCE: Duration = Duration::from_secs(30);
/// The note for the task after a person used its browser.
const WAS_USED: &str = "The user had this browser in the meantime and gave it back; references from before mean nothing any more";

/// Why a person cannot take over a browser.
#[derive(Debug)]
pub enum TakeError {
    /// No browser is open for this task.
    NoBrowser,
    /// There is no display on which to open a window.
    NoDisplay,
    /// A running call of the task does not end.
    InUse,
    /// The browser did not start.
    Browser(BrowserError),
}

impl From<BrowserError> for TakeError {
    fn from(error: BrowserError) -> Self {
        Self::Browser(error)
    }
}

/// What a person did with a task's browser, and the address of the page that was open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ByHand {
    /// The person took over the browser.
    Taken(Option<String>),
    /// The person gave back the browser or closed its window.
    Returned(Option<String>),
}

/// Records what a person did with a task's browser. The task's calls continue when the future is complete.
pub type Noting = Box<dyn Fn(TaskId, ByHand) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// Returns the folder of the permanent profile for browsers of tasks, according to the current settings. `None` if the
/// person wants no permanent profile.
pub type KeptProfile = Box<dyn Fn() -> Option<PathBuf> + Send + Sync>;

/// The browsers of all tasks, for the people who watch them.
#[derive(Clone, Default)]
pub struct Browsers {
    pub(super) sessions: PerTask<Session>,
    noting: Arc<OnceLock<Noting>>,
    kept: Arc<OnceLock<KeptProfile>>,
}

impl Browsers {
    /// Sets the callback that records what people do with browsers. Only the first call has an effect.
    pub fn noted_by(&self, noting: Noting) {
        let _ = self.noting.set(noting);
    }

    /// Sets the callback that returns the profile for new browsers. Only the first call has an effect.
    pub fn kept_by(&self, kept: KeptProfile) {
        let _ = self.kept.set(kept);
    }

    /// Returns the folder of the permanent profile, if there is one.
    pub(super) fn kept(&self) -> Option<PathBuf> {
        self.kept.get().and_then(|kept| kept())
    }

    async fn note(&self, task: &TaskId, done: ByHand) {
        if let Some(noting) = self.noting.get() {
            noting(task.clone(), done).await;
        }
    }

    /// Returns the current state of a task's browser.
    pub fn seen(&self, task: &TaskId) -> BrowserAnswer {
        let session = self.sessions.known(task);
        let open = session.as_ref().and_then(|session| session.open());
        let used_by = match (&session, &open) {
            (Some(session), _) if session.is_taken() => BrowserUser::Person,
            (_, Some(_)) => BrowserUser::Task,
            _ => BrowserUser::Nobody,
        };
        let url = open.and_then(|browser| browser.url());
        BrowserAnswer { used_by, url, has_display: Display::of_this_process().is_some() }
    }

    /// Moves a task's browser to a window, for a person.
    ///
    /// # Errors
    ///
    /// [`TakeError`]. The task keeps its browser in that case.
    pub async fn take(&self, task: &TaskId) -> Result<(), TakeError> {
        let session = self.sessions.known(task).ok_or(TakeError::NoBrowser)?;
        if session.is_taken() {
            return Ok(());
        }
        session.open().ok_or(TakeError::NoBrowser)?;
        let display = Display::of_this_process().ok_or(TakeError::NoDisplay)?;
        // Run in a separate task, so that a client that disconnects does not leave the browser closed.
        let (browsers, task) = (self.clone(), task.clone());
        let taking = tokio::spawn(async move { browsers.open_window(&task, &session, &display).await });
        taking.await.unwrap_or_else(|error| Err(BrowserError::NotStarted(error.to_string().into()).into()))
    }

    /// Closes the window and gives the browser back to the task. Does nothing if nobody took it over.
    ///
    /// # Errors
    ///
    /// [`BrowserError`] if the browser does not start again. The task's next call then starts a new one.
    pub async fn give_back(&self, task: &TaskId) -> Result<(), BrowserError> {
        let Some(session) = self.sessions.known(task) else { return Ok(()) };
        let (browsers, task) = (self.clone(), task.clone());
        let giving = tokio::spawn(async move { browsers.close_window(&task, &session).await });
        giving.await.unwrap_or_else(|error| Err(BrowserError::NotStarted(error.to_string().into())))
    }

    async fn open_window(
        &self,
        task: &TaskId,
        session: &Arc<Session>,
        display: &Display,
    ) -> Result<(), TakeError> {
        let turn = session.turn.clone().lock_owned();
        let turn = tokio::time::timeout(PATIENCE, turn).await.map_err(|_| TakeError::InUse)?;
        let browser = session.open().ok_or(TakeError::NoBrowser)?;
        let gate = browser.gate().ok_or(TakeError::NoBrowser)?;
        let left = browser.leave().await;
        drop(browser);
        let window = match Browser::open_again(&left, gate.by_hand(), Some(display)).await {
            Ok(window) => Arc::new(window),
            Err(error) => {
                session.put(Arc::new(Browser::open_again(&left, gate, None).await?));
                return Err(error.into());
            }
        };
        // Closing the window also gives the browser back. The watcher does not keep the browser or the session alive.
        let (closed, of) = (window.closed_by_person(), Arc::downgrade(session));
        session.put(window);
        session.taken(Taken { _turn: turn, gate });
        self.note(task, ByHand::Taken(left.url.clone())).await;
        let (browsers, task) = (self.clone(), task.clone());
        tokio::spawn(async move {
            closed.await;
            if let Some(session) = of.upgrade() {
                let _ = browsers.close_window(&task, &session).await;
            }
        });
        Ok(())
    }

    async fn close_window(&self, task: &TaskId, session: &Session) -> Result<(), BrowserError> {
        // A second caller waits here and then finds that the browser was already given back.
        let _giving = session.giving.lock().await;
        let (Some(window), Some(gate)) = (session.even_if_gone(), session.task_gate()) else { return Ok(()) };
        let left = window.leave().await;
        drop(window);
        let opened = Browser::open_again(&left, gate, None).await;
        if let Ok(browser) = &opened {
            browser.note(WAS_USED);
        }
        let opened = opened.map(|browser| session.put(Arc::new(browser)));
        self.note(task, ByHand::Returned(left.url.clone())).await;
        session.given_back();
        opened
    }
}
