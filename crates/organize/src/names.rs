//! File names: which are equal on some system, which are legal on every system, and how to number them.

use std::path::Path;
use unicode_normalization::UnicodeNormalization;

/// The maximum length of a name, in bytes on Linux and in UTF-16 units elsewhere.
const LONGEST: usize = 255;

/// The maximum length of what counts as an ending, without its dot.
const LONGEST_ENDING: usize = 10;

/// Names that Windows reserves for devices, with any extension.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Returns the case-folded and composed form of a name. Two names with the same fold are the same name on some system.
pub fn fold(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    // Case folding maps to upper case and then to lower case, so that `ß` and `ẞ` or `ς` and `σ` become equal. Then the
    // result is composed.
    let folded: String = name.nfd().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
    folded.nfc().collect()
}

/// Splits a name into its stem and its extension with the dot. A leading dot does not begin an extension.
pub fn split(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(0) | None => (name, ""),
        Some(dot) => {
            let stem = &name[..dot];
            // `backup.tar.gz` has the extension `.tar.gz`, not `.gz`.
            let dot =
                if stem.to_ascii_lowercase().ends_with(".tar") && stem.len() > 4 { dot - 4 } else { dot };
            name.split_at(dot)
        }
    }
}

/// Returns whether the second part of a split name tells the type of a file. What follows the dot of `v1.2 final` or of
/// `Dr. No` does not.
pub(crate) fn is_ending(ending: &str) -> bool {
    let rest = ending.strip_prefix('.').unwrap_or_default();
    (1..=LONGEST_ENDING).contains(&rest.len())
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.')
        && rest.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// Returns the name itself if it is legal on every system, or else a similar name that is. Never empty.
pub fn legal(name: &str) -> String {
    let harmless = |letter: char| match letter {
        '<' | '>' | ':' | '"' | '/' | '\\' | '|' | '?' | '*' => '_',
        letter if letter.is_control() || is_hidden(letter) => '_',
        letter => letter,
    };
    let name: String = name.nfc().map(harmless).collect();
    let name = name.trim_end_matches(['.', ' ']).trim_start_matches(' ');
    let name = if name.is_empty() { "_".to_owned() } else { name.to_owned() };
    let (stem, ending) = match name.find('.') {
        Some(dot) if dot > 0 => name.split_at(dot),
        _ => (name.as_str(), ""),
    };
    let name = if is_device(stem) { format!("{stem}_{ending}") } else { name };
    let (stem, ending) = split(&name);
    fit(stem, "", ending)
}

fn is_device(stem: &str) -> bool {
    let stem = stem.trim_end().to_ascii_lowercase();
    let numbered = |word: &str| {
        stem.strip_prefix(word).is_some_and(|rest| {
            let mut letters = rest.chars();
            let first = letters.next();
            letters.next().is_none() && first.is_some_and(|c| c.is_ascii_digit() || "¹²³".contains(c))
        })
    };
    DEVICES.contains(&stem.as_str()) || numbered("com") || numbered("lpt")
}

/// Returns the name with a number before its extension, as in `report (2).pdf`.
pub fn numbered(name: &str, number: u32) -> String {
    let (stem, ending) = split(name);
    fit(stem, &format!(" ({number})"), ending)
}

/// Returns the temporary name for an entry that waits for its own name to become free.
pub(crate) fn waiting(number: usize) -> String {
    format!(".deputy-{number}.waiting")
}

/// Returns whether the path is a temporary name of a waiting entry.
pub(crate) fn is_waiting(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with(".deputy-") && name.ends_with(".waiting")
}

/// Returns whether a character is invisible or changes the direction of text. A name with such a character can look
/// like another.
pub(crate) fn is_hidden(letter: char) -> bool {
    matches!(letter, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Builds a name from its parts, shortening the stem if needed.
pub(crate) fn fit(stem: &str, middle: &str, ending: &str) -> String {
    // An extension that leaves no room for a stem does not count as one.
    if ending.len() + middle.len() >= LONGEST {
        return fit(&format!("{stem}{ending}"), middle, "");
    }
    let room = LONGEST - middle.len() - ending.len();
    let mut end = stem.len().min(room);
    while !stem.is_char_boundary(end) {
        end -= 1;
    }
    let stem = if end < stem.len() { stem[..end].trim_end_matches(['.', ' ']) } else { stem };
    format!("{stem}{middle}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_that_meet_on_some_system_have_one_fold() {
        for (one, other) in [("A.TXT", "a.txt"), ("Ä", "a\u{308}"), ("STRASSE", "straße"), ("ΟΔΟΣ", "οδος")]
        {
            assert_eq!(fold(one), fold(other), "{one} {other}");
        }
        assert_ne!(fold("a.txt"), fold("a.text"));
    }

    #[test]
    fn illegal_names_become_the_nearest_legal_ones() {
        for (given, legal_name) in [
            ("a:b?.txt", "a_b_.txt"),
            ("con", "con_"),
            ("NUL.tar.gz", "NUL_.tar.gz"),
            ("com1.txt", "com1_.txt"),
            ("lpt10", "lpt10"),
            ("end. ", "end"),
            ("...", "_"),
            ("a\nb", "a_b"),
            ("invoice\u{202e}fdp.exe", "invoice_fdp.exe"),
            (".profile", ".profile"),
            ("-rf", "-rf"),
            ("Urlaub 🌊", "Urlaub 🌊"),
        ] {
            assert_eq!(legal(given), legal_name);
        }
    }

    #[test]
    fn a_number_comes_before_the_ending_and_the_name_stays_short_enough() {
        assert_eq!(numbered("report.pdf", 2), "report (2).pdf");
        assert_eq!(numbered("a.tar.gz", 3), "a (3).tar.gz");
        assert_eq!(numbered(".bashrc", 2), ".bashrc (2)");
        let long = format!("{}.pdf", "é".repeat(125));
        assert!(numbered(&long, 2).len() <= LONGEST && numbered(&long, 2).ends_with(" (2).pdf"));
    }

    proptest! {
        #[test]
        fn what_is_legal_stays_as_it_is(name in "\\PC{1,40}|[a-z.: ]{1,300}") {
            let once = legal(&name);
            prop_assert_eq!(legal(&once), once.clone());
            prop_assert!(!once.is_empty() && once.len() <= LONGEST && !once.contains('/'));
        }
    }
}
