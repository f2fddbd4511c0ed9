//! The result of a command: its exit status, and its error for people and programs.

use crate::view::{complain, in_use, printable};
use deputy_protocol::{ErrorBody, ErrorCode, ErrorMessage, Phrase, ServerMessage};
use deputy_server::ClientError;

/// The exit status of a command.
pub(crate) use deputy_protocol::ExitStatus as End;

/// The error of a failed command.
#[derive(Debug)]
pub struct Failure {
    /// What went wrong and what to do next, for people and programs.
    pub error: ErrorBody,
}

impl Failure {
    pub(crate) fn new(code: ErrorCode, message: impl Into<Phrase>, hint: impl Into<Phrase>) -> Self {
        ErrorBody::new(code, message, hint).into()
    }

    pub(crate) fn usage(message: impl Into<Phrase>, hint: impl Into<Phrase>) -> Self {
        Self::new(ErrorCode::Usage, message, hint)
    }

    /// Returns the exit status of the command.
    pub(crate) fn end(&self) -> End {
        self.error.code.info().exit_status
    }

    /// Prints the error to standard error. With `--json`, prints it to standard output as JSON.
    pub(crate) fn print(&self, json: bool) {
        if json {
            let message = ServerMessage::Error(ErrorMessage { id: None, error: self.error.clone() });
            crate::view::print_json(&message);
            return;
        }
        // Errors contain file names and parts of plans, which may contain terminal escape sequences.
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
