//! Unpacking: checks the whole archive first, and then writes file by file, journaling each file before it is written.

use super::entries::{self, Kind, MOST_ENTRIES};
use super::{ArchiveError, UnpackParameters, allowed, blocking, text};
use crate::budget::Budget;
use crate::code::{make_folder, write_new};
use crate::files::{Files, digest_of};
use crate::text::{failed, reason, said, shown, size};
use crate::tool::CallContext;
use deputy_messages::Phrase;
use deputy_messages::archive as say;
use deputy_policy::path::{Bounds, Operation};
use deputy_protocol::{CallStatus, Digest, FileChange, ToolResult};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The maximum unpacked size of an archive, and of a single file in it, in bytes.
const MOST_BYTES: u64 = 2_000_000_000;
const LARGEST_FILE: u64 = 256_000_000;
/// The maximum ratio of the unpacked size to the archive size, for archives that unpack to more than [`ALWAYS`].
const MOST_RATIO: u64 = 200;
/// The unpacked size in bytes that any archive may have.
const ALWAYS: u64 = 50_000_000;

/// The files and folders to write, by their paths below the target.
#[derive(Default)]
struct Contents {
    files: BTreeMap<PathBuf, Digest>,
    folders: BTreeSet<PathBuf>,
    bytes: u64,
}

/// Returns the folder that a call unpacks to.
pub(super) fn folder(call: &UnpackParameters) -> String {
    let path = Path::new(&call.path);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = deputy_organize::split(&name).0;
    let stem = if stem == name { format!("{name} unpacked") } else { stem.to_owned() };
    call.to.clone().unwrap_or_else(|| text(&path.with_file_name(stem)))
}

pub(super) async fn unpack(call: UnpackParameters, cx: &CallContext) -> Result<ToolResult, ArchiveError> {
    let to = folder(&call);
    let (given, is_new, target) = (call.path.clone(), call.to.is_none(), to.clone());
    let (file, contents) = blocking(cx, move |files, cx| {
        let file = files.find(&given)?.file()?;
        let contents = look(&given, &file, Path::new(&target), is_new, files, cx)?;
        Ok((file, contents))
    })
    .await?;
    allowed(&to, cx)?;
    let mut changes = Vec::new();
    let written = write(&call.path, file, &contents, &to, &mut changes, cx).await;
    let (files, folders) = (contents.files.len() as u64, contents.folders.len() as u64);
    let mut result = match written {
        Ok(()) => {
            let to = shown(to.as_ref());
            said(CallStatus::Ok, say::unpacked(files, folders, size(contents.bytes), to))
        }
        Err(error) => failed(say::written_before(files + folders, error, changes.len())),
    };
    result.changes = changes;
    Ok(result)
}

