//! The recent crashes of the process, which callers use to decide whether to continue.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use tokio::time::{Duration, Instant};

/// The maximum number of crashes that are recorded.
const MAX_CRASHES: usize = 64;

/// The times at which the process died.
#[derive(Default)]
pub(crate) struct CrashLog(Mutex<VecDeque<Instant>>);

impl CrashLog {
    pub(crate) fn within(&self, window: Duration) -> usize {
        let crashes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        crashes.iter().filter(|at| at.elapsed() <= window).count()
    }

    pub(crate) fn add(&self) {
        let mut crashes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if crashes.len() == MAX_CRASHES {
            crashes.pop_front();
        }
        crashes.push_back(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn crashes_are_counted_within_a_window_and_forgotten() {
        let log = CrashLog::default();
        for _ in 0..3 {
            log.add();
            tokio::time::advance(Duration::from_secs(20)).await;
        }
        assert_eq!(log.within(Duration::from_secs(60)), 3);
        assert_eq!(log.within(Duration::from_secs(30)), 1);
        for _ in 0..1_000 {
            log.add();
        }
        assert_eq!(log.within(Duration::from_secs(60)), MAX_CRASHES);
    }
}
