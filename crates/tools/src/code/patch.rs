//! Patching: replaces an exact piece of a text. Fails if the piece is absent or ambiguous.

use super::stored::{Stored, with_ends};
use super::{CodeError, PatchParameters, blocking, change, may_change, read};
use crate::files::{Files, digest_of};
use crate::text::shown;
use crate::tool::CallContext;
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_protocol::{Digest, ToolResult};

/// The maximum number of line numbers in the error about an ambiguous piece.
const NAMED_LINES: usize = 20;

/// Why a patch does not apply. Nothing was changed.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum PatchError {
    Absent {
        path: String,
        near: NearMiss,
    },
    Ambiguous {
        path: String,
        times: usize,
        lines: String,
    },
    NotText {
        path: String,
    },
    /// A line of a patch of several files is not understood.
    Unread {
        at: usize,
        text: String,
    },
    /// A patch of several files names a file twice.
    Twice,
    /// The lines of a part of a patch are not in the file. `at` is the part's line in the patch.
    HunkAbsent {
        path: String,
        at: usize,
    },
    HunkAmbiguous {
        path: String,
        at: usize,
        lines: String,
    },
}

/// The line with a text that differs from the piece only in whitespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NearMiss {
    Line(usize),
    /// The piece was copied with the numbers that `read` puts before lines.
    Numbered,
    Nowhere,
    /// The piece is only whitespace.
    NothingToFind,
}

impl PatchError {
    /// Returns the message for people.
    pub(super) fn phrase(&self) -> Phrase {
        match self {
            Self::Absent { path, near: NearMiss::Line(line) } => say::old_absent_near_miss(line, path),
            Self::Absent { path, near: NearMiss::Numbered } => say::old_has_line_numbers(path),
            Self::Absent { path, near: NearMiss::Nowhere } => say::old_absent_read_again(path),
            Self::Absent { path, near: NearMiss::NothingToFind } => say::old_absent(path),
            Self::Ambiguous { path, times, lines } => say::old_ambiguous(lines, path, *times),
            Self::NotText { path } => say::not_text_to_patch(path),
            Self::Unread { at, text } => say::patch_unread(*at, text),
            Self::Twice => say::patch_names_twice(),
            Self::HunkAbsent { path, at } => say::patch_part_absent(*at, path),
            Self::HunkAmbiguous { path, at, lines } => say::patch_part_ambiguous(*at, lines, path),
        }
    }
}

deputy_messages::said_by_phrase!(PatchError);

/// A text after the patch was applied.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Patched {
    pub(super) text: String,
    /// The lines with replacements, from 1.
    lines: Vec<usize>,
}

impl Patched {
    pub(super) fn places(&self) -> Phrase {
        match self.lines.as_slice() {
            [line] => say::place(line),
            lines => say::places(lines.len(), list(lines)),
        }
    }
}

/// Applies the patch to a text.
pub(super) fn apply(path: &str, text: &str, call: &PatchParameters) -> Result<Patched, PatchError> {
    // Models write plain line feeds. What they write with a carriage return is meant as it is.
    let is_literal = call.old.contains('\r') || call.new.contains('\r') && text.contains(&call.old);
    let plain = |text: &str| if is_literal { text.to_owned() } else { text.replace("\r\n", "\n") };
    let (before, old, new) = (plain(text), plain(&call.old), plain(&call.new));
    let found: Vec<usize> = before.match_indices(&old).map(|(at, _)| at).collect();
    let lines = lines_of(&before, &found);
    match found.len() {
        0 => return Err(PatchError::Absent { path: path.to_owned(), near: near_miss(text, &call.old) }),
        times if times > 1 && !call.replace_all => {
            return Err(PatchError::Ambiguous { path: path.to_owned(), times, lines: list(&lines) });
        }
        _ => {}
    }
    let after = before.replace(&old, &new);
    let text = if is_literal { after } else { with_ends(text, &after) };
    Ok(Patched { text, lines })
}

pub(super) async fn patch(call: PatchParameters, cx: &CallContext) -> Result<ToolResult, CodeError> {
    let path = call.path.clone();
    let (patched, bytes, before) = blocking(cx, move |files, _| read_and_apply(&call, files)).await?;
    may_change(&path, cx)?;
    let places = patched.places();
    let changes = change::replace(&path, bytes, Some(before), cx).await?;
    Ok(change::done(say::patched(shown(path.as_ref()), places), changes))
}

/// Applies the patch to the current file. Also returns the new content, and the digest of the current content.
pub(super) fn read_and_apply(
    call: &PatchParameters,
    files: &Files,
) -> Result<(Patched, Vec<u8>, Digest), CodeError> {
    let path = shown(call.path.as_ref());
    let bytes = read::whole(&files.find(&call.path)?)?;
    let digest = digest_of(&mut bytes.as_slice()).map_err(|e| read::error(&call.path, e))?.digest;
    let stored = Stored::read(&bytes).ok_or_else(|| PatchError::NotText { path: path.clone() })?;
    let patched = apply(&path, &stored.text, call)?;
    let bytes = change::encoded(&call.path, &stored, &patched.text)?;
    Ok((patched, bytes, digest))
}

fn lines_of(text: &str, found: &[usize]) -> Vec<usize> {
    let mut lines = Vec::with_capacity(found.len());
    let (mut line, mut from) = (1, 0);
    for &at in found {
        line += text[from..at].bytes().filter(|byte| *byte == b'\n').count();
        from = at;
        lines.push(line);
    }
    lines
}

pub(super) fn list(lines: &[usize]) -> String {
    let named: Vec<String> = lines.iter().take(NAMED_LINES).map(usize::to_string).collect();
    let more = if lines.len() > NAMED_LINES { ", ..." } else { "" };
    format!("{}{more}", named.join(", "))
}

/// Finds a text that differs from the piece only in whitespace at the ends of lines, which is the usual mistake.
fn near_miss(text: &str, old: &str) -> NearMiss {
    let wanted: Vec<&str> = old.trim().lines().map(str::trim).collect();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    if wanted.is_empty() {
        return NearMiss::NothingToFind;
    }
    match lines.windows(wanted.len()).position(|window| window == wanted.as_slice()) {
        Some(at) => NearMiss::Line(at + 1),
        None if without_numbers(old).is_some_and(|piece| text.contains(&piece)) => NearMiss::Numbered,
        None => NearMiss::Nowhere,
    }
}

/// Returns the text without the number and tab before each line. `None` if a line has none.
fn without_numbers(text: &str) -> Option<String> {
    let bare = |line: &str| {
        let (number, rest) = line.split_once('\t')?;
        number.trim().parse::<u64>().ok().map(|_| rest.to_owned())
    };
    text.lines().map(bare).collect::<Option<Vec<_>>>().map(|lines| lines.join("\n"))
}
