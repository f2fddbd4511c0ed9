//! The order of queued tasks: their ranks, and how a move changes them.
//!
//! A rank is a string that is compared byte by byte. When event N of the journal queues a task, its rank is 2^63 + N in
//! 16 hexadecimal digits, so tasks start in the order in which they were queued. A moved task gets a rank between those
//! of its new neighbors, with more digits if necessary. No other task is changed, and a rank in between always exists.

use crate::error::Fault;
use crate::writer::Batch;
use crate::{commands, events, rows, tasks};
use deputy_protocol::{
    CommandId, CommandOutcome, DoneOutcome, EventRecord, QueueMoved, QueuePlace, QueueRank, TaskEvent, TaskId,
};
use rusqlite::{Connection, params};

/// The outcome of moving a queued task.
#[derive(Clone, Debug, PartialEq)]
pub enum Moved {
    /// The task was moved; this is the event.
    Done(Box<EventRecord>),
    /// The task is at this place already.
    Already,
    /// The task does not exist.
    Unknown(TaskId),
    /// The task is not queued: it has started, is paused or has ended.
    NotQueued(TaskId),
    /// A task cannot be moved before itself.
    BeforeItself,
}

/// Moves a queued task, and records that the command was executed.
pub(crate) fn move_task(
    batch: &mut Batch<'_>,
    command: &CommandId,
    task: &TaskId,
    to: &QueuePlace,
    now_ms: i64,
) -> Result<Moved, Fault> {
    let own = match rank_of(batch.conn, task)? {
        Ok(rank) => rank,
        Err(refused) => return Ok(refused),
    };
    let rank = match to {
        QueuePlace::First(_) => {
            first(batch.conn, task)?.filter(|first| *first < own).map(|first| before(&first))
        }
        QueuePlace::Last(_) => {
            last(batch.conn, task)?.filter(|last| own < *last).map(|_| QueueRank::of_event(batch.end.seq + 1))
        }
        QueuePlace::Before(other) if other.task == *task => return Ok(Moved::BeforeItself),
        QueuePlace::Before(other) => {
            let high = match rank_of(batch.conn, &other.task)? {
                Ok(rank) => rank,
                Err(refused) => return Ok(refused),
            };
            match last_before(batch.conn, &high, task)? {
                low if own < high && low.as_ref().is_none_or(|low| *low < own) => None,
                Some(low) => Some(between(&low, &high)),
                None => Some(before(&high)),
            }
        }
    };
    let mut records = match rank {
        Some(rank) => {
            let moved = TaskEvent::QueueMoved(QueueMoved { rank });
            events::append(batch, task, now_ms, vec![moved])?
        }
        None => Vec::new(),
    };
    commands::remember(batch.conn, command, &CommandOutcome::Done(DoneOutcome {}), now_ms)?;
    Ok(records.pop().map_or(Moved::Already, |record| Moved::Done(Box::new(record))))
}

fn rank_of(conn: &Connection, task: &TaskId) -> Result<Result<QueueRank, Moved>, Fault> {
    Ok(match tasks::find(conn, task)? {
        None => Err(Moved::Unknown(task.clone())),
        Some(found) => found.queue_rank.ok_or_else(|| Moved::NotQueued(task.clone())),
    })
}

/// Returns the rank of the first queued task, except one.
fn first(conn: &Connection, but: &TaskId) -> Result<Option<QueueRank>, Fault> {
    let sql =
        "SELECT queue_rank FROM tasks WHERE queue_rank IS NOT NULL AND id != ?1 ORDER BY queue_rank LIMIT 1";
    rows::first(conn, sql, [but.as_str()], |row| Ok(QueueRank(row.get(0)?)))
}

/// Returns the rank of the last queued task, except one.
fn last(conn: &Connection, but: &TaskId) -> Result<Option<QueueRank>, Fault> {
    let sql = "SELECT queue_rank FROM tasks WHERE queue_rank IS NOT NULL AND id != ?1 ORDER BY queue_rank DESC LIMIT 1";
    rows::first(conn, sql, [but.as_str()], |row| Ok(QueueRank(row.get(0)?)))
}

/// Returns the rank of the last queued task before a rank, except one.
fn last_before(conn: &Connection, high: &QueueRank, but: &TaskId) -> Result<Option<QueueRank>, Fault> {
    let sql =
        "SELECT queue_rank FROM tasks WHERE queue_rank < ?1 AND id != ?2 ORDER BY queue_rank DESC LIMIT 1";
    rows::first(conn, sql, params![high.as_str(), but.as_str()], |row| Ok(QueueRank(row.get(0)?)))
}

