//! Keys of backends in the desktop's keyring. An entry belongs to a backend and a host: a key is never sent to another
//! host.

use deputy_messages::agent as say;
use deputy_protocol::Phrase;
use std::sync::mpsc;
use std::time::Duration;

/// The service name of the entries in the keyring.
const SERVICE: &str = "deputy";
/// The maximum time to wait for the keyring, which may ask the user for a password.
const PATIENCE: Duration = Duration::from_secs(60);

/// The reason why the keyring cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
pub enum KeyringError {
    /// It cannot be reached, or it refused access.
    Unavailable(String),
    /// It did not answer, possibly because it waits for the user.
    Silent,
}

impl KeyringError {
    /// Returns the message for this error.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Unavailable(why) => say::keyring_unavailable(why),
            Self::Silent => say::keyring_silent(PATIENCE.as_secs()),
        }
    }
}

deputy_messages::said_by_phrase!(KeyringError);

/// Returns the key of an entry. `None` if it does not exist.
pub fn get(entry: &str) -> Result<Option<String>, KeyringError> {
    ask(entry, |entry| match entry.get_password() {
        Ok(key) => Ok(Some(key)),
        Err(keyring::Error::NoEntry) => Ok(None),
        Err(error) => Err(error),
    })
}

/// Stores a key, replacing any existing one.
pub fn set(entry: &str, key: &str) -> Result<(), KeyringError> {
    let key = key.to_owned();
    ask(entry, move |entry| entry.set_password(&key))
}

/// Deletes a key, if it exists.
pub fn remove(entry: &str) -> Result<(), KeyringError> {
    ask(entry, |entry| match entry.delete_credential() {
        Err(keyring::Error::NoEntry) => Ok(()),
        done => done,
    })
}

/// Runs an operation on a separate thread, because the keyring may wait for the user forever.
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
        // Fails if the caller has timed out.
        let _ = reply.send(said);
    };
    let unavailable = |error: std::io::Error| KeyringError::Unavailable(error.to_string());
    std::thread::Builder::new().name("deputy-keyring".to_owned()).spawn(asking).map_err(unavailable)?;
    answer.recv_timeout(PATIENCE).map_err(|_| KeyringError::Silent)?.map_err(KeyringError::Unavailable)
}
