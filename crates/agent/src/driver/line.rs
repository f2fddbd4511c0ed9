//! The line before the inbox. So many requests are open at most, and never two about the same call: what finds no place
//! parks its task until there is one. Nothing is dropped by that, and nothing decided, but for one thing: a no to a call
//! is a no for whoever waited to ask about the very same.

use super::ask::Asking;
use super::{Driver, DriverError, Flow};
use deputy_protocol::{CallId, Digest, RequestId, Resumed, TaskEvent};
use deputy_store::{MAX_OPEN_REQUESTS, Place};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Mutex;

/// Who waits for a place; the first in line holds the lock.
#[derive(Default)]
pub(crate) struct Line {
    head: Mutex<()>,
    length: AtomicUsize,
}

impl Line {
    /// Whether somebody waits: whoever comes now stands behind them.
    pub(super) fn is_standing(&self) -> bool {
        self.length.load(Ordering::Relaxed) > 0
    }
}

/// A place in the line, given up when it is dropped.
struct InLine(Arc<Line>);

impl InLine {
    fn of(line: &Arc<Line>) -> Self {
        line.length.fetch_add(1, Ordering::Relaxed);
        Self(line.clone())
    }
}

impl Drop for InLine {
    fn drop(&mut self) {
        self.0.length.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What the task does while it waits, in words.
pub(super) fn why(place: &Place) -> String {
    match place {
        Place::Equal(open) => {
            format!("The same call waits for an answer already, as request {open}; this one comes after it.")
        }
        Place::Free | Place::Full => {
            format!(
                "{MAX_OPEN_REQUESTS} requests wait for an answer already; this task asks when it is its turn."
            )
        }
    }
}

impl Driver {
    /// Waits until a person can be asked, and asks.
    pub(super) async fn wait_for_place(&mut self) -> Result<Flow, DriverError> {
        let Some((call, digest)) = self.to_ask() else {
            // Nothing is to be asked any more.
            self.emit(TaskEvent::Resumed(Resumed {}));
            return Ok(Flow::On);
        };
        let line = self.core.line.clone();
        loop {
            let mut closed = self.core.store.requests_closed();
            if let Place::Equal(open) = self.core.store.place(&digest)? {
                tokio::select! {
                    signal = self.signals.recv() => return self.hear_or_end(signal).await,
                    // The store outlives whoever waits for it.
                    _ = closed.changed() => {}
                }
                if self.core.store.place(&digest)? != Place::Equal(open.clone())
                    && self.share_refusal(&call, &open)?
                {
                    return Ok(Flow::On);
                }
                continue;
            }
            let _in_line = InLine::of(&line);
            let _head = tokio::select! {
                signal = self.signals.recv() => return self.hear_or_end(signal).await,
                head = line.head.lock() => head,
            };
            loop {
                let mut closed = self.core.store.requests_closed();
                match self.core.store.place(&digest)? {
                    Place::Equal(_) => break,
                    Place::Free => match self.ask(&call, vec![TaskEvent::Resumed(Resumed {})]).await? {
                        Asking::Done => return Ok(Flow::On),
                        Asking::NoPlace(_) => {}
                    },
                    Place::Full => {}
                }
                tokio::select! {
                    signal = self.signals.recv() => return self.hear_or_end(signal).await,
                    _ = closed.changed() => {}
                }
            }
        }
    }

    /// Refuses a call whose equal a person has just refused; says whether one did.
    fn share_refusal(&mut self, call: &CallId, asked_first: &RequestId) -> Result<bool, DriverError> {
        let Some(reason) = self.core.store.refusal(asked_first)? else { return Ok(false) };
        let colon = if reason.is_empty() { "" } else { ": " };
        self.emit(TaskEvent::Resumed(Resumed {}));
        self.refuse(
            call,
            &format!("The user said no to the same call, asked as {asked_first}{colon}{reason}"),
        );
        Ok(true)
    }

    /// The call that is to be asked about, and what an answer would bind to.
    fn to_ask(&self) -> Option<(CallId, Digest)> {
        let call = self.machine.to_ask()?;
        let digest = self.machine.call(&call)?.stage.digest()?.clone();
        Some((call, digest))
    }
}
