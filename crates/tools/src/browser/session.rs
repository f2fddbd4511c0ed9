//! The browser of a task: started on first use, closed at the task's end, and a person's in between.

use deputy_browser::{Browser, BrowserError, Info};
use deputy_protocol::CallId;
use deputy_web::Gate;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The browser of one task.
#[derive(Default)]
pub(crate) struct Session {
    /// Calls act one after the other, and none while a person has the browser.
    pub(super) turn: Arc<tokio::sync::Mutex<()>>,
    /// Held while a person gives it back.
    pub(super) giving: tokio::sync::Mutex<()>,
    taken: Mutex<Option<Taken>>,
    browser: Mutex<Option<Arc<Browser>>>,
    /// What was judged about the element of each call, when it was last judged.
    judged: Mutex<HashMap<CallId, Info>>,
}

/// A browser that a person uses.
pub(super) struct Taken {
    /// Calls wait for it.
    pub(super) _turn: tokio::sync::OwnedMutexGuard<()>,
    /// What decides again once it is given back.
    pub(super) gate: Arc<dyn Gate>,
}

impl Drop for Session {
    fn drop(&mut self) {
        let browser = locked(&self.browser).take();
        // A profile that stays is written down first.
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
    /// The browser, where one is open.
    pub(super) fn open(&self) -> Option<Arc<Browser>> {
        locked(&self.browser).clone().filter(|browser| !browser.is_gone())
    }

    /// The origin of what keys go to: of an element, or of the page.
    pub(super) fn types_on(&self, reference: Option<&str>) -> String {
        let browser = self.open();
        let element = browser.as_ref().zip(reference).and_then(|(browser, at)| browser.element(at).ok());
        let page = element.map(|element| element.page).or_else(|| browser.and_then(|browser| browser.url()));
        deputy_policy::url::origin(&page.unwrap_or_default()).unwrap_or_default()
    }

    /// The browser that was opened last.
    pub(super) fn even_if_gone(&self) -> Option<Arc<Browser>> {
        locked(&self.browser).clone()
    }

    /// From now on it is this one.
    pub(super) fn put(&self, browser: Arc<Browser>) {
        *locked(&self.browser) = Some(browser);
    }

    /// Whether a person uses it.
    pub(super) fn is_taken(&self) -> bool {
        locked(&self.taken).is_some()
    }

    /// A person uses it from now on.
    pub(super) fn taken(&self, taken: Taken) {
        *locked(&self.taken) = Some(taken);
    }

    /// The gate of the task's calls, where a person uses the browser.
    pub(super) fn task_gate(&self) -> Option<Arc<dyn Gate>> {
        locked(&self.taken).as_ref().map(|taken| taken.gate.clone())
    }

    /// The task's calls continue.
    pub(super) fn given_back(&self) {
        drop(locked(&self.taken).take());
    }

    /// The browser, started where none is open.
    pub(super) async fn opened(
        &self,
        gate: Arc<dyn Gate>,
        profile: Option<PathBuf>,
    ) -> Result<Arc<Browser>, BrowserError> {
        if let Some(browser) = self.open() {
            return Ok(browser);
        }
        // What is left of one that crashed goes first.
        drop(locked(&self.browser).take());
        let opened = match profile {
            Some(folder) => Browser::open_kept(&folder, gate).await?,
            None => Browser::open(gate).await?,
        };
        let browser = Arc::new(opened);
        *locked(&self.browser) = Some(browser.clone());
        Ok(browser)
    }

    /// Remembers what a call was judged by.
    pub(super) fn judged(&self, call: &CallId, info: Info) {
        locked(&self.judged).insert(call.clone(), info);
    }

    /// What a call was judged by; nothing special where it was judged without a page.
    pub(super) fn take_judged(&self, call: &CallId) -> Info {
        locked(&self.judged).remove(call).unwrap_or_default()
    }
}
