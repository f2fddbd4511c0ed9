//! Names compared the way the most careless file system would: letter case, ignorable letters, tails and the names of
//! streams do not count.

use crate::unseen::is_unseen;
use std::path::{Component, Path};

/// `name` as a file system sees it that ignores letter case, ignorable letters, trailing dots and blanks, and what
/// follows a colon.
pub(super) fn name(name: &str) -> String {
    let seen = name.chars().filter(|&c| !is_unseen(c));
    let folded: String = if name.is_ascii() {
        seen.map(|c| c.to_ascii_lowercase()).collect()
    } else {
        // By way of upper case, so that letters with two lower-case forms (`ſ` and `s`, the Kelvin sign and `k`) meet.
        seen.flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
    };
    let file = match folded.split_once(':') {
        Some((file, _)) if !file.is_empty() => file,
        _ => &folded,
    };
    file.trim_end_matches(|c: char| c == '.' || c.is_whitespace()).to_owned()
}

/// Each name of a path, folded.
pub(super) fn path(path: &Path) -> Vec<String> {
    path.components()
        .filter_map(|component| match component {
            Component::Normal(part) => Some(name(&part.to_string_lossy())),
            _ => None,
        })
        .collect()
}

/// Whether the place, written as `a/b/c` in folded form, is `parts` or a folder above.
pub(super) fn is_at_or_below(parts: &[String], place: &str) -> bool {
    let mut parts = parts.iter();
    place.split('/').filter(|name| !name.is_empty()).all(|name| parts.next().is_some_and(|part| part == name))
}
