//! The order of the waiters for a slot. It is independent of tasks and time, and only tracks who enters, moves, leaves,
//! and is next.
//!
//! Every waiter draws a ticket, and the lowest ticket is next. Tickets of waiters with a rank are assigned in the order
//! of their ranks: moving one of them redistributes the same tickets among them. A move therefore does not affect
//! waiters without a rank, who keep the same number of waiters before them.

use deputy_protocol::QueueRank;
use std::collections::{BTreeMap, HashMap};

/// A waiter. Ids are never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Waiter(u64);

/// A position in the line.
type Ticket = u64;

/// What determines the position of a waiter.
#[derive(Clone, Debug, PartialEq, Eq)]
enum By {
    Ticket(Ticket),
    Rank(QueueRank),
}

/// The waiters, in order. Entering in order, leaving and taking the next are O(log n); moving is O(n).
#[derive(Debug, Default)]
pub(super) struct Order {
    drawn: u64,
    line: BTreeMap<Ticket, Waiter>,
    /// The waiters with a rank. Their tickets ascend with their ranks.
    ranked: BTreeMap<(QueueRank, Waiter), Ticket>,
    waiting: HashMap<Waiter, By>,
}

impl Order {
    /// Adds a waiter: at the end, or by rank among those with a rank.
    pub(super) fn enter(&mut self, rank: Option<QueueRank>) -> Waiter {
        self.drawn += 1;
        let (ticket, waiter) = (self.drawn, Waiter(self.drawn));
        match rank {
            Some(rank) => self.stand(waiter, rank, ticket),
            None => {
                self.line.insert(ticket, waiter);
                self.waiting.insert(waiter, By::Ticket(ticket));
            }
        }
        waiter
    }

    /// Changes the rank of a waiter. Does nothing if the waiter has no rank or is not waiting.
    pub(super) fn move_to(&mut self, waiter: Waiter, rank: QueueRank) {
        if let Some(By::Rank(old)) = self.waiting.get(&waiter)
            && *old != rank
            && let Some(ticket) = self.ranked.remove(&(old.clone(), waiter))
        {
            self.stand(waiter, rank, ticket);
        }
    }

    /// Removes a waiter and its ticket. Returns whether it was waiting.
    pub(super) fn leave(&mut self, waiter: Waiter) -> bool {
        let ticket = match self.waiting.remove(&waiter) {
            Some(By::Ticket(ticket)) => Some(ticket),
            Some(By::Rank(rank)) => self.ranked.remove(&(rank, waiter)),
            None => return false,
        };
        if let Some(ticket) = ticket {
            self.line.remove(&ticket);
        }
        true
    }

    /// Removes and returns the next waiter.
    pub(super) fn next(&mut self) -> Option<Waiter> {
        let waiter = *self.line.first_key_value()?.1;
        self.leave(waiter);
        Some(waiter)
    }

