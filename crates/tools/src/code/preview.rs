//! Previews of changes for the person who decides: a summary and a unified diff of limited length.
//!
//! The preview is not for the model, because policy has not yet decided whether the model may read the file.

use super::compared::{LARGEST_COMPARED, diff};
use super::stored::Stored;
use super::{CodeCall, CodeError, PatchParameters, apply_patch, change, moving, patch, read};
use crate::files::{FileError, Files};
use crate::text::{shown, size};
use crate::tool::Place;
use deputy_messages::Phrase;
use deputy_messages::tools as say;

pub(super) struct Preview {
    pub(super) summary: Phrase,
    pub(super) diff: Option<String>,
}

enum Current {
    Nothing,
    Text(Stored),
    Unknown,
}

pub(super) fn write(given: &str, content: &str, place: &Place) -> Preview {
    let path = shown(given.as_ref());
    let bytes = size(content.len() as u64);
    let current = current(given, place);
    let (summary, diff) = match &current {
        Current::Nothing => (say::write_new(&path, bytes), diff(&path, None, content)),
        Current::Text(old) => {
            let new = old.written_over(content);
            match old.text == new {
                true => (say::write_unchanged(&path, bytes), None),
                false => (
                    stored_as(say::write_replaces_file(&path, stored_size(old, &new)), old),
                    diff(&path, Some(&old.text), &new),
                ),
            }
        }
        Current::Unknown => (say::write_replaces(&path, bytes), diff(&path, None, content)),
    };
    Preview { summary, diff }
}

pub(super) fn patch(call: &PatchParameters, place: &Place) -> Preview {
    let path = shown(call.path.as_ref());
    let Current::Text(old) = current(&call.path, place) else {
        return Preview { summary: say::patch_no_text(path), diff: None };
    };
    match patch::apply(&path, &old.text, call) {
        Ok(patched) => Preview {
            summary: stored_as(say::patch(&path, patched.places()), &old),
            diff: diff(&path, Some(&old.text), &patched.text),
        },
        Err(_) => Preview { summary: say::patch_does_not_apply(path), diff: None },
    }
}

/// Returns why a change would fail, as far as that is known in advance.
pub(super) fn would_fail(call: &CodeCall, place: &Place) -> Result<(), CodeError> {
    let files = Files::preview(place)?;
    match call {
        CodeCall::Write(call) => drop(change::content(&files, &call.path, &call.content)?),
        CodeCall::Patch(call) => {
            files.target(&call.path)?.replaced()?;
            patch::read_and_apply(call, &files)?;
        }
        CodeCall::CreateDir(call) => drop(change::existing_folder(&files.target(&call.path)?)?),
        CodeCall::Move(call) => drop(moving::both_ends(call, &files)?),
        CodeCall::Delete(call) => drop(moving::removable(&call.path, &files)?),
        CodeCall::ApplyPatch(call) => apply_patch::check(call, &files)?,
        CodeCall::Read(_) | CodeCall::List(_) => {}
    }
    Ok(())
}

/// Adds the encoding of a file that is not UTF-8, which stays as it is.
fn stored_as(summary: Phrase, stored: &Stored) -> Phrase {
    match stored.encoding() {
        Some(encoding) => say::stored_as(encoding, summary),
        None => summary,
    }
}

/// Returns the size of a text as the file will store it.
fn stored_size(stored: &Stored, text: &str) -> Phrase {
    size(stored.encoded(text).map_or(text.len(), |bytes| bytes.len()) as u64)
}

fn current(given: &str, place: &Place) -> Current {
    let read = || -> Result<Option<Stored>, FileError> {
        let found = Files::preview(place)?.find(given)?;
        if found.size() > LARGEST_COMPARED {
            return Ok(None);
        }
        Ok(Stored::read(&read::whole(&found)?))
    };
    match read() {
        Ok(Some(stored)) => Current::Text(stored),
        Err(FileError::NotFound { .. }) => Current::Nothing,
        Ok(None) | Err(_) => Current::Unknown,
    }
}
