//! The waiting lines for the inbox, one for permission requests and one for questions. The number of open requests is
//! limited, and two requests are never open for the same call. If there is no room, the task is parked until there is.
//! Nothing is dropped or decided by waiting, with one exception: if a person denies a call, all tasks that wait to ask
//! about the same call are denied too.

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

/// The tasks that wait for room in the inbox. The first in line holds the lock.
#[derive(Default)]
pub(crate) struct Line {
    head: Arc<Mutex<()>>,
    length: AtomicUsize,
}

impl Line {
    /// Returns whether a task is waiting.
    pub(super) fn is_standing(&self) -> bool {
        self.length.load(Ordering::Relaxed) > 0
    }
}

/// A position in the line, released on drop.
struct InLine {
    line: Arc<Line>,
    /// The lock that the first in line holds.
    head: Option<OwnedMutexGuard<()>>,
}

impl InLine {
    fn of(line: Arc<Line>) -> Self {
        line.length.fetch_add(1, Ordering::Relaxed);
        Self { line, head: None }
    }

    /// Waits until this is the first in line. The position is kept if the future is dropped.
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
    /// Up to this number, the journal has no refusal of an equal call that this task waited for.
    since: u64,
    in_line: Option<InLine>,
    /// Set if the task tried to ask and there was no room. There may be room once a request is closed.
    closed: Option<watch::Receiver<u64>>,
}

/// The reason why the wait ends.
pub(in crate::driver) enum Turn {
    /// There may be room.
    Ask,
    /// A person has denied an equal call.
    Refused(Box<RefusalShared>),
}

/// What the task is going to ask.
enum ToAsk {
    /// A permission for a call, and the digest that the answer binds to.
    Call(CallId, Digest),
    /// A question.
    Question(Need),
}

/// Describes what the task waits for.
pub(super) fn why(place: &Place, to_ask: PauseReason) -> Phrase {
    match (place, to_ask) {
        (Place::Equal(open), _) => say::same_call_waits(open),
        (_, PauseReason::Question) => say::questions_wait(MAX_OPEN_QUESTIONS),
        _ => say::requests_wait(MAX_OPEN_REQUESTS),
    }
}

impl Asker {
    /// Starts waiting for room in the inbox. `None` if the task no longer has anything to ask.
    pub(in crate::driver) fn waiter(&self, machine: &Machine) -> Result<Option<Waiter>, DriverError> {
        let Some(to_ask) = to_ask(machine) else { return Ok(None) };
        Ok(Some(Waiter { to_ask, since: self.core.store.last_seq()?, in_line: None, closed: None }))
    }

    /// Waits until it is this task's turn to ask. Cancel safe.
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
                // The task leaves the line while a request for an equal call is open.
                Place::Equal(_) => waiter.in_line = None,
                place => {
                    let in_line = waiter.in_line.get_or_insert_with(|| InLine::of(self.line(&waiter.to_ask)));
                    if in_line.head.is_none() {
                        in_line.come_first().await;
                        // A request for an equal call may have been opened and closed since this task joined the line.
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

    /// Asks, or applies a denial of an equal call. Returns whether the wait is over.
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

    /// Returns a person's denial of an equal call since this task started to wait.
    fn refusal(&self, waiter: &mut Waiter) -> Result<Option<RefusalShared>, DriverError> {
        let ToAsk::Call(call, digest) = &waiter.to_ask else { return Ok(None) };
        let store = &self.core.store;
        // The position is read first: a denial between the two reads is found now, and once more next time.
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

/// Returns what is to be asked next.
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

    /// Returns the output of a future if it is ready.
    fn now<T>(future: impl Future<Output = T>) -> Option<T> {
        match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => Some(value),
            Poll::Pending => None,
        }
    }

    /// Creates a task with one call, which is decided and must be asked about.
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
