//! One-time links: each opens the desktop's own page once.

use super::Refusal;
use super::key::{SECRET_BYTES, secret};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use std::sync::{Mutex, PoisonError};

/// A link can be used so long.
const LINK_MS: i64 = 10 * 60 * 1000;
/// Links that are open at the same time; the oldest goes first.
const MAX_LINKS: usize = 16;

/// The links that are open. A restart ends them.
#[derive(Default)]
pub(super) struct Links {
    open: Mutex<Vec<Link>>,
}

struct Link {
    secret: [u8; SECRET_BYTES],
    expires_at_ms: i64,
}

impl Links {
    /// A new link's token, and until when it can be used.
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

    /// Whether the token is a link's that can be used; it cannot be used again.
    pub(super) fn take(&self, token: &str, now_ms: i64) -> bool {
        let Ok(given) = URL_SAFE_NO_PAD.decode(token) else { return false };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|link| link.expires_at_ms > now_ms);
        // 256 random bits in a list of sixteen: how long the comparison takes tells nobody anything.
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
