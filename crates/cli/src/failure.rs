//! How a command ends: its exit code, and an error as people and programs read it.

use crate::view::{complain, printable};
use deputy_protocol::{ErrorBody, ErrorMessage, ServerMessage};
use deputy_server::ClientError;
use std::process::ExitCode;

/// The exit codes of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Done = 0,
    Failed = 1,
    Usage = 2,
    DeniedOrStopped = 3,
    WaitsForPerson = 4,
}

impl From<End> for ExitCode {
    fn from(end: End) -> Self {
        Self::from(end as u8)
    }
}

/// Why a command could not be done.
#[derive(Debug)]
pub struct Failure {
    pub(crate) end: End,
    /// What went wrong and what to do, for people and programs.
    pub error: ErrorBody,
}

impl Failure {
    pub(crate) fn new(code: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { end: End::Failed, error: ErrorBody::new(code, message, hint) }
    }

    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { end: End::Usage, error: ErrorBody::new("usage", message, hint) }
    }

    /// Errors go to standard error; with `--json` to standard output as a message like every other.
    pub(crate) fn print(&self, json: bool) {
        if json {
            let message = ServerMessage::Error(ErrorMessage { id: None, error: self.error.clone() });
            crate::view::print_json(&message);
            return;
        }
        // Errors name files and what plans hold, which may be more than text to a terminal.
        complain(&format!("deputy: {}", printable(&self.error.message)));
        for hint in self.error.hints.iter().filter(|hint| !hint.is_empty()) {
            complain(&format!("  {}", printable(hint)));
        }
    }
}

impl From<ErrorBody> for Failure {
    fn from(error: ErrorBody) -> Self {
        // What was typed wrong is the caller's to mend.
        let end = match error.code.as_str() {
            "profile" | "unknown_backend" | "empty_goal" | "workspace" | "scope" => End::Usage,
            "denied" => End::DeniedOrStopped,
            _ => End::Failed,
        };
        Self { end, error }
    }
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Refused(body) => body.into(),
            ClientError::Connect { .. } => {
                Self::new("host", format!("{error}."), "Is the folder yours? `deputy doctor` looks at it.")
            }
            ClientError::Gone => Self::new("host", format!("{error}."), "Try again."),
        }
    }
}

impl From<deputy_agent::HostError> for Failure {
    fn from(error: deputy_agent::HostError) -> Self {
        ErrorBody::from(error).into()
    }
}

impl From<deputy_agent::config::ConfigError> for Failure {
    fn from(error: deputy_agent::config::ConfigError) -> Self {
        use deputy_agent::config::ConfigError;
        let hint = match &error {
            ConfigError::Invalid { .. } => {
                "Mend the file with an editor; `deputy doctor` says when it is right."
            }
            ConfigError::Io { .. } => {
                "Is the folder yours and writable? Another one can be given with --home DIR."
            }
            ConfigError::UnknownKey { .. } | ConfigError::WrongValue { .. } => {
                return Self::usage(format!("{error}."), "docs/configuration.md lists the settings.");
            }
        };
        Self::new("config", format!("{error}"), hint)
    }
}

impl From<deputy_store::StoreError> for Failure {
    fn from(error: deputy_store::StoreError) -> Self {
        deputy_agent::HostError::from(error).into()
    }
}
