//! The time and bytes that a call running in this process may spend, even within a single file.
//!
//! A call that only reads costs only its own task's time, but even that is limited. When the budget is spent, the call
//! returns what it has found so far and says where it stopped.

use crate::text::{shown, size};
use crate::tool::CallContext;
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use std::cell::{Cell, RefCell};
use std::ffi::OsStr;
use std::io::{self, Read};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// The maximum number of bytes that a call reads.
const BYTES: u64 = 16_000_000_000;
/// The number of bytes read at once, small enough that a cancelled call ends soon.
const PIECE: usize = 256 * 1024;

/// The remaining budget of a call.
pub(crate) struct Budget {
    cancel: CancellationToken,
    time: Duration,
    until: Instant,
    bytes: u64,
    left: Cell<u64>,
    spent: Cell<Option<Spent>>,
    /// The file that was being read when the budget ran out.
    at: RefCell<Option<String>>,
}

#[derive(Clone, Copy)]
enum Spent {
    Time,
    Bytes,
}

impl Budget {
    /// Creates the budget of a call that begins now.
    pub(crate) fn of(cx: &CallContext) -> Self {
        Self::new(cx.cancel.clone(), cx.look_timeout, BYTES)
    }

    /// Creates the budget of work that is not a call.
    pub(crate) fn new(cancel: CancellationToken, time: Duration, bytes: u64) -> Self {
        let until = Instant::now() + time;
        Self {
            cancel,
            time,
            until,
            bytes,
            left: Cell::new(bytes),
            spent: Cell::new(None),
            at: RefCell::default(),
        }
    }

    /// Returns the maximum duration of a call that can be cancelled.
    pub(crate) fn time(cx: &CallContext) -> Duration {
        cx.look_timeout
    }

    /// Returns whether the call was cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Returns whether the call has to end, for any reason.
    pub(crate) fn is_over(&self) -> bool {
        if self.spent.get().is_none() && Instant::now() >= self.until {
            self.spent.set(Some(Spent::Time));
        }
        self.spent.get().is_some() || self.is_cancelled()
    }

    /// Wraps a file so that reading stops when the budget is spent. The file then appears to end, and
    /// [`Budget::is_over`] returns true.
    pub(crate) fn read<'a, R: Read>(&'a self, file: R, name: &'a OsStr) -> Bounded<'a, R> {
        Bounded { file, name, budget: self }
    }

    /// Returns why the call did not read everything, as a note for a summary.
    pub(crate) fn note(&self) -> Option<Phrase> {
        let spent = match self.spent.get()? {
            Spent::Time => say::seconds(self.time.as_secs()),
            Spent::Bytes => size(self.bytes),
        };
        Some(match &*self.at.borrow() {
            Some(file) => say::stopped_after_inside(file, spent),
            None => say::stopped_after(spent),
        })
    }
}

/// A file whose reader stops when the budget of the call is spent.
pub(crate) struct Bounded<'a, R> {
    file: R,
    name: &'a OsStr,
    budget: &'a Budget,
}

impl<R: Read> Read for Bounded<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let budget = self.budget;
        let was_over = budget.spent.get().is_some();
        if !was_over && budget.left.get() == 0 {
            budget.spent.set(Some(Spent::Bytes));
        }
        if budget.is_over() {
            if !was_over {
                budget.at.replace(Some(shown(self.name)));
            }
            return Ok(0);
        }
        let most = usize::try_from(budget.left.get()).unwrap_or(PIECE).min(PIECE).min(buffer.len());
        let read = self.file.read(&mut buffer[..most])?;
        budget.left.set(budget.left.get() - read as u64);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drained(budget: &Budget) -> u64 {
        let mut endless = budget.read(io::repeat(b'x'), OsStr::new("big\n.bin"));
        io::copy(&mut endless, &mut io::sink()).unwrap()
    }

    #[test]
    fn an_endless_file_ends_with_the_bytes() {
        let budget = Budget::new(CancellationToken::new(), Duration::from_secs(3_600), 10_000_000);
        assert_eq!(drained(&budget), 10_000_000);
        assert!(budget.is_over() && !budget.is_cancelled());
        assert_eq!(
            budget.note().unwrap(),
            "stopped after 10.0 MB inside big\\n.bin, the rest was not looked at"
        );
    }

    #[test]
    fn an_endless_file_ends_with_the_time() {
        let budget = Budget::new(CancellationToken::new(), Duration::from_millis(1), u64::MAX);
        drained(&budget);
        assert!(budget.note().unwrap().starts_with("stopped after 0 seconds inside big"));
    }

    #[test]
    fn an_endless_file_ends_when_the_call_does() {
        let cancel = CancellationToken::new();
        let budget = Budget::new(cancel.clone(), Duration::from_secs(3_600), u64::MAX);
        let stop = std::thread::spawn(move || cancel.cancel());
        drained(&budget);
        stop.join().unwrap();
        assert!(budget.is_cancelled() && budget.note().is_none());
    }
}
