//! Suggests naming conventions, based on statistics of the existing names.

mod convention;

pub use convention::{Case, Convention, NoConvention, Separator};

use crate::names::split;
use crate::scan::{Scan, date_in_name};
use convention::count_words;
use deputy_messages::Phrase;
use std::collections::BTreeSet;

/// The number of suggestions.
pub const SUGGESTIONS: usize = 3;

/// The fraction of names with a date from which dates are part of the convention.
const DATED_SHARE: f64 = 0.15;

/// A suggested convention.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Suggestion {
    /// The description for people.
    pub description: Phrase,
    /// An existing name and its new form.
    pub example: Example,
    /// The pattern to select it by.
    pub pattern: String,
    /// The confidence from 0 to 1, based on the existing names.
    pub confidence: f64,
    /// The number of files whose names already follow it.
    pub matches: usize,
    /// The number of files that were considered.
    pub files: usize,
}

/// A name before and after.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Example {
    /// The current name.
    pub before: String,
    /// The new name.
    pub after: String,
}

/// Suggests three conventions for the files of a scan, best first.
pub fn suggest(scan: &Scan) -> Vec<Suggestion> {
    suggest_for(&scan.files.iter().map(|file| &*file.name).collect::<Vec<_>>())
}

/// Suggests three conventions for some names, best first. Empty if there are no names.
pub fn suggest_for(names: &[&str]) -> Vec<Suggestion> {
    if names.is_empty() {
        return Vec::new();
    }
    let votes = Votes::count(names);
    let mut ranked: Vec<(f64, Convention)> = votes.conventions().collect();
    // Sort equal confidences in a fixed order, so that the same names always yield the same suggestions.
    ranked.sort_by(|(one, first), (other, second)| other.total_cmp(one).then(first.cmp(second)));
    // Choose suggestions with different separators, so that they are neither too different nor too similar.
    let mut chosen: Vec<(f64, Convention)> = Vec::new();
    let mut separators = BTreeSet::new();
    for (confidence, convention) in &ranked {
        if chosen.len() < SUGGESTIONS && separators.insert(convention.separator) {
            chosen.push((*confidence, *convention));
        }
    }
    chosen.into_iter().map(|(confidence, convention)| suggestion(names, confidence, convention)).collect()
}

fn suggestion(names: &[&str], confidence: f64, convention: Convention) -> Suggestion {
    let written = || names.iter().map(|name| (*name, convention.apply(name, None)));
    let matches = written().filter(|(before, after)| before == after).count();
    // Use the name that changes most as the example.
    let change = |before: &str, after: &str| {
        let length = before.chars().count().min(40);
        (before != after, date_in_name(before).is_some() == convention.date_first, length)
    };
    let example = written().max_by_key(|(before, after)| change(before, after));
    let (before, after) = example.unwrap_or_default();
    Suggestion {
        description: convention.description(),
        example: Example { before: before.to_owned(), after },
        pattern: convention.pattern(),
        confidence: (confidence * 100.0).round() / 100.0,
        matches,
        files: names.len(),
    }
}

/// The statistics of the names.
struct Votes {
    cases: [f64; 3],
    separators: [f64; 3],
    is_dated: bool,
}

impl Votes {
    fn count(names: &[&str]) -> Self {
        // Start each count at one, so that a single name does not decide everything.
        let (mut cases, mut separators) = ([1.0; 3], [1.0; 3]);
        let mut dated = 0_usize;
        for name in names {
            let (stem, _) = split(name);
            dated += usize::from(date_in_name(stem).is_some());
            if let Some(case) = case_of(stem) {
                cases[case] += 1.0;
            }
            // A single word has no separator.
            if count_words(stem) > 1 {
                for (votes, separator) in separators.iter_mut().zip(Separator::ALL) {
                    *votes += if stem.contains(separator.text()) { 1.0 } else { 0.0 };
                }
            }
        }
        let shares = |votes: [f64; 3]| votes.map(|vote| vote / votes.iter().sum::<f64>());
        let is_dated = dated as f64 >= DATED_SHARE * names.len() as f64;
        Self { cases: shares(cases), separators: shares(separators), is_dated }
    }

    fn conventions(&self) -> impl Iterator<Item = (f64, Convention)> + '_ {
        let cases = Case::ALL.into_iter().zip(self.cases);
        cases.flat_map(move |(case, for_case)| {
            let separators = Separator::ALL.into_iter().zip(self.separators);
            separators.map(move |(separator, for_separator)| {
                let convention = Convention { case, separator, date_first: self.is_dated };
                ((for_case * for_separator).sqrt(), convention)
            })
        })
    }
}

/// Returns the index in [`Case::ALL`] of the case of a stem. `None` if it is mixed.
fn case_of(stem: &str) -> Option<usize> {
    let words = || stem.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty());
    let has_lower = stem.chars().any(char::is_lowercase);
    let has_upper = stem.chars().any(char::is_uppercase);
    match (has_lower, has_upper) {
        (true, false) => Some(0),
        (false, true) => Some(2),
        (true, true) => words().all(|word| word.starts_with(char::is_uppercase)).then_some(1),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(names: &[&str]) -> Vec<String> {
        suggest_for(names).into_iter().map(|suggestion| suggestion.pattern).collect()
    }

    #[test]
    fn what_most_names_do_comes_first() {
        let names = ["tax_return_2024.pdf", "letter_to_bank.pdf", "water_bill.pdf", "My Notes.txt"];
        let found = suggest_for(&names);
        assert_eq!(found.len(), SUGGESTIONS);
        assert_eq!(found[0].pattern, "lower_case");
        assert_eq!((found[0].matches, found[0].files), (3, 4));
        assert!(found[0].confidence > found[1].confidence && found[0].confidence <= 1.0);
        assert_eq!(found[0].example, Example { before: "My Notes.txt".into(), after: "my_notes.txt".into() });
    }

    #[test]
    fn dates_come_first_where_many_names_have_one() {
        let names = ["2026-01-05 invoice.pdf", "12.04.2026 rechnung.pdf", "notes of today.txt"];
        assert_eq!(patterns(&names)[0], "yyyy-mm-dd lower case");
    }

    #[test]
    fn no_names_give_no_suggestions_and_one_gives_three() {
        assert!(patterns(&[]).is_empty());
        assert_eq!(patterns(&["x"]).len(), SUGGESTIONS);
    }
}
