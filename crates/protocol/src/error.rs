//! Errors as sent to screens.

use crate::{ErrorCode, Phrase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An error, as sent to clients. Programs should branch on `code` alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorBody {
    /// The error code, for programs.
    pub code: ErrorCode,
    /// What was tried, on what, and why it failed.
    pub message: Phrase,
    /// What to do next.
    #[serde(default)]
    pub hints: Vec<Phrase>,
}

impl ErrorBody {
    /// Creates an error with one hint.
    pub fn new(code: ErrorCode, message: impl Into<Phrase>, hint: impl Into<Phrase>) -> Self {
        Self { code, message: message.into(), hints: vec![hint.into()] }
    }
}
