//! Detects text that a task read on one web origin and is about to write to another.
//!
//! Text is recognized by pieces that are rare enough to identify their source: tokens with digits, email addresses, two
//! capitalized words, or three words in a row. Single words are ignored because every page contains them. Encoded text
//! is not recognized. Text that the task wrote before reading it counts as its own, even if a page shows it again.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The maximum number of pieces remembered per origin, and of what the task wrote.
const MOST_PIECES: usize = 100_000;
/// The maximum number of remembered characters that were typed key by key.
const MOST_PRESSED: usize = 500;
/// The number of words in a row, and their minimum length in bytes, that do not match by chance.
const RUN: usize = 3;
const RUN_BYTES: usize = 12;
/// The minimum number of letters and digits of a number in groups (a card, account or phone number).
const GROUP_BYTES: usize = 6;

/// What a task has read, by origin, and what it has written.
#[derive(Default)]
pub(crate) struct Carried(Mutex<Known>);

#[derive(Default)]
struct Known {
    read: HashMap<String, HashSet<String>>,
    /// Addresses that pages contained. Following such a link reveals nothing except what that page put into it.
    links: HashSet<String>,
    written: HashSet<String>,
    /// Text that was typed key by key in all calls, by origin.
    pressed: HashMap<String, String>,
}

impl Known {
    fn is_read(&self, piece: &String) -> bool {
        self.read.values().any(|read| read.contains(piece))
    }
}

impl Carried {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that the model received a text from an origin.
    pub(crate) fn read(&self, origin: &str, text: &str) {
        let mut known = self.known();
        let Known { read, links, written, .. } = &mut *known;
        let of_origin = read.entry(origin.to_owned()).or_default();
        let room = MOST_PIECES.saturating_sub(of_origin.len());
        of_origin
            .extend(pieces(text, Side::Read).into_iter().filter(|piece| !written.contains(piece)).take(room));
        let room = MOST_PIECES.saturating_sub(links.len());
        links.extend(addresses(text).filter(|link| !written.contains(link)).take(room));
    }

    /// Records that the task wrote a text. Pieces that were read somewhere before still count as read.
    pub(crate) fn wrote(&self, text: &str) {
        let mut known = self.known();
        let room = MOST_PIECES.saturating_sub(known.written.len());
        let own: Vec<String> = pieces(text, Side::Written)
            .into_iter()
            .filter(|piece| !known.is_read(piece))
            .take(room)
            .collect();
        known.written.extend(own);
        // If a page echoes what was typed into it, the page is not the source of that address.
        known.written.extend(addresses(text).take(room));
    }

    /// Records that keys producing this text were pressed on a page of an origin.
    pub(crate) fn pressed(&self, origin: &str, text: &str) {
        // Forget text that a person already agreed to, so that the next key does not ask about it again.
        let typed = self.pressed_before(origin) + text;
        let is_asked = self.source(&typed, origin).is_some();
        let from = typed.char_indices().rev().nth(MOST_PRESSED).map_or(0, |(at, _)| at);
        let kept = if is_asked { String::new() } else { typed[from..].to_owned() };
        self.known().pressed.insert(origin.to_owned(), kept);
    }

    /// Returns the text typed key by key on an origin so far.
    pub(crate) fn pressed_before(&self, origin: &str) -> String {
        self.known().pressed.get(origin).cloned().unwrap_or_default()
    }

    /// Returns the origin where a text that is about to go to `to` was read. `None` if that is `to` or nowhere.
    pub(crate) fn source(&self, text: &str, to: &str) -> Option<String> {
        self.source_of(pieces(text, Side::Written), to)
    }

    /// Returns the origin where the data in an address was read. `None` if the data comes from the address's own origin
    /// or a page gave the whole address.
    pub(crate) fn source_of_address(&self, url: &str) -> Option<String> {
        if self.known().links.contains(&canonical(url)) {
            return None;
        }
        let to = deputy_policy::url::origin(url).unwrap_or_default();
        let mut taken = pieces(url.get(to.len()..).unwrap_or(url), Side::Written);
        // The host can carry data, too: `493771.evil.test`.
        taken.extend(to.split(['/', ':', '.']).filter(|label| is_rare(label)).map(str::to_owned));
        self.source_of(taken, &to)
    }

    fn source_of(&self, mut taken: HashSet<String>, to: &str) -> Option<String> {
        let known = self.known();
        let own = known.read.get(to);
        taken.retain(|piece| !known.written.contains(piece) && own.is_none_or(|own| !own.contains(piece)));
        let holds_one = |read: &HashSet<String>| taken.iter().any(|piece| read.contains(piece));
        let from = known.read.iter().filter(|(origin, read)| *origin != to && holds_one(read));
        // Choose the same origin each time, because the digest of a request includes it.
        from.map(|(origin, _)| origin).min().cloned()
    }
}

fn canonical(url: &str) -> String {
    deputy_policy::url::canonical(url).unwrap_or_else(|| url.to_owned())
}

/// Returns the web addresses in a text.
fn addresses(text: &str) -> impl Iterator<Item = String> {
    let ends = |c: char| c.is_whitespace() || "\"'<>()[]`".contains(c);
    let words = text.split(ends).filter(|word| word.starts_with("http://") || word.starts_with("https://"));
    words.map(canonical)
}

/// Whether a text was read, or is about to be written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Read,
    Written,
}

/// Returns the rare pieces of a text in lowercase, both literally and URL-decoded.
fn pieces(text: &str, side: Side) -> HashSet<String> {
    let mut found = HashSet::new();
    add_pieces(&mut found, text, side);
    let plain = unescaped(text);
    if plain != text {
        add_pieces(&mut found, &plain, side);
    }
    found
}

fn add_pieces(found: &mut HashSet<String>, text: &str, side: Side) {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let is_capitalized = |word: &str| word.chars().next().is_some_and(char::is_uppercase);

    for word in text.split(|c: char| c.is_whitespace() || "\"'<>()[]=&?,;:|/".contains(c)) {
        if word.len() > 5 && word.contains('@') {
            found.insert(word.trim_matches('.').to_lowercase());
        }
    }
    let has_digits = |word: &str| word.bytes().any(|byte| byte.is_ascii_digit());
    found.extend(lower.iter().filter(|word| is_rare(word)).cloned());
    let runs = lower.windows(RUN).map(|run| run.join(" "));
    found.extend(runs.filter(|run| run.len() >= RUN_BYTES));
    for (pair, spelled) in lower.windows(2).zip(words.windows(2)) {
        // Names are typed with and without capitals.
        if side == Side::Written || spelled.iter().all(|word| is_capitalized(word)) {
            found.insert(pair.join(" "));
        }
    }
    // Groups of a number, joined. Every prefix counts, because more text may follow.
    for start in 0..lower.len() {
        let mut group = String::new();
        for word in lower[start..].iter().take(8).take_while(|word| has_digits(word)) {
            group.push_str(word);
            if group.len() >= GROUP_BYTES && group.len() > word.len() {
                found.insert(group.clone());
            }
        }
    }
}

/// Returns whether a word is a number or code that is too long to be a year, a price or a page number.
fn is_rare(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    digits >= 5
        || word.len() >= 6 && digits > 0
        || digits == 4 && !matches!(word.parse(), Ok(1900..=2100_u32))
}

/// Decodes the text of an address: `a+b=c%20d` becomes `a b c d`.
fn unescaped(text: &str) -> String {
    let pairs = url::form_urlencoded::parse(text.as_bytes());
    pairs.flat_map(|(name, value)| [name, value]).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
