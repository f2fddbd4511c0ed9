//! Keys of backends in the desktop's keyring. An entry belongs to a backend and a host: a key never goes elsewhere.

use deputy_messages::agent as say;
use deputy_protocol::Phrase;
use std::sync::mpsc;
use std::time::Duration;

/// Under which the keyring's own window shows the entries.
const SERVICE: &str = "deputy";
/// The keyring may first ask its user for a password; nobody waits longer for that.
const PATIENCE: Duration = Duration::from_secs(60);

/// Why the keyring cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
pub enum KeyringError {
    /// It cannot be reached, or refused.
    Unavailable(String),
    /// It did not answer, perhaps since it waits for its user.
    Silent,
}

impl KeyringError {
    /// What to say about it.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Unavailable(why) => say::keyring_unavailable(why),
            Self::Silent => say::keyring_silent(PATIENCE.as_secs()),
        }
    }
}

deputy_messages::said_by_phrase!(KeyringError);

/// The key of an entry; none if there is none.
pub fn get(entry: &str) -> Result<Option<String>, KeyringError> {
    ask(entry, |entry| match entry.get_password() {
        Ok(key) => Ok(Some(key)),
        Err(keyring::Error::NoEntry) => Ok(None),
        Err(error) => Err(error),
    })
}

/// Keeps a key, in the place of one that is there.
pub fn set(entry: &str, key: &str) -> Result<(), KeyringError> {
    let key = key.to_owned();
    ask(entry, move |entry| entry.set_password(&key))
}

/// Forgets a key, if there is one.
pub fn remove(entry: &str) -> Result<(), KeyringError> {
    ask(entry, |entry| match entry.delete_credential() {
        Err(keyring::Error::NoEntry) => Ok(()),
        done => done,
    })
}

/// On a thread of its own, since the keyring may wait for its user for ever.
fn ask<T: Send + 'static>(
    entry: &str,
    what: impl FnOnce(keyring::Entry) -> keyring::Result<T> + Send + 'static,
) -> Result<T, KeyringError> {
    let (reply, answer) = mpsc::channel();
    let entry = entry.to_owned();
    let asking = move || {
        let said = match keyring::Entry::store_status() {
            Ok(()) => keyring::Entry::new(SERVICE, &entry).and_then(what).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        // Nobody waits any more where it took too long.
        let _ = reply.send(said);
    };
    let unavailable = |error: std::io::Error| KeyringError::Unavailable(error.to_string());
    std::thread::Builder::new().name("deputy-keyring".to_owned()).spawn(asking).map_err(unavailable)?;
    answer.recv_timeout(PATIENCE).map_err(|_| KeyringError::Silent)?.map_err(KeyringError::Unavailable)
}
