//! The time of a host: the system's, which never goes back while the host lives.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Milliseconds since the Unix epoch; a function, so that a test can hold the time.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// The system's clock.
pub fn system_clock() -> Clock {
    Arc::new(|| {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        now.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    })
}

/// What a clock last said, and by how much it was set back in all.
struct Reading {
    latest_ms: i64,
    behind_ms: i64,
}

/// The same time, except that it goes on where the clock is set back: what was over must not hold again. It goes on at
/// the clock's own pace rather than standing still, so that nothing holds longer than it was given for either.
pub(crate) fn never_back(clock: Clock) -> Clock {
    let reading = Mutex::new(Reading { latest_ms: i64::MIN, behind_ms: 0 });
    Arc::new(move || {
        let mut reading = reading.lock().unwrap_or_else(PoisonError::into_inner);
        let now_ms = clock();
        let lost_ms = reading.latest_ms.saturating_sub(now_ms).max(0);
        reading.behind_ms = reading.behind_ms.saturating_add(lost_ms);
        reading.latest_ms = now_ms;
        now_ms.saturating_add(reading.behind_ms)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_testkit::FakeClock;
    use std::time::Duration;

    #[test]
    fn a_clock_that_is_set_back_goes_on_from_where_it_was() {
        let system = FakeClock::at(1_000);
        let clock = never_back(system.source());
        assert_eq!(clock(), 1_000);
        system.set(5_000);
        assert_eq!(clock(), 5_000);
        system.set(2_000);
        assert_eq!(clock(), 5_000);
        system.advance(Duration::from_millis(10));
        assert_eq!(clock(), 5_010, "it does not stand still");
        system.set(0);
        assert_eq!(clock(), 5_010);
        system.set(9_000);
        assert_eq!(clock(), 14_010);
    }
}
