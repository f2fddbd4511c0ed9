//! A clock that only moves when it is advanced.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// A clock for tests, in milliseconds since the Unix epoch. Clones share the time.
#[derive(Clone, Debug)]
pub struct FakeClock(Arc<AtomicI64>);

impl FakeClock {
    /// Creates a clock that shows `now_ms`.
    pub fn at(now_ms: i64) -> Self {
        Self(Arc::new(AtomicI64::new(now_ms)))
    }

    /// Returns the current time.
    pub fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }

    /// Advances the clock.
    pub fn advance(&self, by: Duration) {
        self.0.fetch_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX), Ordering::SeqCst);
    }

    /// Sets the clock, possibly backwards, like a person or the network can.
    pub fn set(&self, now_ms: i64) {
        self.0.store(now_ms, Ordering::SeqCst);
    }

    /// Returns the clock as the function from which the core takes its time.
    pub fn source(&self) -> Arc<dyn Fn() -> i64 + Send + Sync> {
        let clock = self.clone();
        Arc::new(move || clock.now_ms())
    }
}

impl Default for FakeClock {
    /// Noon on June 1, 2026, UTC.
    fn default() -> Self {
        Self::at(1_780_315_200_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_and_sources_show_the_same_time() {
        let clock = FakeClock::default();
        let source = clock.source();
        let before = source();
        clock.clone().advance(Duration::from_millis(5));
        assert_eq!(source() - before, 5);
        clock.set(7);
        assert_eq!(clock.now_ms(), 7);
    }
}
