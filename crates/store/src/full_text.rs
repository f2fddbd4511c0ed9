//! Finds memories and passages that share words with a query.
//!
//! Rare words decide: what counts is the part of the query that a text covers, each word weighed by how rare it is. Where all are
//! common, the newest with any of them come first. So the time it takes does not grow with how much there is.

use crate::documents::{self, Reachable};
use crate::error::Fault;
use crate::memories;
use crate::recall::{BEST, Hit, Place};
use crate::rows;
use rusqlite::{Connection, params};
use std::collections::{HashMap, HashSet};

/// This many are looked at: the same text is often remembered many times, and what is no person's stays in its folder.
const LOOKED_AT: usize = 1_000;
/// What a text counts at least.
const LEAST: f64 = 0.1;
/// More words than this make a query slower and not better.
const MOST_WORDS: usize = 32;
/// A word that more hold than this says little about any of them, and ranking by it takes time with each.
const COMMON: usize = 1_000;
/// Words are taken, the rarest first, until this many would have to be ranked.
const MOST_RANKED: usize = 4_000;

/// Where words are looked for, and for whom.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Texts<'a> {
    /// In memories that may go to a place.
    Memories(Place<'a>),
    /// In passages of documents below these folders, and of those for everywhere.
    Passages(&'a [String]),
}

impl Texts<'_> {
    /// Its index.
    fn index(self) -> &'static str {
        match self {
            Self::Memories(_) => "memories_text",
            Self::Passages(_) => "passages_text",
        }
    }

    /// About how many there are.
    fn total(self, conn: &Connection) -> Result<i64, Fault> {
        match self {
            Self::Memories(_) => memories::newest(conn),
            Self::Passages(_) => documents::newest(conn),
        }
    }

    /// The newest that hold a word.
    fn holding(self, conn: &Connection, word: &str, most: usize) -> Result<Vec<i64>, Fault> {
        let index = self.index();
        let sql = format!("SELECT rowid FROM {index} WHERE {index} MATCH ?1 ORDER BY rowid DESC LIMIT ?2");
        rows::all(conn, &sql, params![word, most as i64], |row| Ok(row.get(0)?))
    }

    /// The newest that hold any of the words.
    fn newest(self, conn: &Connection, words: &[String]) -> Result<Vec<i64>, Fault> {
        self.holding(conn, &words.join(" OR "), LOOKED_AT)
    }

    /// Whether it may be given to the task.
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

/// What shares words with the query, best first, each text once.
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
    // What is found by common words alone covers next to nothing.
    let least = |covered: f64| (covered / whole).clamp(LEAST, 1.0);
    let mut candidates: Vec<Hit> =
        covered.into_iter().map(|(memory, covered)| Hit { memory, weight: least(covered) }).collect();
    // Equally much: the newer first.
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

/// A full-text query for all of the words, the last as a prefix, because a person may still be typing it. `None` if
/// there are no words.
pub(crate) fn beginning(query: &str) -> Option<String> {
    let words = words(query);
    (!words.is_empty()).then(|| format!("{}*", words.join(" ")))
}

/// The query's words as quoted strings of the full-text index, each once, so that nothing in the query is ever read
/// as syntax.
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
