//! Why a setting cannot be read or changed.

use deputy_messages::agent as say;
use deputy_protocol::Phrase;
use std::path::PathBuf;

/// Why the configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It cannot be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is not valid.
    Invalid {
        /// The file.
        path: PathBuf,
        /// Why, with the line.
        message: Phrase,
    },
    /// The setting cannot have that value.
    WrongValue {
        /// The key as given.
        key: String,
        /// What is wrong with the value.
        message: Phrase,
    },
    /// There is no such setting.
    UnknownKey {
        /// The key as given.
        key: String,
        /// What is known instead.
        message: Phrase,
    },
}

impl ConfigError {
    /// What to say about it.
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
