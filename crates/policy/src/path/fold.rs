//! Compares names in the way of the least strict file systems: ignores case, ignorable characters, trailing dots and
//! blanks, and stream names.

use crate::unseen::is_unseen;
use std::path::{Component, Path};

/// Returns `name` as seen by a file system that ignores case, ignorable characters, trailing dots and blanks, and
/// everything after a colon.
pub(super) fn name(name: &str) -> String {
    let seen = name.chars().filter(|&c| !is_unseen(c));
    let folded: String = if name.is_ascii() {
        seen.map(|c| c.to_ascii_lowercase()).collect()
    } else {
        // The conversion to upper case unifies letters with two lower-case forms (`ſ` and `s`, the Kelvin sign and
        // `k`).
        seen.flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
    };
    let file = match folded.split_once(':') {
        Some((file, _)) if !file.is_empty() => file,
        _ => &folded,
    };
    file.trim_end_matches(|c: char| c == '.' || c.is_whitespace()).to_owned()
}

/// Returns the names of a path, each one folded.
pub(super) fn path(path: &Path) -> Vec<String> {
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
