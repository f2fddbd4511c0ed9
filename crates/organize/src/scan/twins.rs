//! Finds archives next to the folder that they were extracted to.

use super::{FileId, FileKind, Scan};
use crate::names::split;
use std::path::{Component, Path, PathBuf};

/// The maximum number of archives to open.
const MOST_ARCHIVES: usize = 1_000;

/// An archive and the folder that contains everything in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twin {
    /// The archive.
    pub archive: FileId,
    /// The folder.
    pub folder: PathBuf,
}

/// Finds archives whose files all exist, with equal sizes, in a folder next to the archive. The folder has the name of
/// the archive or is the single top folder in it. Supports only ZIP, because other formats must be read completely to
/// list them.
pub(super) fn find(scan: &Scan) -> Vec<Twin> {
    let is_archive = |id: &FileId| scan.files[*id as usize].kind == FileKind::Archive;
    let ids = (0_u32..).take(scan.files.len());
    let archives = ids.filter(is_archive).take(MOST_ARCHIVES);
    archives.filter_map(|archive| Some(Twin { archive, folder: twin_of(&scan.path(archive))? })).collect()
}

fn twin_of(archive: &Path) -> Option<PathBuf> {
    let parent = archive.parent()?;
    let (stem, _) = split(archive.file_name()?.to_str()?);
    let entries = entries(archive)?;
    let top = entries.first()?.0.components().next()?;
    let has_one_top = entries
        .iter()
        .all(|(path, _)| path.components().count() > 1 && path.components().next() == Some(top));
    // If the archive contains a single top folder, look next to the archive first, otherwise in a folder with the name
    // of the archive.
    let mut places = vec![parent.join(stem)];
    if has_one_top {
        places.insert(0, parent.to_owned());
    }
    let place = places.into_iter().find(|place| holds(place, &entries))?;
    Some(if has_one_top { place.join(top) } else { place })
}

fn holds(place: &Path, entries: &[(PathBuf, u64)]) -> bool {
    entries.iter().all(|(path, size)| {
        let found = place.join(path).symlink_metadata();
        found.is_ok_and(|found| found.is_file() && found.len() == *size)
    })
}

/// Returns the files in an archive and their sizes. `None` if a path leads outside of the archive.
fn entries(archive: &Path) -> Option<Vec<(PathBuf, u64)>> {
    let file = super::open_file(archive).ok()?;
    let mut archive = crate::archive::open(&file)?;
    let mut found = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).ok()?;
        if entry.is_dir() {
            continue;
        }
        let path = PathBuf::from(entry.name().ok()?.into_owned());
        if !path.components().all(|part| matches!(part, Component::Normal(_))) {
            return None;
        }
        found.push((path, entry.size()));
    }
    (!found.is_empty()).then_some(found)
}
