//! The lines before the inbox, one of permission requests and one of questions. A bounded number of them is open, and never two
//! requests about the same call: what finds no place parks its task until there is one. Nothing is dropped by that, and
//! nothing decided, but for one thing: a no to a call is a no for everybody who waited to ask the very same.

use super::{Asker, Asking};
use crate::driver::DriverError;
use crate::driver::journal::TaskJournal;
use crate::driver::judge::Judge;
use crate::machine::{Machine, Need};
use deputy_messages::Phrase;
use deputy_messages::agent as say;
use deputy_protocol::{CallId, Digest, PauseReason, RefusalShared, Resumed, TaskEvent};
use deputy_store::{MAX_OPEN_QUESTIONS, MAX_OPEN_REQUESTS, Place, StoreError};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::{Mutex, OwnedMutexGuard, watch};

/// Who waits for a place; the first in line holds the lock.
#[derive(Default)]
pub(crate) struct Line {
    head: Arc<Mutex<()>>,
    length: AtomicUsize,
}

impl Line {
    /// Whether somebody waits already.
    pub(super) fn is_standing(&self) -> bool {
        self.length.load(Ordering::Relaxed) > 0
    }
}

/// A place in the line, given up when it is dropped.
struct InLine {
    line: Arc<Line>,
    /// The first in line holds this.
    head: Option<OwnedMutexGuard<()>>,
}

impl InLine {
    fn of(line: Arc<Line>) -> Self {
        line.length.fetch_add(1, Ordering::Relaxed);
        Self { line, head: None }
    }

    /// Waits until it is the first. Its place is kept where the wait is dropped.
    async fn come_first(&mut self) {
        if self.head.is_none() {
            self.head = Some(self.line.head.clone().lock_owned().await);
        }
    }
}

