//! Finds files with the same content: by size, then by the beginning, and only then by the whole content.

use super::sniff::{HEAD, open_file};
use super::{FileId, Scan, ScanError, ScanPhase, ScanProgress, Watch};
use crate::parallel;
use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of bytes to read at once.
const BLOCK: usize = 256 * 1024;

/// Returns groups of files with the same content, each sorted by path. Hard links to a file count as one file.
pub(super) fn find(scan: &Scan, watch: &Watch<'_>) -> Result<Vec<Vec<FileId>>, ScanError> {
    let mut groups = alike(scan);
    let long: Vec<FileId> = groups
        .iter()
        .flatten()
        .copied()
        .filter(|id| scan.files[*id as usize].size_bytes > HEAD as u64)
        .collect();
    let whole = digests(scan, &long, watch)?;
    let mut same = Vec::new();
    for group in groups.drain(..) {
        if scan.files[group[0] as usize].size_bytes <= HEAD as u64 {
            same.push(group);
            continue;
        }
        let mut by_digest: HashMap<[u8; 32], Vec<FileId>> = HashMap::new();
        for id in group {
            if let Some(digest) = whole.get(&id) {
                by_digest.entry(*digest).or_default().push(id);
            }
        }
        same.extend(by_digest.into_values().filter(|group| group.len() > 1));
    }
    same.sort();
    Ok(same)
}

/// Returns groups of files with equal size and beginning.
fn alike(scan: &Scan) -> Vec<Vec<FileId>> {
    // Sort instead of using a map: most sizes and beginnings are unique, and a list for each would cost more than the
    // scan.
    let mut sizes: Vec<(u64, FileId)> =
        (0_u32..).zip(&scan.files).map(|(id, file)| (file.size_bytes, id)).collect();
    sizes.sort_unstable();
    let mut groups = Vec::new();
    for run in sizes.chunk_by(|one, other| one.0 == other.0).filter(|run| run.len() > 1 && run[0].0 > 0) {
        let head = |id: &FileId| &scan.files[*id as usize].head;
        let is_comparable = |id: &FileId| {
            let file = &scan.files[*id as usize];
            !file.is_sparse || file.size_bytes <= HEAD as u64
        };
        let mut ids: Vec<FileId> = run.iter().map(|(_, id)| *id).filter(is_comparable).collect();
        ids.sort_unstable_by(|one, other| (head(one), one).cmp(&(head(other), other)));
        for same in ids.chunk_by(|one, other| head(one) == head(other)).filter(|same| same.len() > 1) {
            let mut seen = HashSet::new();
            let is_first_name = |id: &&FileId| seen.insert(scan.files[**id as usize].identity);
            let group: Vec<FileId> = same.iter().filter(is_first_name).copied().collect();
            if group.len() > 1 {
                groups.push(group);
            }
        }
    }
    groups
}

/// Returns the digests of whole files. Files that cannot be read or that change in the meantime have none.
fn digests(scan: &Scan, ids: &[FileId], watch: &Watch<'_>) -> Result<HashMap<FileId, [u8; 32]>, ScanError> {
    let done = AtomicUsize::new(0);
    let is_cancelled = || (watch.is_cancelled)();
    let found = parallel::each(ids.len(), |index| {
        let id = ids[index];
        let digest = digest(&scan.path(id), scan.files[id as usize].size_bytes, &is_cancelled);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        (watch.progress)(ScanProgress { phase: ScanPhase::Comparing, done, total: Some(ids.len()) });
        Some((id, digest?))
    });
    if is_cancelled() {
        return Err(ScanError::Cancelled);
    }
    Ok(found.into_iter().flatten().collect())
}

fn digest(path: &Path, size_bytes: u64, is_cancelled: &dyn Fn() -> bool) -> Option<[u8; 32]> {
    let mut file = open_file(path).ok()?;
    let mut hasher = blake3::Hasher::new();
    let mut block = vec![0; BLOCK];
    let mut read = 0;
    loop {
        let count = file.read(&mut block).ok()?;
        if count == 0 {
            break;
        }
        read += count as u64;
        if is_cancelled() || read > size_bytes {
            return None;
        }
        hasher.update(&block[..count]);
    }
    (read == size_bytes).then(|| *hasher.finalize().as_bytes())
}
