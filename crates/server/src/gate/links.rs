//! One-time links, each of which opens the desktop page once.

use super::Refusal;
use super::key::{SECRET_BYTES, secret};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use std::sync::{Mutex, PoisonError};

/// How long a link is valid, in milliseconds.
const LINK_MS: i64 = 10 * 60 * 1000;
/// The maximum number of open links; the oldest is dropped first.
const MAX_LINKS: usize = 16;

/// The open links. They do not survive a restart.
#[derive(Default)]
pub(super) struct Links {
    open: Mutex<Vec<Link>>,
}

struct Link {
    secret: [u8; SECRET_BYTES],
    expires_at_ms: i64,
}

impl Links {
    /// Creates a link. Returns its token, and when it expires.
    pub(super) fn make(&self, now_ms: i64) -> Result<(String, i64), Refusal> {
        let secret = secret().map_err(|_| Refusal::NoRandomness)?;
        let expires_at_ms = now_ms + LINK_MS;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|link| link.expires_at_ms > now_ms);
        if open.len() >= MAX_LINKS {
            open.remove(0);
        }
        open.push(Link { secret, expires_at_ms });
        Ok((URL_SAFE_NO_PAD.encode(secret), expires_at_ms))
    }

    /// Returns whether the token belongs to a valid link, and invalidates the link.
    pub(super) fn take(&self, token: &str, now_ms: i64) -> bool {
        let Ok(given) = URL_SAFE_NO_PAD.decode(token) else { return false };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|link| link.expires_at_ms > now_ms);
        // With 256 random bits in a list of sixteen, the duration of the comparison reveals nothing.
        let Some(at) = open.iter().position(|link| link.secret[..] == given[..]) else { return false };
        open.remove(at);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_opens_once_and_in_time() {
        let links = Links::default();
        let (token, until) = links.make(1_000).unwrap();
        assert!(links.take(&token, 2_000));
        assert!(!links.take(&token, 2_000), "a second use");
        let (late, _) = links.make(1_000).unwrap();
        assert!(!links.take(&late, until), "its time is over");
        assert!(!links.take("", 0) && !links.take("AAAA", 0) && !links.take("ä", 0));
    }

    #[test]
    fn many_links_push_the_oldest_out() {
        let links = Links::default();
        let (first, _) = links.make(0).unwrap();
        let others: Vec<String> = (0..MAX_LINKS).map(|_| links.make(0).unwrap().0).collect();
        assert!(!links.take(&first, 0));
        assert!(others.iter().all(|token| links.take(token, 0)));
    }
}