impl Drop for InLine {
    fn drop(&mut self) {
        self.line.length.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A task that waits to ask something.
pub(in crate::driver) struct Waiter {
    to_ask: ToAsk,
    /// No refusal up to here in the journal is of an equal call that this one waited for.
    since: u64,
    in_line: Option<InLine>,
    /// It asked, and there was no place after all: there may be one once a request is closed.
    closed: Option<watch::Receiver<u64>>,
}

/// What ends the waiting.
pub(in crate::driver) enum Turn {
    /// There may be a place.
    Ask,
    /// A person has refused an equal call.
    Refused(Box<RefusalShared>),
}

/// What is to be asked.
enum ToAsk {
    /// Whether a call may run, and what the answer would bind to.
    Call(CallId, Digest),
    /// A question.
    Question(Need),
}

/// What the task does while it waits, in words.
pub(super) fn why(place: &Place, to_ask: PauseReason) -> Phrase {
    match (place, to_ask) {
        (Place::Equal(open), _) => say::same_call_waits(open),
        (_, PauseReason::Question) => say::questions_wait(MAX_OPEN_QUESTIONS),
        _ => say::requests_wait(MAX_OPEN_REQUESTS),
    }
}

impl Asker {
    /// A task begins to wait for a place in the inbox; `None` where it has nothing to ask any more.
    pub(in crate::driver) fn waiter(&self, machine: &Machine) -> Result<Option<Waiter>, DriverError> {
        let Some(to_ask) = to_ask(machine) else { return Ok(None) };
        Ok(Some(Waiter { to_ask, since: self.core.store.last_seq()?, in_line: None, closed: None }))
    }

    /// Waits until it is this one's turn to ask. May be dropped while it waits: nothing is lost by that.
    pub(in crate::driver) async fn turn(&self, waiter: &mut Waiter) -> Result<Turn, DriverError> {
        if let Some(mut closed) = waiter.closed.take() {
            // The store outlives every task that waits for it.
            let _ = closed.changed().await;
        }
        loop {
            let mut closed = self.core.store.requests_closed();
            if let Some(refusal) = self.refusal(waiter)? {
                return Ok(Turn::Refused(Box::new(refusal)));
            }
            match self.inbox_place(&waiter.to_ask)? {
                // It is not in line while an equal call is asked about.
                Place::Equal(_) => waiter.in_line = None,
                place => {
                    let in_line = waiter.in_line.get_or_insert_with(|| InLine::of(self.line(&waiter.to_ask)));
                    if in_line.head.is_none() {
                        in_line.come_first().await;
                        // An equal may have come and gone since this one joined the line.
                        continue;
                    }
                    if place == Place::Free {
                        waiter.closed = Some(closed);
                        return Ok(Turn::Ask);
                    }
                }
            }
            let _ = closed.changed().await;
        }
    }

    /// Asks, or refuses what a person has refused already; says whether the wait is over.
    pub(in crate::driver) async fn take_turn(
        &self,
        journal: &mut TaskJournal,
        judge: &mut Judge,
        waiter: &Waiter,
        turn: Turn,
    ) -> Result<bool, DriverError> {
        let resumed = TaskEvent::Resumed(Resumed {});
        let asking = match (turn, &waiter.to_ask) {
            (Turn::Refused(refusal), _) => {
                journal.emit(resumed);
                journal.emit(TaskEvent::RefusalShared(*refusal));
                return Ok(true);
            }
            (Turn::Ask, ToAsk::Call(call, _)) => self.ask(journal, judge, call, vec![resumed]).await?,
            (Turn::Ask, ToAsk::Question(need)) => self.question(journal, need, vec![resumed]).await?,
        };
        Ok(matches!(asking, Asking::Done))
    }

    fn line(&self, to_ask: &ToAsk) -> Arc<Line> {
        match to_ask {
            ToAsk::Call(..) => self.core.line.clone(),
            ToAsk::Question(_) => self.core.question_line.clone(),
        }
    }

    /// A person's refusal of an equal call, since this one waits.
    fn refusal(&self, waiter: &mut Waiter) -> Result<Option<RefusalShared>, DriverError> {
        let ToAsk::Call(call, digest) = &waiter.to_ask else { return Ok(None) };
        let store = &self.core.store;
        // Read first: what is answered between the two is found now, and once more next time.
        let (from, last) = (waiter.since, store.last_seq()?);
        waiter.since = last;
        let refusal = store.refusal_since(digest, from)?;
        Ok(refusal.map(|refusal| RefusalShared {
            call: call.clone(),
            digest: digest.clone(),
            request: refusal.request,
            asked_by: refusal.asked_by,
            reason: refusal.reason,
            by: refusal.by,
        }))
    }

    fn inbox_place(&self, to_ask: &ToAsk) -> Result<Place, StoreError> {
        match to_ask {
            ToAsk::Call(_, digest) => self.core.store.place(digest),
            ToAsk::Question(_) => self.core.store.question_place(),
        }
    }
}

/// What is to be asked next.
fn to_ask(machine: &Machine) -> Option<ToAsk> {
    if let Some(need) = machine.question() {
        return Some(ToAsk::Question(need));
    }
    let call = machine.to_ask()?;
    let digest = machine.call(&call)?.stage.digest()?.clone();
    Some(ToAsk::Call(call, digest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::testing::Bench;
    use deputy_protocol::{AllowChoice, Answerer, Choice, LocalAnswerer, PermissionAnswer};
    use deputy_testkit::calls;
    use serde_json::json;
    use std::task::{Context, Poll, Waker};

    /// What a future has come to by now.
    fn now<T>(future: impl Future<Output = T>) -> Option<T> {
        match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => Some(value),
            Poll::Pending => None,
        }
    }

    /// A task whose one call is decided and is to be asked about.
    async fn asking(bench: &Bench, task: &str, path: &str) -> (TaskJournal, Judge, CallId) {
        let plan = calls([("code", json!({"action": "write", "path": path, "content": "x\n"}))]);
        let mut journal = bench.task(bench.spec(task), plan).await;
        let mut judge = Judge::new(bench.core.clone(), journal.machine().spec());
        let id = CallId::of(journal.task(), 1, 1);
        let looked_at = judge.look_at(&mut journal, &id).await.unwrap();
        judge.decide(&mut journal, looked_at, None);
        (journal, judge, id)
    }

    #[tokio::test]
    async fn a_full_inbox_lets_the_first_in_line_ask_once_there_is_a_place() {
        let bench = Bench::new();
        let asker = Asker::new(bench.core.clone());
        for n in 0..MAX_OPEN_REQUESTS {
            let (mut journal, mut judge, id) = asking(&bench, &format!("t{n}"), &format!("{n}.txt")).await;
            assert!(matches!(asker.ask(&mut journal, &mut judge, &id, Vec::new()).await, Ok(Asking::Done)));
        }
        let (mut late, mut judge, id) = asking(&bench, "late", "late.txt").await;
        let asked = asker.ask(&mut late, &mut judge, &id, Vec::new()).await;
        assert!(matches!(asked, Ok(Asking::NoPlace(Place::Full))));

        let mut first = asker.waiter(late.machine()).unwrap().unwrap();
        assert!(now(asker.turn(&mut first)).is_none());
        assert!(bench.core.line.is_standing());
        let (next_journal, _, _) = asking(&bench, "next", "next.txt").await;
        let mut next = asker.waiter(next_journal.machine()).unwrap().unwrap();
        assert!(now(asker.turn(&mut next)).is_none());

        let open = bench.core.store.open_requests().unwrap().remove(0);
        let by = Answerer::Local(LocalAnswerer { screen: "test".into() });
        let choice = Choice::Allow(AllowChoice::once());
        let answer = PermissionAnswer { request: open.id, digest: open.digest, choice, by };
        bench.core.store.answer_permission(answer, bench.core.now_ms()).await.unwrap();
        assert!(now(asker.turn(&mut next)).is_none(), "another one is before it");
        let turn = asker.turn(&mut first).await.unwrap();
        assert!(asker.take_turn(&mut late, &mut judge, &first, turn).await.unwrap());
        assert_eq!(bench.core.store.open_requests().unwrap().len(), MAX_OPEN_REQUESTS as usize);
        drop((first, next));
        assert!(!bench.core.line.is_standing(), "their places in line went with them");
    }
}
