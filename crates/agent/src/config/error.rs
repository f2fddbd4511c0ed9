//! The errors of reading and changing the configuration.

use deputy_messages::agent as say;
use deputy_protocol::Phrase;
use std::path::PathBuf;

/// An error of the configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The file is not valid.
    Invalid {
        /// The file.
        path: PathBuf,
        /// The cause, with the line.
        message: Phrase,
    },
    /// The setting cannot have that value.
    WrongValue {
        /// The key as given.
        key: String,
        /// What is wrong with the value.
        message: Phrase,
    },
    /// The setting does not exist.
    UnknownKey {
        /// The key as given.
        key: String,
        /// The known settings.
        message: Phrase,
    },
}

impl ConfigError {
    /// Returns the message for this error.
    pub fn phrase(&self) -> Phrase {
        match self {
            Self::Io { path, source } => say::configuration_inaccessible(path.display(), source),
            Self::Invalid { path, message } => say::configuration_not_valid(path.display(), message.clone()),
            Self::WrongValue { key, message } => say::cannot_be_set_to_that(key, message.clone()),
            Self::UnknownKey { key, message } => say::there_is_no_setting(key, message.clone()),
        }
    }
}

deputy_messages::said_by_phrase!(ConfigError);
