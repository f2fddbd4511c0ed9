//! The browser of a task. It starts on first use and closes when the task ends. In between, a person can take it over.
//!
//! Pages of servers that the task started open in a browser of their own: it reaches these servers and nothing else, and
//! the other one does not reach them. Calls act on the one in which a page was opened last.

use deputy_browser::{Browser, BrowserError, Info};
use deputy_protocol::CallId;
use deputy_web::Gate;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The browser of a task.
#[derive(Default)]
pub(crate) struct Session {
    /// The lock that makes calls run one after the other. A person who has the browser holds it.
    pub(super) turn: Arc<tokio::sync::Mutex<()>>,
    /// Held while a person gives the browser back.
    pub(super) giving: tokio::sync::Mutex<()>,
    taken: Mutex<Option<Taken>>,
    browsers: Mutex<Open>,
    /// The element information that each call was last judged by.
    judged: Mutex<HashMap<CallId, Info>>,
}

/// What a browser reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Reaches {
    /// The web.
    #[default]
    Web,
    /// Servers that the task started.
    OwnServers,
}

/// The open browsers.
#[derive(Default)]
struct Open {
    /// The one that calls act on.
    current: Reaches,
    web: Option<Arc<Browser>>,
    own_servers: Option<Arc<Browser>>,
}

impl Open {
    fn slot(&mut self) -> &mut Option<Arc<Browser>> {
        match self.current {
            Reaches::Web => &mut self.web,
            Reaches::OwnServers => &mut self.own_servers,
        }
    }
}

/// A browser that a person uses.
pub(super) struct Taken {
    /// The lock that calls wait for.
    pub(super) _turn: tokio::sync::OwnedMutexGuard<()>,
    /// The gate to use again once the browser is given back.
    pub(super) gate: Arc<dyn Gate>,
}

impl Drop for Session {
    fn drop(&mut self) {
        let browser = locked(&self.browsers).web.take();
        // A permanent profile is saved first.
        if let Some(browser) = browser.filter(|browser| browser.keeps_profile())
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(async move { drop(browser.leave().await) });
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    /// Returns the browser if it is open.
    pub(super) fn open(&self) -> Option<Arc<Browser>> {
        self.even_if_gone().filter(|browser| !browser.is_gone())
    }

    /// Returns what the current browser reaches.
    pub(super) fn reaches(&self) -> Reaches {
        locked(&self.browsers).current
    }

    /// Returns the origin that receives key presses: that of the element, or of the page.
    pub(super) fn types_on(&self, reference: Option<&str>) -> String {
        let browser = self.open();
        let element = browser.as_ref().zip(reference).and_then(|(browser, at)| browser.element(at).ok());
        let page = element.map(|element| element.page).or_else(|| browser.and_then(|browser| browser.url()));
        deputy_policy::url::origin(&page.unwrap_or_default()).unwrap_or_default()
    }

    /// Returns the last browser, even if it has ended.
    pub(super) fn even_if_gone(&self) -> Option<Arc<Browser>> {
        locked(&self.browsers).slot().clone()
    }

    /// Sets the current browser.
    pub(super) fn put(&self, browser: Arc<Browser>) {
        *locked(&self.browsers).slot() = Some(browser);
    }

    /// Returns whether a person uses the browser.
    pub(super) fn is_taken(&self) -> bool {
        locked(&self.taken).is_some()
    }

    /// Records that a person uses the browser.
    pub(super) fn taken(&self, taken: Taken) {
        *locked(&self.taken) = Some(taken);
    }

    /// Returns the gate of the task's calls if a person uses the browser.
    pub(super) fn task_gate(&self) -> Option<Arc<dyn Gate>> {
        locked(&self.taken).as_ref().map(|taken| taken.gate.clone())
    }

    /// Lets the task's calls continue.
    pub(super) fn given_back(&self) {
        drop(locked(&self.taken).take());
    }

    /// Returns the browser that reaches this, which is the current one from now on. Starts it if it is not open.
    pub(super) async fn opened(
        &self,
        reaches: Reaches,
        gate: Arc<dyn Gate>,
        profile: Option<PathBuf>,
    ) -> Result<Arc<Browser>, BrowserError> {
        locked(&self.browsers).current = reaches;
        if let Some(browser) = self.open() {
            return Ok(browser);
        }
        // Remove what a crashed browser left.
        drop(locked(&self.browsers).slot().take());
        let opened = match profile.filter(|_| reaches == Reaches::Web) {
            Some(folder) => Browser::open_kept(&folder, gate).await?,
            None => Browser::open(gate).await?,
        };
        let browser = Arc::new(opened);
        *locked(&self.browsers).slot() = Some(browser.clone());
        Ok(browser)
    }

    /// Remembers the information that a call was judged by.
    pub(super) fn judged(&self, call: &CallId, info: Info) {
        locked(&self.judged).insert(call.clone(), info);
    }

    /// Takes the information that a call was judged by. Returns the default if it was judged without a page.
    pub(super) fn take_judged(&self, call: &CallId) -> Info {
        locked(&self.judged).remove(call).unwrap_or_default()
    }
}
