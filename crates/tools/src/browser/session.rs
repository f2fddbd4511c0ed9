//! The browser of a task: started on first use, closed at the task's end.

use deputy_browser::{Browser, BrowserError, Info};
use deputy_protocol::CallId;
use deputy_web::Gate;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The browser of one task.
#[derive(Default)]
pub(crate) struct Session {
    /// Calls act one after the other.
    pub(super) turn: tokio::sync::Mutex<()>,
    browser: Mutex<Option<Arc<Browser>>>,
    /// What was judged about the element of each call, when it was last judged.
    judged: Mutex<HashMap<CallId, Info>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    /// The browser, where one is open.
    pub(super) fn open(&self) -> Option<Arc<Browser>> {
        locked(&self.browser).clone().filter(|browser| !browser.is_gone())
    }

    /// The browser, started where none is open.
    pub(super) async fn opened(&self, gate: Arc<dyn Gate>) -> Result<Arc<Browser>, BrowserError> {
        if let Some(browser) = self.open() {
            return Ok(browser);
        }
        // What is left of one that crashed goes first.
        drop(locked(&self.browser).take());
        let browser = Arc::new(Browser::open(gate).await?);
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
