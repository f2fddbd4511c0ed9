//! Compares names as people and the least strict file systems do: ignores case, how letters are composed, ignorable
//! characters, trailing dots and blanks, and stream names. Use it only to protect something; comparisons that permit
//! something are exact.

use crate::unseen::is_unseen;
use std::path::{Component, Path};
use unicode_normalization::UnicodeNormalization as _;

/// Returns the text in lower case and normalized (NFKC). The result is equal for texts with the same letters, and for
/// names that some file system treats as equal. Letters that only look alike stay different.
pub(crate) fn text(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // The conversion to upper case unifies letters with two lower-case forms (`ſ` and `s`, the Kelvin sign and `k`).
    text.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect()
}

/// Whether `real` is the folder or is below it, comparing folded names.
pub(crate) fn is_below(real: &Path, folder: &Path) -> bool {
    let folded = |path: &Path| -> Vec<String> {
        path.components().map(|part| text(&part.as_os_str().to_string_lossy())).collect()
    };
    folded(real).starts_with(&folded(folder))
}

/// Returns `name` as seen by a file system that ignores case, ignorable characters, trailing dots and blanks, and
/// everything after a colon.
pub(super) fn name(name: &str) -> String {
    let seen: String = name.chars().filter(|&c| !is_unseen(c)).collect();
    let folded = text(&seen);
    let file = match folded.split_once(':') {
        Some((file, _)) if !file.is_empty() => file,
        _ => &folded,
    };
    file.trim_end_matches(|c: char| c == '.' || c.is_whitespace()).to_owned()
}

/// Returns the names of a path, each one folded.
pub(crate) fn path(path: &Path) -> Vec<String> {
    path.components()
        .filter_map(|component| match component {
            Component::Normal(part) => Some(name(&part.to_string_lossy())),
            _ => None,
        })
        .collect()
}

/// Whether `parts` is the place, or is below it. The place is written as `a/b/c` in folded form.
pub(super) fn is_at_or_below(parts: &[String], place: &str) -> bool {
    let mut parts = parts.iter();
    place.split('/').filter(|name| !name.is_empty()).all(|name| parts.next().is_some_and(|part| part == name))
}
