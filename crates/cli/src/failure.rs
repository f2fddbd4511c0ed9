//! How a command ends: its exit code, and an error as people and programs read it.

use crate::view::{complain, in_use, printable};
use deputy_protocol::{ErrorBody, ErrorCode, ErrorMessage, Phrase, ServerMessage};
use deputy_server::ClientError;

/// How a command ends.
pub(crate) use deputy_protocol::ExitStatus as End;

/// Why a command could not be done.
#[derive(Debug)]
pub struct Failure {
    /// What went wrong and what to do, for people and programs.
    pub error: ErrorBody,
}

impl Failure {
    pub(crate) fn new(code: ErrorCode, message: impl Into<Phrase>, hint: impl Into<Phrase>) -> Self {
        ErrorBody::new(code, message, hint).into()
    }

    pub(crate) fn usage(message: impl Into<Phrase>, hint: impl Into<Phrase>) -> Self {
        Self::new(ErrorCode::Usage, message, hint)
    }

    /// How the command ends.
    pub(crate) fn end(&self) -> End {
        self.error.code.info().exit_status
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
            complain(&format!("  {}", in_use(&printable(hint))));
        }
    }
}

impl From<ErrorBody> for Failure {
    fn from(error: ErrorBody) -> Self {
        Self { error }
    }
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Refused(body) => body.into(),
            ClientError::Connect { .. } => Self::new(
                ErrorCode::Host,
                format!("{error}."),
                "Is the folder yours? `deputy doctor` looks at it.",
            ),
            ClientError::Gone => Self::new(ErrorCode::Host, format!("{error}."), "Try again."),
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
                "Fix the file in an editor; `deputy doctor` says when it is valid."
            }
            ConfigError::Io { .. } => {
                "Is the folder yours and writable? Another one can be given with --home DIR."
            }
            ConfigError::UnknownKey { .. } | ConfigError::WrongValue { .. } => {
                return Self::usage(format!("{error}."), "docs/configuration.md lists the settings.");
            }
        };
        Self::new(ErrorCode::Config, format!("{error}"), hint)
    }
}

impl From<deputy_store::StoreError> for Failure {
    fn from(error: deputy_store::StoreError) -> Self {
        deputy_agent::HostError::from(error).into()
    }
}
