//! The slots in which tasks work in parallel, and the line of tasks that wait for one.

mod order;

use deputy_protocol::QueueRank;
use order::{Order, Waiter};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// The slots and the waiting line.
pub(crate) struct Slots(Mutex<State>);

struct State {
    all: usize,
    free: usize,
    /// The number of holds on the slots.
    holds: usize,
    order: Order,
    /// Notifies a waiter that gets a slot.
    bells: HashMap<Waiter, oneshot::Sender<()>>,
}

impl State {
    /// Gives free slots to the next waiters.
    fn give(&mut self) {
        while self.holds == 0
            && self.free > 0
            && let Some(next) = self.order.next()
        {
            self.free -= 1;
            if let Some(bell) = self.bells.remove(&next) {
                // If the receiver is gone, the waiter is about to give up its position, and the slot with it.
                let _ = bell.send(());
            }
        }
    }
}

impl Slots {
    /// Creates this many slots, at least one.
    pub(crate) fn new(slots: usize) -> Arc<Self> {
        let slots = slots.max(1);
        let state =
            State { all: slots, free: slots, holds: 0, order: Order::default(), bells: HashMap::new() };
        Arc::new(Self(Mutex::new(state)))
    }

    /// Takes a position in the line: at the end, or by rank among those with a rank.
    pub(crate) fn line_up(self: &Arc<Self>, rank: Option<QueueRank>) -> Turn {
        let (bell, called) = oneshot::channel();
        let mut state = self.state();
        let waiter = state.order.enter(rank);
        state.bells.insert(waiter, bell);
        state.give();
        Turn { slots: self.clone(), waiter, called, has_come: false }
    }

    /// Gives no slot until the returned guard is dropped, so that many tasks can line up before the first of them
    /// starts.
    pub(crate) fn hold(self: &Arc<Self>) -> Hold {
        self.state().holds += 1;
        Hold(self.clone())
    }

    /// Returns whether no task works.
    pub(crate) fn is_idle(&self) -> bool {
        let state = self.state();
        state.free == state.all
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No code panics while holding the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Prevents slots from being given while it exists.
pub(crate) struct Hold(Arc<Slots>);

impl Drop for Hold {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.holds -= 1;
        state.give();
    }
}

/// A position in the line, and then a slot. Dropping it gives up either.
pub(crate) struct Turn {
    slots: Arc<Slots>,
    waiter: Waiter,
    called: oneshot::Receiver<()>,
    has_come: bool,
}

impl Turn {
    /// Waits for a slot. Cancel safe: it keeps its position, or the slot.
    pub(crate) async fn come(&mut self) {
        if !self.has_come {
            // The sender is only used to send: it lives as long as this position waits.
            let _ = (&mut self.called).await;
            self.has_come = true;
        }
    }

    /// Returns whether it has a slot, and its holder has noticed.
    pub(crate) fn has_come(&self) -> bool {
        self.has_come
    }

    /// Changes its rank, if it has one and is waiting.
    pub(crate) fn move_to(&self, rank: QueueRank) {
        self.slots.state().order.move_to(self.waiter, rank);
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut state = self.slots.state();
        if state.order.leave(self.waiter) {
            state.bells.remove(&self.waiter);
        } else {
            state.free += 1;
            state.give();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::task::{Context, Poll, Waker};

    fn rank(number: u64) -> QueueRank {
        QueueRank(format!("{number:016x}"))
    }

    fn has_slot(turn: &mut Turn) -> bool {
        let coming = std::pin::pin!(turn.come());
        coming.poll(&mut Context::from_waker(Waker::noop())) == Poll::Ready(())
    }

    #[test]
    fn a_slot_goes_to_the_next_in_line() {
        let slots = Slots::new(1);
        let mut works = slots.line_up(None);
        let mut one = slots.line_up(Some(rank(1)));
        let mut two = slots.line_up(Some(rank(2)));
        assert!(has_slot(&mut works) && !has_slot(&mut one) && !has_slot(&mut two));
        two.move_to(rank(0));
        drop(works);
        assert!(!has_slot(&mut one) && has_slot(&mut two));
        drop(two);
        assert!(has_slot(&mut one));
    }

    #[test]
    fn a_slot_that_was_given_and_never_heard_of_is_not_lost() {
        let slots = Slots::new(1);
        let works = slots.line_up(None);
        let called = slots.line_up(None);
        let mut next = slots.line_up(None);
        drop(works);
        // It gets a slot now, and is dropped without having noticed.
        drop(called);
        assert!(has_slot(&mut next));
    }

    #[test]
    fn who_goes_before_their_turn_holds_nobody_up() {
        let slots = Slots::new(1);
        let works = slots.line_up(None);
        let waits = slots.line_up(Some(rank(1)));
        let mut next = slots.line_up(Some(rank(2)));
        drop(waits);
        assert!(!has_slot(&mut next));
        drop(works);
        assert!(has_slot(&mut next));
        assert_eq!(slots.state().free, 0);
        drop(next);
        assert_eq!(slots.state().free, 1);
        assert!(slots.state().bells.is_empty());
    }

    #[test]
    fn held_slots_are_given_in_the_order_of_the_line_once_all_stand_in_it() {
        let slots = Slots::new(2);
        let (hold, another) = (slots.hold(), slots.hold());
        let [mut late, mut back, mut early] =
            [Some(rank(9)), None, Some(rank(1))].map(|rank| slots.line_up(rank));
        drop(hold);
        assert!(!has_slot(&mut early));
        drop(another);
        assert!(has_slot(&mut early) && has_slot(&mut back) && !has_slot(&mut late));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn whoever_goes_or_moves_every_other_one_gets_a_slot() {
        let slots = Slots::new(3);
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..500_u64 {
            let slots = slots.clone();
            tasks.spawn(async move {
                let mut place = slots.line_up((number % 3 > 0).then(|| rank(number * 7 % 500)));
                if number % 5 == 0 {
                    tokio::task::yield_now().await;
                    return;
                }
                if number % 2 == 0 {
                    place.move_to(rank(number * 11 % 500));
                }
                place.come().await;
                tokio::task::yield_now().await;
            });
        }
        while let Some(ended) = tasks.join_next().await {
            ended.unwrap();
        }
        let state = slots.state();
        assert_eq!((state.free, state.bells.len()), (3, 0));
    }
}
