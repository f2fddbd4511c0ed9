//! `deputy memory index`: indexes folders whose documents are recalled in passages.

use super::{count, does_not_fit};
use crate::commands::Context;
use crate::failure::{End, Failure};
use crate::session::{Session, Tasks};
use crate::view::{self, Screen, place};
use deputy_protocol::{
    Command, CommandOutcome, DropFolderCommand, EmbedMemoriesCommand, IndexFolderCommand, IndexedFolder,
    IndexedFoldersQuery, MemoriesOutcome, Query, QueryAnswer, RebuildMemoryCommand,
};
use std::path::Path;

/// The number of texts to embed between two progress messages.
const EACH_SHOWN: u64 = 200;

/// Returns the folders whose documents can be recalled.
pub(super) async fn folders(session: &mut Session) -> Result<Vec<IndexedFolder>, Failure> {
    match session.query(Query::IndexedFolders(IndexedFoldersQuery {})).await? {
        QueryAnswer::IndexedFolders(answer) => Ok(answer.folders),
        _ => Err(does_not_fit()),
    }
}

/// Prints an indexed folder.
pub(super) fn print(screen: &Screen, folder: &IndexedFolder) {
    let IndexedFolder { documents, passages, embedded, unreadable, .. } = folder;
    let everywhere = if folder.is_everywhere { ", for tasks in every folder" } else { "" };
    screen.line(&format!(
        "{}: {}, {}, found by meaning too: {embedded}{everywhere}.",
        place(&folder.folder),
        count(*documents, "document"),
        count(*passages, "passage")
    ));
    if *unreadable > 0 {
        screen.line(&format!("    {} without text.", count(*unreadable, "document")));
    }
}

/// Indexes a folder, or removes its index.
pub(super) async fn index(
    cx: &Context,
    folder: &Path,
    is_everywhere: bool,
    wait: bool,
    drop: bool,
) -> Result<End, Failure> {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let folder = folder.to_string_lossy().into_owned();
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let done = match drop {
        true => session.command(Command::DropFolder(DropFolderCommand { folder })).await,
        false => session.command(Command::IndexFolder(IndexFolderCommand { folder, is_everywhere })).await,
    };
    let waited = if wait && done.is_ok() { embedded(&mut session, cx.json).await } else { Ok(()) };
    let now = if wait { folders(&mut session).await } else { Ok(Vec::new()) };
    session.close().await;
    let mut done = done?;
    waited?;
    if let CommandOutcome::Indexed(indexed) = &mut done
        && let Some(now) = now?.into_iter().find(|one| one.folder == indexed.folder.folder)
    {
        indexed.folder = now;
    }
    if cx.json {
        view::print_json(&done);
        return Ok(End::Done);
    }
    let screen = Screen::new();
    let CommandOutcome::Indexed(indexed) = done else {
        screen.line("Dropped. Tasks are given none of its passages; the files are as they were.");
        return Ok(End::Done);
    };
    print(&screen, &indexed.folder);
    screen.line(&format!("New or changed: {}. Gone: {}.", indexed.read, indexed.gone));
    if indexed.is_partial {
        screen.line("There are more documents than are looked at; index folders in it one by one.");
    }
    if !indexed.folder.is_everywhere {
        screen.line(
            "Tasks that work there, or may read it (`--read DIR`), are given what fits; `--everywhere` gives it to all.",
        );
    }
    Ok(End::Done)
}

/// Embeds all memories again and waits until it is done.
pub(super) async fn rebuild(cx: &Context) -> Result<End, Failure> {
    let mut session = Session::open(&cx.homes, Tasks::Leave, false).await?;
    let begun = session.command(Command::RebuildMemory(RebuildMemoryCommand {})).await;
    let waited = if begun.is_ok() { embedded(&mut session, cx.json).await } else { Ok(()) };
    session.close().await;
    begun?;
    waited?;
    super::stats(cx).await
}

/// Embeds all pending memories and passages, as far as possible.
async fn embedded(session: &mut Session, is_quiet: bool) -> Result<(), Failure> {
    let screen = Screen::new();
    let (mut before, mut shown) = (u64::MAX, u64::MAX);
    loop {
        let done = session.command(Command::EmbedMemories(EmbedMemoriesCommand {})).await?;
        let CommandOutcome::Memories(MemoriesOutcome { memories: left }) = done else {
            return Err(does_not_fit());
        };
        // If there is no progress, `stats` reports why.
        if left == 0 || left >= before {
            return Ok(());
        }
        before = left;
        if !is_quiet && left.saturating_add(EACH_SHOWN) <= shown {
            screen.line(&format!("{left} are still to be embedded."));
            shown = left;
        }
    }
}
