//! What a change would do, for the person who decides: a summary and a bounded unified diff.
//!
//! Nothing here may fail a call: whether a file can be read is policy's to say, and a hint that depends on the content
//! of a file must not reach the model before policy has decided.

use super::{PatchParameters, patch};
use crate::files::{FileError, Files};
use crate::text::{escaped, shown, size};
use crate::tool::Place;
use deputy_protocol::{Access, Effect, Facts, ReadAccess, WriteAccess};
use similar::TextDiff;
use std::io::Read;
use std::time::Duration;

/// Files up to this size are compared.
const LARGEST_COMPARED: u64 = 1_000_000;
/// Lines and characters of a diff that a person gets to see.
const DIFF_LINES: usize = 400;
const DIFF_CHARS: usize = 40_000;
/// After this long the diff becomes coarser instead of better.
const DIFF_TIME: Duration = Duration::from_millis(200);

pub(super) struct Preview {
    pub(super) summary: String,
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
    let (note, diff) = match &current {
        Current::Nothing => ("new file", diff(&path, None, content)),
        Current::Text(old) if old == content => ("unchanged", None),
        Current::Text(old) => ("replaces the file", diff(&path, Some(old), content)),
        Current::Unknown => ("replaces what stands there", diff(&path, None, content)),
    };
    Preview { summary: format!("Write {path} ({bytes}, {note})"), diff }
}

/// A patch that does not apply now only reads: that is what policy is asked, and what the call will then do.
pub(super) fn patch(call: &PatchParameters, path: String, place: &Place) -> Facts {
    let name = shown(call.path.as_ref());
    let read = Access::Read(ReadAccess { path: path.clone() });
    let Current::Text(old) = current(&call.path, place) else {
        return Facts {
            effect: Effect::ReadOnly,
            accesses: vec![read],
            summary: format!("Patch {name} (there is no text to patch)"),
            diff: None,
        };
    };
    match patch::apply(&name, &old, call) {
        Ok(patched) => Facts {
            effect: Effect::Mutating,
            accesses: vec![read, Access::Write(WriteAccess { path })],
            summary: format!("Patch {name} ({})", patched.places()),
            diff: diff(&name, Some(&old), &patched.text),
        },
        Err(_) => Facts {
            effect: Effect::ReadOnly,
            accesses: vec![read],
            summary: format!("Patch {name} (does not apply)"),
            diff: None,
        },
    }
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
        file.take(LARGEST_COMPARED).read_to_string(&mut text).map_err(|e| FileError::io("read", given, e))?;
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

/// Cut between lines, and with what would hide text on a screen written out.
fn bounded(text: &str) -> String {
    let mut shown = String::new();
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        if at == DIFF_LINES || shown.len() + line.len() > DIFF_CHARS {
            shown.push_str(&format!("[... {} more lines of the diff]\n", lines.len() - at));
            break;
        }
        // A tab is no trick.
        let parts: Vec<_> = line.split('\t').map(escaped).collect();
        shown.push_str(&parts.join("\t"));
        shown.push('\n');
    }
    shown
}
