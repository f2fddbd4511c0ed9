//! Finds the name that a mistyped one may mean.

use super::folder_at;
use rustix::fs::{Dir, FileType};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

/// The maximum number of names that are compared.
const MOST_NAMES: usize = 2_000;
/// How alike two names must be, from 0 to 1, without their endings: three letters of five.
const LEAST: f64 = 0.6;
/// The length from which names can be alike, in letters.
const SHORTEST: usize = 3;

/// Returns the name in a folder that is most like a missing one, among those that may be shown.
pub(super) fn name(
    folder: &Path,
    missing: &OsStr,
    may_show: impl Fn(&Path, FileType) -> bool,
) -> Option<OsString> {
    let wanted = without_ending(missing);
    if wanted.chars().count() < SHORTEST {
        return None;
    }
    let mut alike: Vec<(f64, OsString)> = Dir::read_from(folder_at(folder).ok()?)
        .ok()?
        .flatten()
        .take(MOST_NAMES)
        .map(|entry| {
            let name = OsString::from_vec(entry.file_name().to_bytes().to_vec());
            (strsim::normalized_damerau_levenshtein(&wanted, &without_ending(&name)), name)
        })
        .filter(|(likeness, name)| *likeness >= LEAST && name != "." && name != "..")
        .collect();
    alike.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut names = alike.into_iter().map(|(_, name)| name);
    names.find(|name| {
        let real = folder.join(name);
        real.symlink_metadata().is_ok_and(|meta| may_show(&real, kind(&meta)))
    })
}

fn kind(meta: &std::fs::Metadata) -> FileType {
    if meta.is_dir() { FileType::Directory } else { FileType::RegularFile }
}

fn without_ending(name: &OsStr) -> String {
    Path::new(name).file_stem().unwrap_or(name).to_string_lossy().to_lowercase()
}
