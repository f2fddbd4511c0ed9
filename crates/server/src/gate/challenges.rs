//! Challenges that were given out over HTTP: each is good once, for a minute.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// A challenge is good so long.
const CHALLENGE_MS: i64 = 60_000;
/// Challenges that are open at the same time; the oldest goes first.
const MAX_CHALLENGES: usize = 1_024;

/// The open challenges, oldest first. A restart ends them.
#[derive(Default)]
pub(super) struct Challenges {
    open: Mutex<VecDeque<(String, i64)>>,
}

impl Challenges {
    /// Remembers a challenge that is given out.
    pub(super) fn keep(&self, challenge: String, now_ms: i64) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= MAX_CHALLENGES {
            open.pop_front();
        }
        open.push_back((challenge, now_ms + CHALLENGE_MS));
    }

    /// Whether this challenge is open; it is not open any more then.
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
