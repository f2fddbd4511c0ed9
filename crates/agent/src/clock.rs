//! The clock of a host: the system time, which never goes back while the host runs.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Returns the milliseconds since the Unix epoch. A function, so that tests can control the time.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// Returns the system clock.
pub fn system_clock() -> Clock {
    Arc::new(|| {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        now.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    })
}

/// The last reading of a clock, the monotonic time of the reading, and the total amount by which the clock was set
/// back.
struct Reading {
    latest_ms: i64,
    at: Duration,
    behind_ms: i64,
}

/// Wraps a clock so that it never goes back: if the system clock is set back, the wrapped clock continues from its last
/// reading, so that something that has expired does not become valid again. It continues at the normal pace, so that
/// nothing stays valid for longer than intended.
pub(crate) fn never_back(clock: Clock) -> Clock {
    let start = Instant::now();
    going_on(clock, move || start.elapsed())
}

fn going_on(clock: Clock, elapsed: impl Fn() -> Duration + Send + Sync + 'static) -> Clock {
    let reading = Mutex::new(Reading { latest_ms: i64::MIN, at: Duration::ZERO, behind_ms: 0 });
    Arc::new(move || {
        let mut reading = reading.lock().unwrap_or_else(PoisonError::into_inner);
        let (now_ms, at) = (clock(), elapsed());
        if now_ms < reading.latest_ms {
            let since_ms = i64::try_from(at.saturating_sub(reading.at).as_millis()).unwrap_or(i64::MAX);
            let lost_ms = reading.latest_ms.saturating_sub(now_ms).saturating_add(since_ms);
            reading.behind_ms = reading.behind_ms.saturating_add(lost_ms);
        }
        (reading.latest_ms, reading.at) = (now_ms, at);
        now_ms.saturating_add(reading.behind_ms)
    })
}

/// Returns midnight of the day of a time, in the machine's time zone.
pub(crate) fn midnight_ms(now_ms: i64) -> i64 {
    let start = jiff::Timestamp::from_millisecond(now_ms)
        .and_then(|now| now.to_zoned(jiff::tz::TimeZone::system()).start_of_day());
    // A time outside the calendar's range counts as the start of its own day.
    start.map_or(now_ms, |day| day.timestamp().as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;
    use deputy_testkit::FakeClock;

    #[test]
    fn a_clock_that_is_set_back_goes_on_from_where_it_was() {
        let system = FakeClock::at(1_000);
        let steady = FakeClock::at(0);
        let source = steady.clone();
        let clock = going_on(system.source(), move || Duration::from_millis(source.now_ms().unsigned_abs()));
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
        steady.advance(Duration::from_millis(500));
        system.set(1_000);
        assert_eq!(clock(), 14_510, "what went by before anybody looked counts");
    }
}
