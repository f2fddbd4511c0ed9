//! Finds names that differ only in what people and programs add to copies and versions, such as `report (1)` and
//! `report final v2`.

use super::{FileId, ScannedFile};
use crate::names::{fold, split};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};

/// The additions that were removed from a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Marks {
    /// The number of words and numbers that mark a copy.
    pub copy: u32,
    /// The number of words and numbers that mark a version.
    pub version: u32,
}

/// Words that mark a copy, in several languages.
const COPY_WORDS: [&str; 9] =
    ["copy", "kopie", "copie", "copia", "kopia", "cópia", "duplicate", "duplikat", "kopi"];

/// Words between a leading copy word and the name, as in `Copy of report`.
const COPY_LINKS: [&str; 5] = ["of", "von", "de", "di", "af"];

/// Words that mark a version.
const VERSION_WORDS: [&str; 14] = [
    "final", "finale", "draft", "entwurf", "old", "alt", "new", "neu", "latest", "last", "rev", "version",
    "fixed", "backup",
];

/// Returns the part of a stem that its copies and versions share, and the additions that were removed.
pub fn core_of(stem: &str) -> (String, Marks) {
    let stem = fold(stem);
    let mut marks = Marks::default();
    let is_gap = |letter: char| letter.is_whitespace() || matches!(letter, '_' | '-' | '.' | ',' | '~');
    let mut words: Vec<&str> = stem.split(is_gap).filter(|word| !word.is_empty()).collect();
    if words.len() > 2 && COPY_WORDS.contains(&words[0]) && COPY_LINKS.contains(&words[1]) {
        words.drain(..2);
        marks.copy += 1;
    }
    let mut end = words.len();
    while end > 1 {
        let word = words[end - 1];
        // The number of a copy, as in `copy 2`.
        let is_counted = end > 2 && is_number(word) && COPY_WORDS.contains(&words[end - 2]);
        if COPY_WORDS.contains(&word) || in_brackets(word) {
            marks.copy += 1;
        } else if is_counted {
            // It is removed together with its word, which follows.
        } else if VERSION_WORDS.contains(&word) || is_version(word) {
            marks.version += 1;
        } else {
            break;
        }
        end -= 1;
    }
    // Browsers append their number without a gap.
    let mut core = words[..end].join(" ");
    if let Some(open) = core.rfind('(').filter(|open| *open > 0 && in_brackets(&core[*open..])) {
        core.truncate(open);
        marks.copy += 1;
    }
    (core.trim_end().to_owned(), marks)
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.len() <= 3 && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn in_brackets(word: &str) -> bool {
    let inner = word.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner.is_some_and(|inner| is_number(inner) || COPY_WORDS.contains(&inner))
}

fn is_version(word: &str) -> bool {
    let number =
        word.strip_prefix("version").or_else(|| word.strip_prefix("rev")).or_else(|| word.strip_prefix('v'));
    number.is_some_and(is_number) || word.strip_prefix("final").is_some_and(is_number)
}

/// Returns groups of files with the same core name and the same extension.
pub(super) fn find(files: &[ScannedFile]) -> Vec<Vec<FileId>> {
    // Most names are unique, so compute the core twice instead of storing it for every name.
    let hasher = RandomState::new();
    let about = |file: &ScannedFile| {
        let (stem, ending) = split(&file.name);
        let (core, marks) = core_of(stem);
        ((core, fold(ending)), marks != Marks::default())
    };
    let mut hashes: Vec<(u64, FileId)> =
        (0_u32..).zip(files).map(|(id, file)| (hasher.hash_one(about(file).0), id)).collect();
    hashes.sort_unstable();
    let mut groups: BTreeMap<(String, String), (bool, Vec<FileId>)> = BTreeMap::new();
    for run in hashes.chunk_by(|one, other| one.0 == other.0).filter(|run| run.len() > 1) {
        for (_, id) in run {
            let (about, is_marked) = about(&files[*id as usize]);
            let (has_marked, group) = groups.entry(about).or_default();
            *has_marked |= is_marked;
            group.push(*id);
        }
    }
    let near = groups.into_values().filter(|(is_marked, group)| *is_marked && group.len() > 1);
    near.map(|(_, group)| group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_and_versions_share_what_they_are_about() {
        let core = |stem| core_of(stem).0;
        for name in [
            "report (1)",
            "Report final FINAL",
            "report copy",
            "report copy 2",
            "Copy of Report",
            "report - Kopie",
            "report_v2",
            "REPORT final v2",
            "report(3)",
            "report (copy)",
            "Kopie von report",
            "report - draft",
        ] {
            assert_eq!(core(name), "report", "{name}");
        }
        for (name, same) in
            [("copy", "copy"), ("final", "final"), ("IMG_4711", "img 4711"), ("v2", "v2"), ("", "")]
        {
            assert_eq!(core(name), same);
        }
    }

    #[test]
    fn what_was_taken_off_is_counted() {
        assert_eq!(core_of("report").1, Marks { copy: 0, version: 0 });
        assert_eq!(core_of("report (1)").1, Marks { copy: 1, version: 0 });
        assert_eq!(core_of("report final v2").1, Marks { copy: 0, version: 2 });
    }
}
