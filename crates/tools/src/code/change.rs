//! Changing files: the file is stored for undo first, and then replaced as a whole by a rename.

use super::stored::{NoSuchCharacter, Stored};
use super::{CodeError, WriteParameters, blocking, may_change, read};
use crate::files::{FileError, Files, Pending, Target, digest_of, kind_name};
use crate::text::{cancelled, said, shown, size};
use crate::tool::CallContext;
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_protocol::{CallStatus, Digest, FileChange, FileState, KeptFolder, ToolResult};
use rustix::fs::FileType;
use std::io::Read;

pub(super) async fn write(call: WriteParameters, cx: &CallContext) -> Result<ToolResult, CodeError> {
    let path = shown(call.path.as_ref());
    let (given, written) = (call.path.clone(), call.content);
    let (content, is_there, is_new) = blocking(cx, move |files, _| {
        let content = content(files, &given, &written)?;
        let (is_there, is_new) = compare(files, &given, &content)?;
        Ok((content, is_there, is_new))
    })
    .await?;
    if is_there {
        return Ok(done(say::same_content(path), Vec::new()));
    }
    let bytes = content.len() as u64;
    may_change(&call.path, cx)?;
    if cx.cancel.is_cancelled() {
        return Ok(cancelled());
    }
    let changes = replace(&call.path, content, None, cx).await?;
    let wrote =
        if is_new { say::wrote_new(path, size(bytes)) } else { say::wrote_replaced(path, size(bytes)) };
    Ok(done(wrote, changes))
}

pub(super) async fn create_folder(given: &str, cx: &CallContext) -> Result<ToolResult, CodeError> {
    let path = shown(given.as_ref());
    let changes = make_folder(given, cx).await?;
    Ok(match changes.is_empty() {
        true => done(say::folder_there(path), changes),
        false => done(say::created_folder(path), changes),
    })
}

/// Creates a folder and its missing parents, each journaled first. Returns no changes if the folder exists.
pub(crate) async fn make_folder(given: &str, cx: &CallContext) -> Result<Vec<FileChange>, CodeError> {
    let asked = given.to_owned();
    let (target, is_there) = blocking(cx, move |files, _| {
        let target = files.target(&asked)?;
        let is_there = existing_folder(&target)?;
        Ok((target, is_there))
    })
    .await?;
    if is_there {
        return Ok(Vec::new());
    }
    may_change(given, cx)?;
    let (target, mut changes) = make_missing(target, cx).await?;
    let after = FileState::Folder(KeptFolder::default());
    changes.push(cx.keeper.keep(&target.real(), after).await?);
    blocking(cx, move |_, _| Ok(target.make_folder()?)).await?;
    Ok(lasting(changes, cx))
}

/// Returns whether the folder exists. Fails if something else has its name.
pub(super) fn existing_folder(target: &Target) -> Result<bool, FileError> {
    match target.stat()?.map(|stat| FileType::from_raw_mode(stat.st_mode)) {
        Some(FileType::Directory) => Ok(true),
        Some(kind) => Err(FileError::InTheWay { path: target.given(), kind: kind_name(kind) }),
        None => Ok(false),
    }
}

/// Writes a file like [`replace`], but fails if something exists at the path.
pub(crate) async fn write_new(
    given: &str,
    content: Vec<u8>,
    cx: &CallContext,
) -> Result<Vec<FileChange>, CodeError> {
    put(given, content, Before::Nothing, cx).await
}

/// Replaces the text at `given`, which is stored in the way of the text that it replaces.
pub(crate) async fn replace_text(
    given: &str,
    text: String,
    cx: &CallContext,
) -> Result<Vec<FileChange>, CodeError> {
    let asked = given.to_owned();
    let content = blocking(cx, move |files, _| content(files, &asked, &text)).await?;
    replace(given, content, None, cx).await
}

/// Replaces the content at `given`: creates missing folders, then writes the file. Each is stored for undo before it
/// changes. With `before`, fails unless the existing file has exactly that content.
pub(super) async fn replace(
    given: &str,
    content: Vec<u8>,
    before: Option<Digest>,
    cx: &CallContext,
) -> Result<Vec<FileChange>, CodeError> {
    put(given, content, before.map_or(Before::Any, Before::Exactly), cx).await
}

