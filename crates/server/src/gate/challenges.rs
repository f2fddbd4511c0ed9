//! The challenges given out over HTTP. Each can be used once, within a minute.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// How long a challenge is valid, in milliseconds.
const CHALLENGE_MS: i64 = 60_000;
/// The maximum number of open challenges; the oldest is dropped first.
const MAX_CHALLENGES: usize = 1_024;

/// The open challenges, oldest first. They do not survive a restart.
#[derive(Default)]
pub(super) struct Challenges {
    open: Mutex<VecDeque<(String, i64)>>,
}

impl Challenges {
    /// Stores a challenge that is given out.
    pub(super) fn keep(&self, challenge: String, now_ms: i64) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= MAX_CHALLENGES {
            open.pop_front();
        }
        open.push_back((challenge, now_ms + CHALLENGE_MS));
    }

    /// Returns whether this challenge is open, and removes it.
    pub(super) fn take(&self, challenge: &str, now_ms: i64) -> bool {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(at) = open.iter().position(|(known, _)| known == challenge) else { return false };
        open.remove(at).is_some_and(|(_, expires_at_ms)| expires_at_ms > now_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_is_good_once_and_for_a_minute() {
        let challenges = Challenges::default();
        challenges.keep("one".to_owned(), 0);
        challenges.keep("two".to_owned(), 0);
        assert!(challenges.take("one", 1) && !challenges.take("one", 1));
        assert!(!challenges.take("two", CHALLENGE_MS) && !challenges.take("three", 1));
    }
}