/// Checks the whole archive. Returns what to write, or why it is refused.
fn look(
    given: &str,
    file: &File,
    to: &Path,
    is_new: bool,
    files: &Files,
    cx: &CallContext,
) -> Result<Contents, ArchiveError> {
    let budget = Budget::of(cx);
    let refused = |reason: Phrase| ArchiveError::Refused { path: shown(given.as_ref()), reason };
    if is_new && files.target(&text(to))?.stat()?.is_some() {
        return Err(ArchiveError::Taken { path: shown(to.as_os_str()) });
    }
    let packed = file.metadata().map_or(0, |stat| stat.len());
    let most = packed.saturating_mul(MOST_RATIO).clamp(ALWAYS, MOST_BYTES);
    let mut contents = Contents::default();
    // Names that are equal on some file systems would overwrite each other.
    let mut names = BTreeSet::new();
    let bounds = Bounds::of(&cx.situation);
    let agreed = bounds.ruled_out(Operation::Write, &files.target(&text(to))?.real());
    entries::each(given, file, &budget, &mut |entry, content| {
        let wrong = |reason: Phrase| refused(say::of_entry(shown(entry.name.as_ref()), reason));
        let below = entry.below().map_err(&wrong)?;
        if below.as_os_str().is_empty() {
            return Ok(());
        }
        if matches!(entry.kind, Kind::Link | Kind::Special) {
            return Err(wrong(say::link_or_special()));
        }
        let target = files.target(&text(&to.join(&below)))?;
        let real = target.real();
        if let Some(reason) = deputy_policy::path::protected_write(&cx.situation, &real) {
            return Err(wrong(reason));
        }
        // The person approved only the target folder, not entries that another rule covers.
        if let Some(rule) =
            bounds.ruled_out(Operation::Write, &real).filter(|rule| agreed.as_ref() != Some(rule))
        {
            return Err(wrong(rule.reason));
        }
        if contents.files.len() + contents.folders.len() >= MOST_ENTRIES {
            return Err(refused(say::too_many_entries(MOST_ENTRIES)));
        }
        if entry.kind == Kind::Folder {
            contents.folders.insert(below);
            return Ok(());
        }
        if target.stat()?.is_some() {
            return Err(wrong(say::something_there()));
        }
        if !names.insert(deputy_organize::fold(&below.to_string_lossy())) {
            return Err(wrong(say::same_name()));
        }
        let room = (most - contents.bytes).min(LARGEST_FILE);
        let kept = digest_of(&mut content.take(room + 1)).map_err(|error| wrong(reason(&error)))?;
        if kept.size_bytes > room {
            return Err(wrong(say::unpacks_to_more(size(room))));
        }
        contents.bytes += kept.size_bytes;
        contents.files.insert(below, kept.digest);
        Ok(())
    })?;
    match budget.note() {
        Some(note) => Err(refused(note)),
        None if budget.is_cancelled() => Err(refused(say::stopped())),
        None => Ok(contents),
    }
}

/// Writes the checked contents file by file. Does not write files that have changed since the check.
async fn write(
    given: &str,
    file: File,
    contents: &Contents,
    to: &str,
    changes: &mut Vec<FileChange>,
    cx: &CallContext,
) -> Result<(), ArchiveError> {
    changes.extend(make_folder(to, cx).await?);
    for folder in &contents.folders {
        changes.extend(make_folder(&text(&Path::new(to).join(folder)), cx).await?);
    }
    // A separate thread reads the archive and passes on one file at a time.
    let (hand, mut taken) = tokio::sync::mpsc::channel::<(PathBuf, Vec<u8>)>(1);
    let (given, own) = (given.to_owned(), cx.clone());
    let reading = tokio::task::spawn_blocking(move || {
        let budget = Budget::of(&own);
        entries::each(&given, &file, &budget, &mut |entry, content| {
            let Ok(below) = entry.below() else { return Ok(()) };
            if entry.kind == Kind::File {
                let mut bytes = Vec::new();
                let unreadable = |source| ArchiveError::Unreadable { path: shown(given.as_ref()), source };
                content.take(LARGEST_FILE).read_to_end(&mut bytes).map_err(unreadable)?;
                // Sending fails only after writing has failed, and the writer reports the reason.
                let _ = hand.blocking_send((below, bytes));
            }
            Ok(())
        })
    });
    let mut written = BTreeSet::new();
    while let Some((below, bytes)) = taken.recv().await {
        let is_seen = digest_of(&mut bytes.as_slice()).ok().map(|kept| kept.digest).as_ref()
            == contents.files.get(&below);
        if !is_seen || !written.insert(below.clone()) {
            let reason = say::changed_while_unpacked();
            return Err(ArchiveError::Refused { path: shown(below.as_os_str()), reason });
        }
        if cx.cancel.is_cancelled() {
            return Err(ArchiveError::Refused { path: shown(below.as_os_str()), reason: say::stopped() });
        }
        changes.extend(write_new(&text(&Path::new(to).join(&below)), bytes, cx).await?);
    }
    reading.await.map_err(crate::code::CodeError::from)??;
    if written.len() < contents.files.len() {
        let reason = say::not_read_again();
        return Err(ArchiveError::Refused { path: shown(to.as_ref()), reason });
    }
    Ok(())
}
