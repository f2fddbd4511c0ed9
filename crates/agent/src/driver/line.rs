//! The lines before the inbox, one of permission requests and one of questions. So many are open at most, and never two
//! requests about the same call: what finds no place parks its task until there is one. Nothing is dropped by that, and
//! nothing decided, but for one thing: a no to a call is a no for whoever waited to ask about the very same.

use super::ask::Asking;
use super::{Driver, DriverError, Flow};
use crate::machine::Need;
use deputy_protocol::{CallId, Digest, PauseReason, RefusalShared, Resumed, TaskEvent};
use deputy_store::{MAX_OPEN_QUESTIONS, MAX_OPEN_REQUESTS, Place, StoreError};
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

/// What is to be asked.
enum ToAsk {
    /// Whether a call may run, and what the answer would bind to.
    Call(CallId, Digest),
    /// A question.
    Question(Need),
}

/// What the task does while it waits, in words.
pub(super) fn why(place: &Place, to_ask: PauseReason) -> String {
    let (most, what) = match (place, to_ask) {
        (Place::Equal(open), _) => {
            return format!(
                "The same call waits for an answer already, as request {open}; this one comes after it."
            );
        }
        (_, PauseReason::Question) => (MAX_OPEN_QUESTIONS, "questions"),
        _ => (MAX_OPEN_REQUESTS, "requests"),
    };
    format!("{most} {what} wait for an answer already; this task asks when it is its turn.")
}

impl Driver {
    /// Waits until a person can be asked, and asks.
    pub(super) async fn wait_for_place(&mut self) -> Result<Flow, DriverError> {
        let Some(to_ask) = self.to_ask() else {
            // Nothing is to be asked any more.
            self.emit(TaskEvent::Resumed(Resumed {}));
            return Ok(Flow::On);
        };
        let line = match &to_ask {
            ToAsk::Call(..) => self.core.line.clone(),
            ToAsk::Question(_) => self.core.question_line.clone(),
        };
        let mut since = self.core.store.last_seq()?;
        loop {
            let mut closed = self.core.store.requests_closed();
            if self.share_refusal(&to_ask, &mut since)? {
                return Ok(Flow::On);
            }
            if let Place::Equal(_) = self.inbox_place(&to_ask)? {
                tokio::select! {
                    signal = self.signals.recv() => return self.hear_or_end(signal).await,
                    // The store outlives every task that waits for it.
                    _ = closed.changed() => continue,
                }
            }
            let _in_line = InLine::of(&line);
            let _head = tokio::select! {
                signal = self.signals.recv() => return self.hear_or_end(signal).await,
                head = line.head.lock() => head,
            };
            loop {
                let mut closed = self.core.store.requests_closed();
                // An equal may have come and gone since this one stood in line.
                if self.share_refusal(&to_ask, &mut since)? {
                    return Ok(Flow::On);
                }
                match self.inbox_place(&to_ask)? {
                    Place::Equal(_) => break,
                    Place::Free => match self.ask_in_turn(&to_ask).await? {
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

    /// Refuses a call whose equal a person has refused behind `since`, which moves on; says whether one did.
    fn share_refusal(&mut self, to_ask: &ToAsk, since: &mut u64) -> Result<bool, DriverError> {
        let ToAsk::Call(call, digest) = to_ask else { return Ok(false) };
        let store = &self.core.store;
        // Read first: what is answered between the two is found now, and once more next time.
        let (from, last) = (*since, store.last_seq()?);
        *since = last;
        let Some(refusal) = store.refusal_since(digest, from)? else { return Ok(false) };
        self.emit(TaskEvent::Resumed(Resumed {}));
        self.emit(TaskEvent::RefusalShared(RefusalShared {
            call: call.clone(),
            digest: digest.clone(),
            request: refusal.request,
            asked_by: refusal.asked_by,
            reason: refusal.reason,
            by: refusal.by,
        }));
        Ok(true)
    }

    /// What is to be asked next.
    fn to_ask(&self) -> Option<ToAsk> {
        if let Some(need) = self.machine.question() {
            return Some(ToAsk::Question(need));
        }
        let call = self.machine.to_ask()?;
        let digest = self.machine.call(&call)?.stage.digest()?.clone();
        Some(ToAsk::Call(call, digest))
    }

    fn inbox_place(&self, to_ask: &ToAsk) -> Result<Place, StoreError> {
        match to_ask {
            ToAsk::Call(_, digest) => self.core.store.place(digest),
            ToAsk::Question(_) => self.core.store.question_place(),
        }
    }

    async fn ask_in_turn(&mut self, to_ask: &ToAsk) -> Result<Asking, DriverError> {
        let before = vec![TaskEvent::Resumed(Resumed {})];
        match to_ask {
            ToAsk::Call(call, _) => self.ask(call, before).await,
            ToAsk::Question(need) => self.question(need, before).await,
        }
    }
}
