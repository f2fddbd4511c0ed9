//! Changing files: the file is stored for undo first, and then replaced as a whole by a rename.

use super::{CodeError, WriteParameters, blocking, may_change};
use crate::files::{FileError, Files, Pending, Target, digest_of, kind_name};
use crate::text::{cancelled, said, shown, size};
use crate::tool::CallContext;
use deputy_messages::Phrase;
use deputy_messages::tools as say;
use deputy_protocol::{CallStatus, Digest, FileChange, FileState, KeptFolder, ToolResult};
use rustix::fs::FileType;

pub(super) async fn write(call: WriteParameters, cx: &CallContext) -> Result<ToolResult, CodeError> {
    let path = shown(call.path.as_ref());
    let content = call.content.into_bytes();
    let bytes = content.len() as u64;
    let (given, wanted) = (call.path.clone(), content.clone());
    let (is_there, is_new) = blocking(cx, move |files, _| compare(files, &given, &wanted)).await?;
    if is_there {
        return Ok(done(say::same_content(path), Vec::new()));
    }
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
    Ok(changes)
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

/// Replaces the content at `given`: creates missing folders, then writes the file. Each is stored for undo before it
/// changes. With `before`, fails unless the existing file has exactly that content.
pub(crate) async fn replace(
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
    Ok(changes)
}

/// Creates the missing parent folders, each journaled first.
async fn make_missing(mut target: Target, cx: &CallContext) -> Result<(Target, Vec<FileChange>), CodeError> {
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
