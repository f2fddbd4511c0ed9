//! Naming conventions: the case of words, the separator between them, and the position of the date.

use crate::names::{fit, legal, split};
use crate::scan::dates_in;
use deputy_messages::Phrase;
use deputy_messages::organize as say;
use jiff::civil::Date;
use unicode_normalization::UnicodeNormalization;

/// A naming convention. Its pattern is an example of itself, such as `yyyy-mm-dd_lower_case` or `Title Case`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Convention {
    /// The case of words.
    pub case: Case,
    /// The separator between words.
    pub separator: Separator,
    /// Whether the date comes first, if the file has one. Otherwise the date stays where it is.
    pub date_first: bool,
}

/// The case of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Case {
    /// `lower case`.
    Lower,
    /// `Title Case`.
    Title,
    /// `UPPER CASE`.
    Upper,
}

/// The separator between words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Separator {
    /// `-`
    Dash,
    /// `_`
    Underscore,
    /// A space.
    Space,
}

/// A text that is not the pattern of a convention.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct NoConvention(pub String);

impl NoConvention {
    /// Returns the message for people.
    pub fn phrase(&self) -> Phrase {
        say::no_convention(format!("{:?}", self.0))
    }
}

deputy_messages::said_by_phrase!(NoConvention);

const DATE: &str = "yyyy-mm-dd";

impl Case {
    pub(super) const ALL: [Self; 3] = [Self::Lower, Self::Title, Self::Upper];

    fn example(self) -> [&'static str; 2] {
        match self {
            Self::Lower => ["lower", "case"],
            Self::Title => ["Title", "Case"],
            Self::Upper => ["UPPER", "CASE"],
        }
    }

    fn write(self, word: &str) -> String {
        /// The maximum length of an abbreviation. Longer words in capitals are just emphasized.
        const LONGEST_ABBREVIATION: usize = 4;
        match self {
            Self::Lower => word.to_lowercase(),
            Self::Upper => word.to_uppercase(),
            Self::Title => {
                let is_abbreviation = word.chars().all(|letter| !letter.is_lowercase())
                    && word.chars().count() <= LONGEST_ABBREVIATION;
                let mut letters = word.chars();
                match letters.next() {
                    Some(first) if !is_abbreviation => {
                        // A letter can become several in upper case. Only the first is a capital.
                        let mut capital = first.to_uppercase();
                        let first: String = capital.by_ref().take(1).collect();
                        let rest = capital.collect::<String>() + letters.as_str();
                        first + &rest.to_lowercase()
                    }
                    _ => word.to_owned(),
                }
            }
        }
    }
}

impl Separator {
    pub(super) const ALL: [Self; 3] = [Self::Dash, Self::Underscore, Self::Space];

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Dash => "-",
            Self::Underscore => "_",
            Self::Space => " ",
        }
    }
}

/// Returns whether a character separates words. This includes characters that some systems do not allow in names.
fn is_gap(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control() || " _-.,+()[]{}<>:\"/\\|?*~".contains(letter)
}

impl Convention {
    /// Parses a pattern.
    pub fn parse(pattern: &str) -> Result<Self, NoConvention> {
        let conventions = [true, false].into_iter().flat_map(|date_first| {
            Case::ALL.into_iter().flat_map(move |case| {
                Separator::ALL.into_iter().map(move |separator| Self { case, separator, date_first })
            })
        });
        let mut known = conventions.filter(|convention| convention.pattern() == pattern.trim());
        known.next().ok_or_else(|| NoConvention(pattern.to_owned()))
    }

    /// Returns the pattern of the convention.
    pub fn pattern(&self) -> String {
        let separator = self.separator.text();
        let words = self.case.example().join(separator);
        if self.date_first { format!("{DATE}{separator}{words}") } else { words }
    }

    /// Describes the convention for people.
    pub fn description(&self) -> Phrase {
        let case = match self.case {
            Case::Lower => "lower",
            Case::Title => "title",
            Case::Upper => "upper",
        };
        let separator = match self.separator {
            Separator::Dash => "dash",
            Separator::Underscore => "underscore",
            Separator::Space => "space",
        };
        let words = say::convention(case, separator);
        if self.date_first { say::date_first(words) } else { words }
    }

    /// Returns an example name and the result of applying the convention to it.
    pub fn example(&self) -> (&'static str, String) {
        const NAME: &str = "Invoice 12.04.2026 Acme.PDF";
        (NAME, self.apply(NAME, None))
    }

    /// Applies the convention to a name. The extension is unchanged, and the result is never empty or illegal on any
    /// system. `date` is the date in the file's content, for a name without one.
    pub fn apply(&self, name: &str, date: Option<Date>) -> String {
        let (stem, ending) = split(name);
        let stem: String = stem.nfc().collect();
        let (dates, words) = words_of(&stem);
        let mut written: Vec<String> = Vec::new();
        let first = if self.date_first { dates.first().copied().or(date) } else { None };
        written.extend(first.map(|date| date.to_string()));
        for word in words {
            match word {
                Word::Date(date) if Some(date) == first => {}
                Word::Date(date) => written.push(date.to_string()),
                Word::Text(text) => written.push(self.case.write(text)),
            }
        }
        let separator = self.separator.text();
        if written.is_empty() || name.starts_with('.') {
            return legal(name);
        }
        let mut text = written.join(separator);
        // If the name is too long, remove the last words. A single word is cut.
        while written.len() > 1 && text.len() + ending.len() > 255 {
            written.pop();
            text = written.join(separator);
        }
        legal(&fit(&text, "", ending))
    }
}

