//! Reads a secret: unseen from a terminal, else a line of standard input.

use crate::failure::Failure;
use deputy_protocol::ErrorCode;
use std::io::{BufRead, IsTerminal};

/// What is typed after `prompt`, or the first line of standard input where that is not a terminal.
pub(crate) fn read(prompt: &str) -> Result<String, Failure> {
    let stdin = std::io::stdin();
    let read = if stdin.is_terminal() {
        rpassword::prompt_password(prompt)
    } else {
        let mut line = String::new();
        stdin.lock().read_line(&mut line).map(|_| line)
    };
    read.map_err(|error| {
        Failure::new(
            ErrorCode::Input,
            format!("The key could not be read: {error}."),
            "Try again, or give it as a line of standard input.",
        )
    })
}
