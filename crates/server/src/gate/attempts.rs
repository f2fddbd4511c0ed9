//! Limits how often a remote address may fail before it is locked out for a while.

use super::{Channel, Refusal, counted};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

/// The number of failures that are allowed at once.
const FAILURES: i64 = 20;
/// The time after which one failure is forgiven, in milliseconds.
const FORGIVEN_MS: i64 = 3_000;
/// The maximum number of addresses. Beyond it, those with the fewest failures are dropped.
const MAX_ADDRESSES: usize = 4_096;

/// The failures of each address, stored as the time at which all of them are forgiven.
#[derive(Default)]
pub(crate) struct Attempts {
    forgiven_at: Mutex<HashMap<IpAddr, i64>>,
}

impl Attempts {
    /// Checks that an address may try.
    pub(crate) fn check(&self, channel: &Channel, now_ms: i64) -> Result<(), Refusal> {
        let Some(ip) = counted(channel) else { return Ok(()) };
        let forgiven_at = self.forgiven_at.lock().unwrap_or_else(PoisonError::into_inner);
        let owes = forgiven_at.get(&ip).is_some_and(|at| at - now_ms > FAILURES * FORGIVEN_MS);
        if owes { Err(Refusal::TooManyAttempts) } else { Ok(()) }
    }

    /// Records a failure.
    pub(crate) fn failed(&self, channel: &Channel, now_ms: i64) {
        let Some(ip) = counted(channel) else { return };
        let mut forgiven_at = self.forgiven_at.lock().unwrap_or_else(PoisonError::into_inner);
        if forgiven_at.len() >= MAX_ADDRESSES {
            forgiven_at.retain(|_, at| *at > now_ms + FORGIVEN_MS);
        }
        let at = forgiven_at.entry(ip).or_insert(now_ms);
        *at = (*at).max(now_ms) + FORGIVEN_MS;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(ip: &str) -> Channel {
        Channel::Tls { fingerprint: String::new(), from: ip.parse().unwrap() }
    }

    #[test]
    fn one_address_is_shut_out_and_comes_back_and_others_go_on() {
        let attempts = Attempts::default();
        let guesser = from("192.0.2.7");
        for _ in 0..=FAILURES {
            attempts.check(&guesser, 0).unwrap();
            attempts.failed(&guesser, 0);
        }
        assert_eq!(attempts.check(&guesser, 0), Err(Refusal::TooManyAttempts));
        attempts.check(&from("192.0.2.8"), 0).unwrap();
        attempts.check(&Channel::Loopback, 0).unwrap();
        attempts.check(&guesser, FORGIVEN_MS).unwrap();
    }
}
