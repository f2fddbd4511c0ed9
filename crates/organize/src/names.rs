//! Names of files: which are the same on some system, which are legal on every one, and the next free one.

use std::path::Path;
use unicode_normalization::UnicodeNormalization;

/// Longest name in bytes on Linux, and in UTF-16 units elsewhere.
const LONGEST: usize = 255;

/// What Windows keeps for devices, whatever ending follows.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Two names with the same fold are one name on some system: case and the composition of letters do not count.
pub fn fold(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    // Case folding is lower case of upper case, so that `ß` and `ẞ` or `ς` and `σ` meet; then composed.
    let folded: String = name.nfd().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
    folded.nfc().collect()
}

/// A name as its stem and its ending with the dot; a leading dot begins no ending.
pub fn split(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(0) | None => (name, ""),
        Some(dot) => {
            let stem = &name[..dot];
            // `backup.tar.gz` is an archive, not a `gz` called `backup.tar`.
            let dot =
                if stem.to_ascii_lowercase().ends_with(".tar") && stem.len() > 4 { dot - 4 } else { dot };
            name.split_at(dot)
        }
    }
}

/// The name itself where every system takes it, else the nearest one that all do. Never empty.
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

/// The name with a number before its ending, as in `report (2).pdf`.
pub fn numbered(name: &str, number: u32) -> String {
    let (stem, ending) = split(name);
    fit(stem, &format!(" ({number})"), ending)
}

/// The name under which something waits until its own is free.
pub(crate) fn waiting(number: usize) -> String {
    format!(".deputy-{number}.waiting")
}

/// Whether something waits there.
pub(crate) fn is_waiting(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with(".deputy-") && name.ends_with(".waiting")
}

/// Whether a letter is not shown, or turns round how others are: a name with one can pretend to be another.
pub(crate) fn is_hidden(letter: char) -> bool {
    matches!(letter, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Puts a name together, with as much of the stem as fits.
pub(crate) fn fit(stem: &str, middle: &str, ending: &str) -> String {
    // An ending that leaves no room for a stem is none.
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