const DIGITS: &[u8; 16] = b"0123456789abcdef";
/// The number of digits of a rank that was not created between two others.
const WHOLE: usize = 16;

/// Returns a rank before the first one. It has the standard length, so ranks do not grow if tasks are moved to the
/// front repeatedly.
fn before(first: &QueueRank) -> QueueRank {
    let whole = first.as_str().get(..WHOLE).and_then(|digits| u64::from_str_radix(digits, 16).ok());
    // 2^63 steps are never used up, but a rank from elsewhere must not cause a failure either.
    match whole.and_then(|whole| whole.checked_sub(1)) {
        Some(whole) => QueueRank(format!("{whole:016x}")),
        None => between(&QueueRank(String::new()), first),
    }
}

/// Returns the shortest rank in the middle between `low` and `high`. Such a rank never ends in 0, so another rank
/// always exists between it and its neighbors.
fn between(low: &QueueRank, high: &QueueRank) -> QueueRank {
    let digit = |rank: &QueueRank, at: usize| {
        let byte = *rank.as_str().as_bytes().get(at)?;
        DIGITS.iter().position(|digit| *digit == byte)
    };
    let mut middle = String::new();
    // After the first digit that is less than that of the higher rank, only the lower rank is a bound.
    let mut is_bounded = true;
    for at in 0.. {
        let from = digit(low, at).unwrap_or(0);
        let to = if is_bounded { digit(high, at).unwrap_or(DIGITS.len()) } else { DIGITS.len() };
        let here = (from + to) / 2;
        middle.extend(DIGITS.get(here).map(|digit| char::from(*digit)));
        if here > from {
            break;
        }
        is_bounded = is_bounded && from == to;
    }
    QueueRank(middle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rank(text: &str) -> QueueRank {
        QueueRank::new(text)
    }

    fn natural(seq: u64) -> QueueRank {
        QueueRank::of_event(seq)
    }

    #[test]
    fn a_rank_lies_between_its_neighbours_and_is_as_short_as_can_be() {
        for (low, high, middle) in [
            ("8000000000000001", "8000000000000005", "8000000000000003"),
            ("8000000000000001", "8000000000000002", "80000000000000018"),
            ("800000000000000f", "8000000000000010", "800000000000000f8"),
            ("80000000000000018", "8000000000000002", "8000000000000001c"),
            ("8000000000000001f", "8000000000000002", "8000000000000001f8"),
            ("8000000000000001", "80000000000000018", "80000000000000014"),
            ("8000000000000001", "80000000000000011", "800000000000000108"),
        ] {
            assert_eq!(between(&rank(low), &rank(high)).as_str(), middle, "{low} {high}");
        }
    }

    #[test]
    fn ranks_of_events_are_in_their_order_and_there_is_room_before_them() {
        assert!(natural(9) < natural(10) && natural(255) < natural(256));
        assert_eq!(natural(42).as_str(), "800000000000002a");
        assert_eq!(before(&natural(1)), natural(0));
        assert_eq!(before(&rank("800000000000002a8")).as_str(), "8000000000000029");
    }

    #[test]
    fn ten_thousand_moves_to_the_front_make_no_rank_longer_and_between_two_none_very_long() {
        let mut first = natural(1);
        for _ in 0..10_000 {
            let next = before(&first);
            assert!(next < first && next.as_str().len() == WHOLE);
            first = next;
        }
        let (low, mut high) = (natural(1), natural(2));
        for _ in 0..1_000 {
            let next = between(&low, &high);
            assert!(low < next && next < high);
            high = next;
        }
        assert!(high.as_str().len() < 300, "{} digits", high.as_str().len());
    }

    proptest! {
        #[test]
        fn there_is_always_a_rank_between(at in prop::collection::vec(any::<prop::sample::Index>(), 1..200)) {
            let mut ranks = vec![natural(1), natural(2), natural(15), natural(16)];
            for index in at {
                let at = index.index(ranks.len());
                let new = match at {
                    0 => before(&ranks[0]),
                    _ => between(&ranks[at - 1], &ranks[at]),
                };
                ranks.insert(at, new);
                prop_assert!(ranks.is_sorted_by(|one, other| one < other), "{ranks:?}");
            }
        }
    }
}
