//! Previews of changes for the person who decides: a summary and a unified diff of limited length.
//!
//! The preview is not for the model, because policy has not yet decided whether the model may read the file.

use super::{CodeCall, CodeError, PatchParameters, change, patch};
use crate::files::{FileError, Files};
use crate::text::{escaped, shown, size};
use crate::tool::Place;
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use similar::TextDiff;
use std::io::Read;
use std::time::Duration;

/// The maximum size of a file to compare, in bytes.
const LARGEST_COMPARED: u64 = 1_000_000;
/// The maximum length of a diff, in lines and characters.
const DIFF_LINES: usize = 400;
const DIFF_CHARS: usize = 40_000;
/// The time after which the diff algorithm settles for a coarser result.
const DIFF_TIME: Duration = Duration::from_millis(200);

pub(super) struct Preview {
    pub(super) summary: Phrase,
    pub(super) diff: Option<String>,
}

enum Current {
    Nothing,
    Text(String),
    Unknown,
}

pub(super) fn write(given: &str, content: &str, place: &Place) -> Preview {
    let path = shown(given.as_ref());
    let bytes = size(content.len() as u64);
    let current = current(given, place);
    let (summary, diff) = match &current {
        Current::Nothing => (say::write_new(&path, bytes), diff(&path, None, content)),
        Current::Text(old) if old == content => (say::write_unchanged(&path, bytes), None),
        Current::Text(old) => (say::write_replaces_file(&path, bytes), diff(&path, Some(old), content)),
        Current::Unknown => (say::write_replaces(&path, bytes), diff(&path, None, content)),
    };
    Preview { summary, diff }
}

pub(super) fn patch(call: &PatchParameters, place: &Place) -> Preview {
    let path = shown(call.path.as_ref());
    let Current::Text(old) = current(&call.path, place) else {
        return Preview { summary: say::patch_no_text(path), diff: None };
    };
    match patch::apply(&path, &old, call) {
        Ok(patched) => Preview {
            summary: say::patch(&path, patched.places()),
            diff: diff(&path, Some(&old), &patched.text),
        },
        Err(_) => Preview { summary: say::patch_does_not_apply(path), diff: None },
    }
}

/// Returns why a change would fail, as far as that is known in advance.
pub(super) fn would_fail(call: &CodeCall, place: &Place) -> Result<(), CodeError> {
    let files = Files::preview(place)?;
    match call {
        CodeCall::Write(call) => drop(files.target(&call.path)?.replaced()?),
        CodeCall::Patch(call) => {
            files.target(&call.path)?.replaced()?;
            patch::read_and_apply(call, &files)?;
        }
        CodeCall::CreateDir(call) => drop(change::existing_folder(&files.target(&call.path)?)?),
        CodeCall::Read(_) | CodeCall::List(_) => {}
    }
    Ok(())
}

fn current(given: &str, place: &Place) -> Current {
    let read = || -> Result<String, FileError> {
        let found = Files::preview(place)?.find(given)?;
        let mut text = String::new();
        let file = found.file()?;
        if found.size() > LARGEST_COMPARED {
            return Err(FileError::TooLarge {
                path: shown(given.as_ref()),
                size: size(found.size()),
                most: size(LARGEST_COMPARED),
            });
        }
        file.take(LARGEST_COMPARED)
            .read_to_string(&mut text)
            .map_err(|e| FileError::io(say::cannot_read, given, e))?;
        Ok(text)
    };
    match read() {
        Ok(text) => Current::Text(text),
        Err(FileError::NotFound { .. }) => Current::Nothing,
        Err(_) => Current::Unknown,
    }
}

fn diff(path: &str, old: Option<&str>, new: &str) -> Option<String> {
    if new.len() as u64 > LARGEST_COMPARED {
        return None;
    }
    let compared = TextDiff::configure().timeout(DIFF_TIME).diff_lines(old.unwrap_or(""), new);
    let from = if old.is_some() { format!("a/{path}") } else { "/dev/null".to_owned() };
    let text = compared.unified_diff().context_radius(3).header(&from, &format!("b/{path}")).to_string();
    Some(bounded(&text))
}

/// Limits the diff to whole lines, and escapes characters that would hide text on a screen.
fn bounded(text: &str) -> String {
    let mut shown = String::new();
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        if at == DIFF_LINES || shown.len() + line.len() > DIFF_CHARS {
            shown.push_str(&format!("[... {} more lines of the diff]\n", lines.len() - at));
            break;
        }
        // Tabs are harmless, so they are not escaped.
        let parts: Vec<_> = line.split('\t').map(escaped).collect();
        shown.push_str(&parts.join("\t"));
        shown.push('\n');
    }
    shown
}
