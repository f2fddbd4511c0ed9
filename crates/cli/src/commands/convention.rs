//! Naming conventions: given on the command line, or chosen at the terminal.

use crate::failure::Failure;
use crate::view::{Screen, printable};
use deputy_organize::suggest::{Convention, Suggestion};
use deputy_protocol::ErrorCode;
use std::io::{BufRead, IsTerminal};

/// The argument that keeps names unchanged.
const NONE: &str = "none";

/// Returns the convention for an example, or for the number of a suggestion. `None` to keep names.
pub(super) fn named(text: &str, suggestions: &[Suggestion]) -> Result<Option<Convention>, Failure> {
    if text.eq_ignore_ascii_case(NONE) {
        return Ok(None);
    }
    let by_number = text.parse::<usize>().ok().and_then(|number| suggestions.get(number.checked_sub(1)?));
    let pattern = by_number.map_or(text, |suggestion| &suggestion.pattern);
    let parsed = Convention::parse(pattern).map_err(|error| {
        Failure::usage(
            format!("{error}."),
            "`deputy organize DIR --plan-only` suggests three; name one by its number.",
        )
    });
    parsed.map(Some)
}

/// Prints the suggestions as a numbered list.
pub(super) fn list(screen: &Screen, suggestions: &[Suggestion]) {
    for (number, suggestion) in (1..).zip(suggestions) {
        screen.line(&format!(
            "  {number}  {}  {} -> {}  ({} of {} files already match)",
            suggestion.pattern,
            printable(&suggestion.example.before),
            printable(&suggestion.example.after),
            suggestion.matches,
            suggestion.files
        ));
    }
}

/// Asks the user at the terminal to choose a convention. `None` if the user chooses none or there is no terminal. The
/// user is not asked if every name already follows all suggestions.
pub(super) fn picked(suggestions: &[Suggestion]) -> Result<Option<Convention>, Failure> {
    let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if !is_terminal || suggestions.iter().all(|suggestion| suggestion.matches == suggestion.files) {
        return Ok(None);
    }
    let screen = Screen::new();
    screen.line("Suggested names:");
    list(&screen, suggestions);
    loop {
        screen.prompt("  Number, an example such as lower-case, or Enter to keep names > ");
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        let is_over = read.map_err(|error| {
            Failure::new(
                ErrorCode::Input,
                format!("The answer could not be read: {error}."),
                "--convention names one.",
            )
        })? == 0;
        let line = line.trim();
        if is_over || line.is_empty() {
            return Ok(None);
        }
        match named(line, suggestions) {
            Ok(convention) => return Ok(convention),
            Err(failure) => screen.line(&format!("  {}", printable(&failure.error.message))),
        }
    }
}