/// The required state of the target before a write.
enum Before {
    Any,
    Nothing,
    Exactly(Digest),
}

async fn put(
    given: &str,
    content: Vec<u8>,
    before: Before,
    cx: &CallContext,
) -> Result<Vec<FileChange>, CodeError> {
    let asked = given.to_owned();
    let target = blocking(cx, move |files, _| {
        let target = files.target(&asked)?;
        target.replaced()?;
        Ok(target)
    })
    .await?;
    let (target, mut changes) = make_missing(target, cx).await?;
    let pending: Pending = blocking(cx, move |_, _| Ok(target.prepare(&content, None)?)).await?;
    if matches!(before, Before::Nothing) && pending.is_replacing() {
        return Err(FileError::InTheWay { path: shown(given.as_ref()), kind: "file" }.into());
    }
    let change = cx.keeper.keep(&pending.target().real(), pending.after()).await?;
    if let Before::Exactly(expected) = before {
        let is_same = matches!(&change.before, FileState::File(kept) if kept.digest == expected);
        if !is_same {
            return Err(CodeError::Changed { path: shown(given.as_ref()) });
        }
    }
    blocking(cx, move |_, _| Ok(pending.commit()?)).await?;
    changes.push(change);
    Ok(lasting(changes, cx))
}

/// Returns the changes without those of temporary files, which go when the task ends.
pub(super) fn lasting(mut changes: Vec<FileChange>, cx: &CallContext) -> Vec<FileChange> {
    if let Some(temporary) = &cx.place.temporary {
        changes.retain(|change| !std::path::Path::new(&change.path).starts_with(temporary));
    }
    changes
}

/// Creates the missing parent folders, each journaled first.
pub(super) async fn make_missing(
    mut target: Target,
    cx: &CallContext,
) -> Result<(Target, Vec<FileChange>), CodeError> {
    let mut changes = Vec::new();
    while let Some(folder) = target.next_missing() {
        changes.push(cx.keeper.keep(&folder, FileState::Folder(KeptFolder::default())).await?);
        target = blocking(cx, move |_, _| {
            target.make_next_missing()?;
            Ok(target)
        })
        .await?;
    }
    Ok((target, changes))
}

/// Returns the content that a text becomes in a file: stored in the way of the text that it replaces, if there is one.
pub(super) fn content(files: &Files, given: &str, text: &str) -> Result<Vec<u8>, CodeError> {
    let target = files.target(given)?;
    if target.replaced()?.is_none_or(|stat| u64::try_from(stat.st_size).is_ok_and(|size| size > read::WHOLE))
    {
        return Ok(text.as_bytes().to_vec());
    }
    let mut bytes = Vec::new();
    target.open()?.take(read::WHOLE).read_to_end(&mut bytes).map_err(|e| read::error(given, e))?;
    match Stored::read(&bytes) {
        Some(stored) => encoded(given, &stored, &stored.written_over(text)),
        None => Ok(text.as_bytes().to_vec()),
    }
}

/// Encodes a text like the one that it replaces.
pub(super) fn encoded(given: &str, stored: &Stored, text: &str) -> Result<Vec<u8>, CodeError> {
    stored.encoded(text).map_err(|NoSuchCharacter(character)| CodeError::NoSuchCharacter {
        path: shown(given.as_ref()),
        encoding: stored.encoding().unwrap_or("UTF-8"),
        character,
    })
}

/// Returns whether the file already has exactly this content, and whether it is new.
fn compare(files: &Files, given: &str, content: &[u8]) -> Result<(bool, bool), CodeError> {
    let target = files.target(given)?;
    let Some(stat) = target.replaced()? else { return Ok((false, true)) };
    if u64::try_from(stat.st_size) != Ok(content.len() as u64) {
        return Ok((false, false));
    }
    let io = |e| FileError::io(say::cannot_read, given, e);
    let stands = digest_of(&mut target.open()?).map_err(io)?;
    let wanted = digest_of(&mut &content[..]).map_err(io)?;
    Ok((stands.digest == wanted.digest, false))
}

pub(super) fn done(summary: Phrase, changes: Vec<FileChange>) -> ToolResult {
    ToolResult { changes, ..said(CallStatus::Ok, summary) }
}
