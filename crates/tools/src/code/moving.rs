//! Moving and deleting files. Each is journaled first, so that undo brings it back.

use super::change::{done, lasting, make_missing};
use super::{CodeError, DeleteParameters, MoveParameters, blocking, may_change};
use crate::files::{FileError, Files, Target, kind_name};
use crate::text::shown;
use crate::tool::CallContext;
use deputy_messages::tools as say;
use deputy_protocol::{AbsentFile, FileState, ToolResult};
use rustix::fs::{FileType, Stat};

pub(super) async fn move_file(call: MoveParameters, cx: &CallContext) -> Result<ToolResult, CodeError> {
    may_change(&call.from, cx)?;
    let moved = say::moved(shown(call.from.as_ref()), shown(call.to.as_ref()));
    let (source, before, target) = blocking(cx, move |files, _| both_ends(&call, files)).await?;
    let (target, mut changes) = make_missing(target, cx).await?;
    let gone = cx.keeper.keep(&source.real(), FileState::Absent(AbsentFile {})).await?;
    let came = cx.keeper.keep(&target.real(), gone.before.clone()).await?;
    changes.extend([gone, came]);
    blocking(cx, move |_, _| {
        source.check_unchanged(Some(&before))?;
        Ok(source.rename_to(&target)?)
    })
    .await?;
    Ok(done(moved, lasting(changes, cx)))
}

/// Returns the file to move, its metadata, and where it goes. Fails if there is no such file or something is in the way.
pub(super) fn both_ends(call: &MoveParameters, files: &Files) -> Result<(Target, Stat, Target), CodeError> {
    let source = files.target_to_remove(&call.from)?;
    let before = source.existing_file()?;
    let target = files.target(&call.to)?;
    if let Some(stat) = target.stat()? {
        let kind = kind_name(FileType::from_raw_mode(stat.st_mode));
        return Err(FileError::InTheWay { path: target.given(), kind }.into());
    }
    Ok((source, before, target))
}

pub(super) async fn delete(call: DeleteParameters, cx: &CallContext) -> Result<ToolResult, CodeError> {
    may_change(&call.path, cx)?;
    let deleted = say::deleted(shown(call.path.as_ref()));
    let (target, before) = blocking(cx, move |files, _| removable(&call.path, files)).await?;
    let change = cx.keeper.keep(&target.real(), FileState::Absent(AbsentFile {})).await?;
    blocking(cx, move |_, _| {
        target.check_unchanged(Some(&before))?;
        match FileType::from_raw_mode(before.st_mode) {
            FileType::Directory => target.remove_folder()?,
            _ => target.remove_file()?,
        }
        Ok(())
    })
    .await?;
    Ok(done(deleted, lasting(vec![change], cx)))
}

/// Returns the file or the empty folder to delete, and its metadata.
pub(super) fn removable(path: &str, files: &Files) -> Result<(Target, Stat), CodeError> {
    let target = files.target_to_remove(path)?;
    let before = match target.stat()? {
        Some(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Directory => stat,
        _ => target.existing_file()?,
    };
    let is_folder = FileType::from_raw_mode(before.st_mode) == FileType::Directory;
    if is_folder && !target.is_empty_folder()? {
        return Err(CodeError::NotEmpty { path: target.given() });
    }
    Ok((target, before))
}