enum Word<'a> {
    Date(Date),
    Text(&'a str),
}

/// Returns the words of a stem in order, and the dates among them.
fn words_of(stem: &str) -> (Vec<Date>, Vec<Word<'_>>) {
    let mut dates = Vec::new();
    let mut words = Vec::new();
    let mut from = 0;
    for (place, date) in dates_in(stem) {
        words.extend(texts(&stem[from..place.start]));
        words.push(Word::Date(date));
        dates.push(date);
        from = place.end;
    }
    words.extend(texts(&stem[from..]));
    (dates, words)
}

fn texts(part: &str) -> impl Iterator<Item = Word<'_>> {
    part.split(is_gap).filter(|word| !word.is_empty()).map(Word::Text)
}

/// Returns the number of words in a stem, without dates.
pub(super) fn count_words(stem: &str) -> usize {
    words_of(stem).1.iter().filter(|word| matches!(word, Word::Text(_))).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn applied(pattern: &str, name: &str) -> String {
        Convention::parse(pattern).unwrap().apply(name, None)
    }

    #[test]
    fn names_are_written_as_the_pattern_shows() {
        for (pattern, name, written) in [
            ("lower-case", "Report final FINAL.pdf", "report-final-final.pdf"),
            ("lower_case", "Report (1).pdf", "report_1.pdf"),
            ("Title Case", "CV draft_v2.docx", "CV Draft V2.docx"),
            ("UPPER_CASE", "zähler märz.txt", "ZÄHLER_MÄRZ.txt"),
            (
                "yyyy-mm-dd_lower_case",
                "Rechnung 12.04.2026 Brellmoor.pdf",
                "2026-04-12_rechnung_brellmoor.pdf",
            ),
            ("lower-case", "Rechnung 12.04.2026 Brellmoor.pdf", "rechnung-2026-04-12-brellmoor.pdf"),
            ("yyyy-mm-dd lower case", "20260711.jpg", "2026-07-11.jpg"),
            ("lower-case", "Urlaub 🌊 2026.JPG", "urlaub-🌊-2026.JPG"),
            ("lower-case", "___.txt", "___.txt"),
            ("lower-case", "backup.tar.gz", "backup.tar.gz"),
            ("lower-case", "CON.txt", "con_.txt"),
            ("lower-case", ".Hidden Name", ".Hidden Name"),
            ("UPPER-CASE", "what? who: me*.txt", "WHAT-WHO-ME.txt"),
        ] {
            assert_eq!(applied(pattern, name), written, "{pattern}: {name}");
        }
    }

    #[test]
    fn a_date_of_the_content_comes_first_only_where_the_name_has_none() {
        let convention = Convention::parse("yyyy-mm-dd-lower-case").unwrap();
        let date = Some(jiff::civil::date(2025, 1, 2));
        assert_eq!(convention.apply("Letter.docx", date), "2025-01-02-letter.docx");
        assert_eq!(convention.apply("Letter 2024-05-06.docx", date), "2024-05-06-letter.docx");
        assert_eq!(convention.apply("Letter.docx", None), "letter.docx");
    }

    /// Regression test: applying the convention a second time used to change the name again.
    #[test]
    fn a_letter_that_becomes_several_is_one_capital() {
        let convention = Convention::parse("Title Case").unwrap();
        for (name, written) in [("ßa.txt", "Ssa.txt"), ("ᾀὟ", "Ἀιὗ")] {
            assert_eq!(convention.apply(name, None), written);
            assert_eq!(convention.apply(written, None), written);
        }
    }

    #[test]
    fn every_pattern_is_read_back_and_others_are_refused() {
        for date_first in [false, true] {
            for case in Case::ALL {
                for separator in Separator::ALL {
                    let convention = Convention { case, separator, date_first };
                    assert_eq!(Convention::parse(&convention.pattern()), Ok(convention));
                }
            }
        }
        for text in ["", "camelCase", "lower-case_", "yyyy-mm-dd"] {
            assert!(Convention::parse(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn written_once_a_name_stays_legal_and_keeps_its_ending(
            name in "\\PC{1,30}|[A-Za-z0-9 ._()-]{1,300}|[0-9]{2,4}[-. ][0-9]{2}[-. ][0-9]{2,4}[ a-z]{0,5}",
            case in 0_usize..3, separator in 0_usize..3, date_first: bool,
        ) {
            prop_assume!(name != "." && name != ".." && !name.contains('/'));
            let convention = Convention { case: Case::ALL[case], separator: Separator::ALL[separator], date_first };
            let once = convention.apply(&name, None);
            prop_assert!(!once.is_empty() && once.len() <= 255);
            prop_assert_eq!(&legal(&once), &once);
            prop_assert_eq!(convention.apply(&once, None), once.clone());
            let (_, ending) = split(&name);
            if legal(&name) == name {
                prop_assert!(once.ends_with(ending), "{:?} lost {:?}", once, ending);
            }
        }
    }
}
