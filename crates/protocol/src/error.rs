//! Errors as screens get them.

use crate::ErrorCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An error at the edge. Screens branch on `code` alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorBody {
    /// What it is, for programs.
    pub code: ErrorCode,
    /// What was tried, on what, and why it failed.
    pub message: String,
    /// What to do next.
    #[serde(default)]
    pub hints: Vec<String>,
}

impl ErrorBody {
    /// An error with one hint.
    pub fn new(code: ErrorCode, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, message: message.into(), hints: vec![hint.into()] }
    }
}
