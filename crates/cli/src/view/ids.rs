//! Ids as people read and type them: the shortest unambiguous prefix, as in git.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

/// Fewest characters that are shown: the letter of the kind and four more.
const FEWEST: usize = 5;

/// Whether lines are for a program, which gets whole ids.
static FOR_PROGRAMS: AtomicBool = AtomicBool::new(false);

/// Ids are not shortened, and need not be known.
pub(crate) fn keep_whole() {
    FOR_PROGRAMS.store(true, Ordering::Relaxed);
}

/// Whether ids are shortened.
pub(crate) fn are_shortened() -> bool {
    !FOR_PROGRAMS.load(Ordering::Relaxed)
}

/// The ids of this home that the command has come across.
static KNOWN: RwLock<BTreeSet<String>> = RwLock::new(BTreeSet::new());

/// Remembers ids, so that lines for people show them short.
pub(crate) fn know<I: ToString>(ids: impl IntoIterator<Item = I>) {
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    known.extend(ids.into_iter().map(|id| id.to_string()));
}

/// A line for people, in which ids that are known are short. Ids inside of paths stay whole.
pub(super) fn shortened(text: &str) -> Cow<'_, str> {
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    if known.is_empty() || !are_shortened() { Cow::Borrowed(text) } else { shortened_by(&known, text) }
}

fn shortened_by<'a>(known: &BTreeSet<String>, text: &'a str) -> Cow<'a, str> {
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut is_changed, mut before) = (text, false, None);
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            // The letter that ends a color code belongs to no word.
            '\u{1b}' => rest.find('m').map_or(rest.len(), |at| at + 1),
            letter if letter.is_ascii_alphanumeric() => {
                rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len())
            }
            letter => letter.len_utf8(),
        };
        let (word, after) = rest.split_at(taken);
        let short = match known.contains(word) && !is_in_path(before, after) {
            true => &word[..shortest(known, word)],
            false => word,
        };
        is_changed |= short.len() < word.len();
        out.push_str(short);
        if first != '\u{1b}' {
            before = word.chars().next_back();
        }
        rest = after;
    }
    if is_changed { Cow::Owned(out) } else { Cow::Borrowed(text) }
}

fn is_in_path(before: Option<char>, after: &str) -> bool {
    let mut next = after.chars();
    match next.next() {
        Some('/') => true,
        Some('.') => next.next().is_some_and(char::is_alphanumeric),
        _ => matches!(before, Some('/' | '.' | '-' | '_')),
    }
}

/// The length of the shortest prefix that no other id has. In sorted order, only the neighbors need to be compared.
fn shortest(known: &BTreeSet<String>, id: &str) -> usize {
    let shared = |other: Option<&String>| {
        other.map_or(0, |other| id.bytes().zip(other.bytes()).take_while(|(one, two)| one == two).count())
    };
    let before = known.range::<str, _>((Bound::Unbounded, Bound::Excluded(id))).next_back();
    let after = known.range::<str, _>((Bound::Excluded(id), Bound::Unbounded)).next();
    let least = shared(before).max(shared(after)) + 1;
    least.max(FEWEST).min(id.len())
}

/// The id that a person typed in full or as a prefix. A prefix of none is returned as it is, for the host to refuse; a
/// prefix of several is an error that names two of them.
pub(crate) fn named(ids: &[String], typed: &str) -> Result<String, (String, String)> {
    if typed.is_empty() || ids.iter().any(|id| id == typed) {
        return Ok(typed.to_owned());
    }
    let mut found = ids.iter().filter(|id| id.starts_with(typed));
    match (found.next(), found.next()) {
        (Some(one), Some(other)) => Err((one.clone(), other.clone())),
        (Some(one), None) => Ok(one.clone()),
        (None, _) => Ok(typed.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(known: &[&str], text: &str) -> String {
        let known = known.iter().map(|id| (*id).to_owned()).collect();
        shortened_by(&known, text).into_owned()
    }

    #[test]
    fn ids_are_as_short_as_they_can_be_and_never_shorter_than_five() {
        let known = ["t7k3m9q2xab", "t7k3m9qzzzz", "tabcdefghjk", "j7k3m9q2xab"];
        for (text, shown) in [
            ("tabcdefghjk  now", "tabcd  now"),
            ("`deputy undo t7k3m9q2xab`.", "`deputy undo t7k3m9q2`."),
            ("t7k3m9qzzzz", "t7k3m9qz"),
            ("t7k3m9q2xab-3-1 (j7k3m9q2xab)", "t7k3m9q2-3-1 (j7k3m)"),
            ("\u{1b}[2mtabcdefghjk\u{1b}[0m", "\u{1b}[2mtabcd\u{1b}[0m"),
            ("It is tabcdefghjk.", "It is tabcd."),
            ("/home/x/jobs/j7k3m9q2xab.jsonl", "/home/x/jobs/j7k3m9q2xab.jsonl"),
            ("runs/tabcdefghjk/log", "runs/tabcdefghjk/log"),
            ("tabcdefghjkl and ztabcdefghjk", "tabcdefghjkl and ztabcdefghjk"),
        ] {
            assert_eq!(short(&known, text), shown, "{text}");
        }
    }

    #[test]
    fn what_is_shown_names_the_same_id_again() {
        let ids: Vec<String> =
            ["t7k3m9q2xab", "t7k3m9qzzzz", "t7k3m", "tabcdefghjk"].map(str::to_owned).to_vec();
        let known: BTreeSet<String> = ids.iter().cloned().collect();
        for id in &ids {
            let shown = shortened_by(&known, id).into_owned();
            assert_eq!(named(&ids, &shown).as_ref(), Ok(id), "{shown}");
        }
        assert!(named(&ids, "t7k3m9q").is_err());
        assert_eq!(named(&ids, "zz"), Ok("zz".to_owned()));
    }
}
