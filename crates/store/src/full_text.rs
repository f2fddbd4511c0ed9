//! Finds memories and passages that share words with a query.
//!
//! Rare words decide: the score is the share of the query that a text covers, with each word weighted by its rarity. If
//! all words are common, the newest texts with any of them come first. The time therefore does not grow with the number
//! of texts.

use crate::documents::{self, Reachable};
use crate::error::Fault;
use crate::memories;
use crate::recall::{BEST, Hit, Place};
use crate::rows;
use rusqlite::{Connection, params};
use std::collections::{HashMap, HashSet};

/// The maximum number of candidates that are examined. The same text is often stored many times, and text that is not
/// by a person stays in its folder.
const LOOKED_AT: usize = 1_000;
/// The minimum weight of a text.
const LEAST: f64 = 0.1;
/// The maximum number of words. More make a query slower but not better.
const MOST_WORDS: usize = 32;
/// The number of texts from which a word counts as common. A common word says little, and ranking by it takes time for
/// each text.
const COMMON: usize = 1_000;
/// Words are used, the rarest first, until this many texts would have to be ranked.
const MOST_RANKED: usize = 4_000;

/// The texts to search.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Texts<'a> {
    /// Memories that may be used in a place.
    Memories(Place<'a>),
    /// Passages of documents below these folders, and of documents that are available everywhere.
    Passages(&'a [String]),
}

impl Texts<'_> {
    /// Returns the name of the index.
    fn index(self) -> &'static str {
        match self {
            Self::Memories(_) => "memories_text",
            Self::Passages(_) => "passages_text",
        }
    }

    /// Returns the approximate number of texts.
    fn total(self, conn: &Connection) -> Result<i64, Fault> {
        match self {
            Self::Memories(_) => memories::newest(conn),
            Self::Passages(_) => documents::newest(conn),
        }
    }

    /// Returns the newest texts that contain a word.
    fn holding(self, conn: &Connection, word: &str, most: usize) -> Result<Vec<i64>, Fault> {
        let index = self.index();
        let sql = format!("SELECT rowid FROM {index} WHERE {index} MATCH ?1 ORDER BY rowid DESC LIMIT ?2");
        rows::all(conn, &sql, params![word, most as i64], |row| Ok(row.get(0)?))
    }

    /// Returns the newest texts that contain any of the words.
    fn newest(self, conn: &Connection, words: &[String]) -> Result<Vec<i64>, Fault> {
        self.holding(conn, &words.join(" OR "), LOOKED_AT)
    }

    /// Returns whether the task may use a text.
    fn may_be_given(self, conn: &Connection, id: i64, reachable: &mut Reachable<'_>) -> Result<bool, Fault> {
        match self {
            Self::Memories(place) => memories::may_go(conn, id, place.workspace),
            Self::Passages(_) => reachable.holds(conn, id),
        }
    }

    fn text(self, conn: &Connection, id: i64) -> Result<Option<String>, Fault> {
        match self {
            Self::Memories(_) => memories::text_of(conn, id),
            Self::Passages(_) => documents::text_of(conn, id),
        }
    }
}

/// Returns the texts that share words with the query, best first, each text once.
pub(crate) fn full_text(conn: &Connection, texts: Texts<'_>, query: &str) -> Result<Vec<Hit>, Fault> {
    let words = words(query);
    let total = texts.total(conn)?.max(1) as f64;
    let rarity = |count: usize| (1.0 + total / (count as f64 + 1.0)).ln();
    let (mut rare, mut whole) = (Vec::new(), 0.0);
    for word in &words {
        let holding = texts.holding(conn, word, COMMON + 1)?;
        whole += rarity(holding.len());
        if (1..=COMMON).contains(&holding.len()) {
            rare.push((word.as_str(), holding));
        }
    }
    rare.sort_by(|(one, ones), (other, others)| ones.len().cmp(&others.len()).then(one.cmp(other)));
    let mut ranked = 0;
    rare.retain(|(_, holding)| {
        ranked += holding.len();
        ranked <= MOST_RANKED
    });
    let mut covered: HashMap<i64, f64> = HashMap::new();
    for (_, holding) in &rare {
        for id in holding {
            *covered.entry(*id).or_default() += rarity(holding.len());
        }
    }
    // A text that is only found by common words covers almost nothing.
    let least = |covered: f64| (covered / whole).clamp(LEAST, 1.0);
    let mut candidates: Vec<Hit> =
        covered.into_iter().map(|(memory, covered)| Hit { memory, weight: least(covered) }).collect();
    // With equal weights, the newer text comes first.
    candidates.sort_by(|one, other| other.weight.total_cmp(&one.weight).then(other.memory.cmp(&one.memory)));
    if candidates.is_empty() && !words.is_empty() {
        let newest = texts.newest(conn, &words)?;
        candidates.extend(newest.into_iter().map(|memory| Hit { memory, weight: LEAST }));
    }
    let folders = if let Texts::Passages(folders) = texts { folders } else { &[] };
    let (mut reachable, mut said, mut hits) = (Reachable::of(folders), HashSet::new(), Vec::new());
    for hit in candidates.into_iter().take(LOOKED_AT) {
        if texts.may_be_given(conn, hit.memory, &mut reachable)? && said.insert(texts.text(conn, hit.memory)?)
        {
            hits.push(hit);
        }
        if hits.len() == BEST {
            break;
        }
    }
    Ok(hits)
}

/// Returns a full-text query for all of the words, the last as a prefix, because a person may still be typing it.
/// `None` if there are no words.
pub(crate) fn beginning(query: &str) -> Option<String> {
    let words = words(query);
    (!words.is_empty()).then(|| format!("{}*", words.join(" ")))
}

/// Returns the query's words as quoted strings for the full-text index, each once, so that nothing in the query is
/// parsed as syntax.
pub(crate) fn words(query: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in query.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let word = format!("\"{}\"", word.to_lowercase());
        if !words.contains(&word) {
            words.push(word);
        }
        if words.len() == MOST_WORDS {
            break;
        }
    }
    words
}
