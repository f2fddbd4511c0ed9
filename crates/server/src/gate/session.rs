//! Sessions: signed statements of an identity and its expiry. They are not stored, so they survive a restart.

use super::key::Key;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

/// Signs and reads sessions.
pub(super) struct Sessions {
    key: Key,
}

impl Sessions {
    pub(super) fn new(key: Key) -> Self {
        Self { key }
    }

    /// Returns `SUBJECT.EXPIRY.SIGNATURE`. A subject contains no dot.
    pub(super) fn sign(&self, subject: &str, expires_at_ms: i64) -> String {
        let claim = format!("{subject}.{expires_at_ms}");
        let tag = ring::hmac::sign(&self.key.0, claim.as_bytes());
        format!("{claim}.{}", URL_SAFE_NO_PAD.encode(tag))
    }

    /// Returns the subject and the expiry of a session that was signed here.
    pub(super) fn read<'a>(&self, session: &'a str) -> Option<(&'a str, i64)> {
        let (claim, signature) = session.rsplit_once('.')?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        ring::hmac::verify(&self.key.0, claim.as_bytes(), &signature).ok()?;
        let (subject, expires_at_ms) = claim.rsplit_once('.')?;
        Some((subject, expires_at_ms.parse().ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sessions() -> (tempfile::TempDir, Sessions) {
        let home = tempfile::tempdir().unwrap();
        let sessions = Sessions::new(Key::load(home.path()).unwrap());
        (home, sessions)
    }

    #[test]
    fn a_session_outlives_a_restart_and_not_its_key() {
        let (home, first) = sessions();
        let session = first.sign("page", 5_000);
        let again = Sessions::new(Key::load(home.path()).unwrap());
        assert_eq!(again.read(&session), Some(("page", 5_000)));
        std::fs::remove_file(home.path().join("session.key")).unwrap();
        let other = Sessions::new(Key::load(home.path()).unwrap());
        assert_eq!(other.read(&session), None);
    }

    #[test]
    fn no_letter_of_a_session_can_be_changed() {
        let (_home, sessions) = sessions();
        let session = sessions.sign("page", 5_000);
        for at in 0..session.len() {
            let mut bytes = session.clone().into_bytes();
            bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(bytes).unwrap();
            assert_eq!(sessions.read(&changed), None, "{changed}");
        }
        for text in ["", ".", "page.5000", "page.5000.", "page.9999999999999.AAAA"] {
            assert_eq!(sessions.read(text), None, "{text}");
        }
    }
}