    /// Inserts a waiter among those with a rank, with one free ticket: the waiter gets the ticket of its position by
    /// rank, and each waiter in between takes its neighbor's.
    fn stand(&mut self, waiter: Waiter, rank: QueueRank, mut free: Ticket) {
        let own = (rank.clone(), waiter);
        for ((_, other), ticket) in self.ranked.range_mut(&own..).rev() {
            if *ticket < free {
                std::mem::swap(ticket, &mut free);
                self.line.insert(*ticket, *other);
            }
        }
        // A new waiter has the highest ticket, so the waiters before it need not be checked, regardless of their
        // number.
        if self.ranked.range(..&own).next_back().is_some_and(|(_, ticket)| *ticket > free) {
            for ((_, other), ticket) in self.ranked.range_mut(..&own) {
                if *ticket > free {
                    std::mem::swap(ticket, &mut free);
                    self.line.insert(*ticket, *other);
                }
            }
        }
        self.line.insert(free, waiter);
        self.ranked.insert(own, free);
        self.waiting.insert(waiter, By::Rank(rank));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rank(number: u64) -> QueueRank {
        QueueRank(format!("{number:016x}"))
    }

    /// Returns all waiters in order.
    fn turns(mut order: Order) -> Vec<Waiter> {
        std::iter::from_fn(|| order.next()).collect()
    }

    #[test]
    fn who_comes_first_is_first_and_ranks_count_only_among_themselves() {
        let mut order = Order::default();
        let [late, back, early] = [Some(rank(9)), None, Some(rank(1))].map(|rank| order.enter(rank));
        assert_eq!(turns(order), [early, back, late]);
    }

    #[test]
    fn a_move_changes_nothing_for_whoever_has_no_rank() {
        let mut order = Order::default();
        let [one, back, two, other, three] =
            [Some(rank(1)), None, Some(rank(2)), None, Some(rank(3))].map(|rank| order.enter(rank));
        order.move_to(three, rank(0));
        order.move_to(back, rank(0));
        assert_eq!(turns(order), [three, back, one, other, two]);
    }

    #[test]
    fn who_leaves_leaves_a_gap_behind_which_all_move_up() {
        let mut order = Order::default();
        let [one, back, two] = [Some(rank(1)), None, Some(rank(2))].map(|rank| order.enter(rank));
        assert!(order.leave(one) && !order.leave(one));
        order.move_to(one, rank(7));
        assert_eq!(turns(order), [back, two]);
    }

    #[test]
    fn ten_thousand_come_are_moved_and_go() {
        let mut order = Order::default();
        let all: Vec<_> = (0..10_000).map(|number| order.enter(Some(rank(10_000 + number)))).collect();
        // The last ten move to the front, the very last one first.
        for (number, waiter) in all.iter().rev().take(10).enumerate() {
            order.move_to(*waiter, rank(number as u64));
        }
        for waiter in &all[100..9_990] {
            assert!(order.leave(*waiter));
        }
        let expected: Vec<_> = all.iter().rev().take(10).chain(&all[..100]).copied().collect();
        assert_eq!(turns(order), expected);
    }

    #[derive(Clone, Debug)]
    enum Step {
        Enter(Option<u64>),
        Move(prop::sample::Index, u64),
        Leave(prop::sample::Index),
        Next,
    }

    fn step() -> impl Strategy<Value = Step> {
        let at = any::<prop::sample::Index>;
        prop_oneof![
            4 => prop::option::weighted(0.6, 0..50u64).prop_map(Step::Enter),
            4 => (at(), 0..50u64).prop_map(|(at, rank)| Step::Move(at, rank)),
            1 => at().prop_map(Step::Leave),
            1 => Just(Step::Next),
        ]
    }

    /// A reference model in the simplest form: a list, in which the waiters with a rank are sorted into their positions
    /// after each change.
    #[derive(Default)]
    struct Told(Vec<(Waiter, Option<QueueRank>)>);

    impl Told {
        fn sort(&mut self) {
            let mut ranked: Vec<_> = self.0.iter().filter(|(_, rank)| rank.is_some()).cloned().collect();
            ranked.sort_by_key(|(waiter, rank)| (rank.clone(), *waiter));
            let places = self.0.iter_mut().filter(|(_, rank)| rank.is_some());
            places.zip(ranked).for_each(|(place, ranked)| *place = ranked);
        }
    }

    proptest! {
        #[test]
        fn the_line_is_as_it_is_told(steps in prop::collection::vec(step(), 0..80)) {
            let (mut order, mut told) = (Order::default(), Told::default());
            for step in steps {
                match step {
                    Step::Enter(number) => {
                        let number = number.map(rank);
                        told.0.push((order.enter(number.clone()), number));
                    }
                    Step::Move(at, number) if !told.0.is_empty() => {
                        let at = at.index(told.0.len());
                        let (waiter, old) = &mut told.0[at];
                        order.move_to(*waiter, rank(number));
                        *old = old.take().map(|_| rank(number));
                    }
                    Step::Leave(at) if !told.0.is_empty() => {
                        let at = at.index(told.0.len());
                        prop_assert!(order.leave(told.0.remove(at).0));
                    }
                    Step::Next => {
                        let first = (!told.0.is_empty()).then(|| told.0.remove(0).0);
                        prop_assert_eq!(order.next(), first);
                    }
                    Step::Move(..) | Step::Leave(_) => {}
                }
                told.sort();
            }
            let expected: Vec<_> = told.0.into_iter().map(|(waiter, _)| waiter).collect();
            prop_assert_eq!(turns(order), expected);
        }
    }
}
