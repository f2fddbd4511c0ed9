//! The parts of a request that ask, each reason once, with what it is about.

use super::screen::{Screen, Tone};
use super::text::{place_in, printable};
use deputy_protocol::{Decision, Part, PartKind, PermissionRequest, RequestDetails, RequestedStep};
use std::cmp::Reverse;

/// Texts with the same reason that are listed before the rest is counted.
const MOST_TEXTS: usize = 3;

/// A call that is asked about, alone or with others.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    cwd: &'a str,
    command: Option<&'a str>,
    parts: &'a [Part],
}

impl<'a> Asked<'a> {
    /// The call of a request that is about one.
    pub(super) fn only(request: &'a PermissionRequest) -> Self {
        let RequestDetails { cwd, command, parts, .. } = &request.details;
        Self { cwd, command: command.as_deref(), parts }
    }

    /// One of several calls.
    pub(super) fn step(step: &'a RequestedStep, cwd: &'a str) -> Self {
        Self { cwd, command: step.command.as_deref(), parts: &step.parts }
    }
}

/// A reason for asking, with the parts of the command that it is about.
struct Asking {
    /// Empty for the whole command, which is above it.
    texts: Vec<String>,
    reason: String,
    mark: &'static str,
}

/// Shows what asks in a command, in at most `most` lines.
pub(super) fn show(screen: &Screen, asked: Asked<'_>, most: usize) {
    let asking = all(asked);
    for (place, Asking { texts, reason, mark }) in asking.iter().take(most).enumerate() {
        let listed = if most < usize::MAX { MOST_TEXTS.min(texts.len()) } else { texts.len() };
        let mut about = texts[..listed].join(", ");
        if texts.len() > listed {
            about += &format!(" and {} more", texts.len() - listed);
        }
        let gap = if about.is_empty() { "" } else { "  " };
        let rest = match asking.len() - (place + 1) {
            more if place + 1 == most && more > 0 => format!("  … {more} more"),
            _ => String::new(),
        };
        let tone = if *mark == "✗" { Tone::Bad } else { Tone::Warn };
        let why = screen.paint(Tone::Quiet, &format!("{reason}{rest}"));
        screen.prose(&format!("    {} {about}{gap}{why}", screen.paint(tone, mark)));
    }
}

/// Whether `show` leaves out something.
pub(super) fn is_cut(asked: Asked<'_>, most: usize) -> bool {
    let asking = all(asked);
    most < usize::MAX && (asking.len() > most || asking.iter().any(|each| each.texts.len() > MOST_TEXTS))
}

/// The highest risk first, and what the shell does itself after what it runs.
fn all(asked: Asked<'_>) -> Vec<Asking> {
    let mut parts: Vec<&Part> = asked.parts.iter().filter(|part| part.decision != Decision::Allow).collect();
    parts.sort_by_key(|part| (Reverse(part.risk), part.kind == PartKind::Construct));
    let mut all: Vec<Asking> = Vec::new();
    for part in parts {
        let (text, reason) = (text_of(part, asked), printable(&part.reason));
        let at = all.iter().position(|known| known.reason == reason).unwrap_or_else(|| {
            let mark = if part.decision == Decision::Deny { "✗" } else { "?" };
            all.push(Asking { texts: Vec::new(), reason, mark });
            all.len() - 1
        });
        if !text.is_empty() && !all[at].texts.contains(&text) {
            all[at].texts.push(text);
        }
    }
    all
}

/// What a part is about. Empty for the whole command; of a part with several lines the first one.
fn text_of(part: &Part, asked: Asked<'_>) -> String {
    if !matches!(part.kind, PartKind::Command | PartKind::Construct) {
        return place_in(asked.cwd, &part.text);
    }
    let command = bare(asked.command.unwrap_or_default());
    let text = printable(&part.text);
    let typed = bare(&text);
    if typed == command {
        return String::new();
    }
    // A part is one line, in which `\n` means a line break, unless the command contains these characters itself.
    if command.contains(&typed) {
        return text;
    }
    if command.starts_with(typed.trim_end_matches('…').replace("\\n", "\n").trim_end()) {
        return String::new();
    }
    match text.split_once("\\n") {
        Some((first, _)) => format!("{first} …"),
        None => text,
    }
}

/// A text without quotes: a part has them as the check writes them.
fn bare(text: &str) -> String {
    text.trim().replace(['\'', '"'], "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(command: &str, kind: &str, text: &str) -> String {
        let part = json!({
            "kind": kind, "text": text, "decision": "ask", "risk": "medium", "reason": "Why.",
        });
        let asked = Asked { cwd: "/w", command: Some(command), parts: &[] };
        text_of(&serde_json::from_value(part).unwrap(), asked)
    }

    #[test]
    fn a_part_is_named_unless_it_is_the_command() {
        let here = "python3 - <<'END'\nprint('a\\n')\nEND";
        for (command, kind, text, expected) in [
            ("git push", "command", "git push", ""),
            ("touch 'a.txt' && b", "command", "touch a.txt", "touch a.txt"),
            ("cat x; printf \"a\\n\"", "command", "printf 'a\\n'", "printf 'a\\n'"),
            (here, "construct", "python3 - <<'END'\\nprint('a…", ""),
            (here, "construct", "<<'END'\\nprint('a\\n')\\nEND", "<<'END' …"),
            ("cat $x/a", "command", "cat /etc/a", "cat /etc/a"),
            ("touch a", "write", "/w/a", "a"),
        ] {
            assert_eq!(shown(command, kind, text), expected, "{text} of {command}");
        }
    }
}
