//! Reads the names of files that a repository's index lists, in the format that gitformat-index(5) documents.

use super::tracked::is_within;
use crate::Situation;
use crate::history::{self, Stamp};
use crate::path::Secrets;
use deputy_messages::policy as say;
use deputy_protocol::Phrase;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The size of the largest index that is read, in bytes.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// The maximum number of indexes whose secrets are kept in memory.
const MOST_KEPT: usize = 64;

static KEPT: LazyLock<Mutex<HashMap<PathBuf, Kept>>> = LazyLock::new(Mutex::default);

/// The secrets that an index lists. Valid as long as the index is unchanged and the same names count as secrets.
struct Kept {
    stamp: Stamp,
    by: String,
    secrets: Arc<Vec<String>>,
}

/// Returns a secret below `only` that an index lists, if any. The error says why this cannot be determined.
pub(super) fn secret(
    repository: &Path,
    situation: &Situation,
    secrets: &Secrets,
    top: &Path,
    only: Option<&[String]>,
) -> Result<Option<String>, Phrase> {
    let index = repository.join("index");
    let meta = match index.metadata() {
        Ok(meta) => meta,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(say::index_cannot_read(error)),
    };
    let (stamp, by) = (Stamp::of(&meta), history::what_counts(situation, top));
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let known = kept.get(&index).filter(|kept| kept.stamp == stamp && kept.by == by);
    let listed = match known {
        Some(known) => Arc::clone(&known.secrets),
        None => {
            let (listed, is_split) = listed(repository, secrets, top)?;
            let listed = Arc::new(listed);
            // A split index is read again, because the shared part is a different file.
            if !is_split && history::is_settled(&meta) {
                if kept.len() >= MOST_KEPT {
                    kept.clear();
                }
                kept.insert(index, Kept { stamp, by, secrets: Arc::clone(&listed) });
            }
            listed
        }
    };
    Ok(listed.iter().find(|name| is_within(name, only)).cloned())
}

/// Returns the secrets that an index lists, and whether it is split.
fn listed(repository: &Path, secrets: &Secrets, top: &Path) -> Result<(Vec<String>, bool), Phrase> {
    let not_understood = || say::index_not_understood();
    let mut found = Vec::new();
    // Object names have the length of a SHA-1 or SHA-256 hash. Only one of the two lengths parses correctly.
    let mut read_as = |bytes: &[u8]| {
        [20, 32].into_iter().find_map(|hash| {
            let mut names = Vec::new();
            let shared = each_name(bytes, hash, &mut |name| {
                let name = String::from_utf8_lossy(name);
                if secrets.holds_inside(top, &name) {
                    names.push(name.into_owned());
                }
            })?;
            found.append(&mut names);
            Some(shared)
        })
    };
    let Some(bytes) = read(&repository.join("index"))? else { return Ok((Vec::new(), false)) };
    let shared = read_as(&bytes).ok_or_else(not_understood)?;
    let is_split = shared.is_some();
    if let Some(shared) = shared {
        // Names that the index removes from the shared index are checked too: they were tracked until recently.
        let bytes = read(&repository.join(format!("sharedindex.{shared}")))?.ok_or_else(not_understood)?;
        if read_as(&bytes).ok_or_else(not_understood)?.is_some() {
            return Err(not_understood());
        }
    }
    Ok((found, is_split))
}

/// Reads an index. `None` if it does not exist or is empty.
fn read(index: &Path) -> Result<Option<Vec<u8>>, Phrase> {
    let meta = match index.metadata() {
        Ok(meta) => meta,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(say::index_cannot_read(error)),
    };
    if meta.len() > MOST_BYTES || !meta.is_file() {
        return Err(say::index_too_large_looked());
    }
    let bytes = std::fs::read(index).map_err(say::index_cannot_read)?;
    Ok((!bytes.is_empty()).then_some(bytes))
}

/// Calls `show` with every name that an index lists. If the index is split, returns the name of the shared index that
/// contains the others. `None` if the index cannot be parsed to the end, such as one that lists folders instead of
/// their files.
fn each_name(bytes: &[u8], hash: usize, show: &mut dyn FnMut(&[u8])) -> Option<Option<String>> {
    let word =
        |at: usize| bytes.get(at..at + 4)?.try_into().ok().map(|bytes: [u8; 4]| u32::from_be_bytes(bytes));
    let version = word(4)?;
    if !bytes.starts_with(b"DIRC") || !(2..=4).contains(&version) {
        return None;
    }
    let end = bytes.len().checked_sub(hash)?;
    let mut at = 12;
    let mut name = Vec::new();
    for _ in 0..word(8)? {
        const FOLDER: u32 = 0o040_000;
        if word(at + 24)? & 0o170_000 == FOLDER {
            return None;
        }
        let flags_at = at + 40 + hash;
        let flags = u16::from_be_bytes(bytes.get(flags_at..flags_at + 2)?.try_into().ok()?);
        let mut start = flags_at + if flags & 0x4000 == 0 { 2 } else { 4 };
        if version == 4 {
            let (cut, next) = offset(bytes, start)?;
            name.truncate(name.len().checked_sub(cut)?);
            start = next;
        } else {
            name.clear();
        }
        let length = bytes.get(start..end)?.iter().position(|byte| *byte == 0)?;
        name.extend_from_slice(&bytes[start..start + length]);
        if usize::from(flags & 0xfff) != name.len().min(0xfff) {
            return None;
        }
        show(&name);
        at = if version == 4 { start + length + 1 } else { at + (start - at + length + 8) / 8 * 8 };
    }
    let mut shared = None;
    while at < end {
        let size = word(at + 4)? as usize;
        if bytes.get(at..at + 4)? == b"link" {
            let id = bytes.get(at + 8..at + 8 + hash.min(size))?;
            let is_there = id.iter().any(|byte| *byte != 0);
            shared = is_there.then(|| id.iter().map(|byte| format!("{byte:02x}")).collect());
        } else if bytes.get(at)?.is_ascii_lowercase() {
            // An extension whose name begins with a small letter changes the meaning of the rest.
            return None;
        }
        at = at.checked_add(8)?.checked_add(size)?;
    }
    (at == end).then_some(shared)
}

/// Reads a number in the compressed form. Returns the number and the position after it.
fn offset(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let mut byte = *bytes.get(at)?;
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        at += 1;
        byte = *bytes.get(at)?;
        value = value.checked_add(1)?.checked_mul(128)? + usize::from(byte & 0x7f);
    }
    Some((value, at + 1))
}
