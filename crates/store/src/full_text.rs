//! Finds memories and passages that share words with a query.
//!
//! Rare words decide, by their weight (bm25); where all are common, the newest with any of them do. So the time it takes does not grow
//! with how much there is. How much each counts is the part of the query that it covers, each word weighed by how rare it is.

use crate::documents;
use crate::error::Fault;
use crate::memories;
use crate::recall::{BEST, Hit, Place};
use crate::rows;
use rusqlite::{Connection, params};
use std::collections::{HashMap, HashSet};

/// This many are looked at, because the same text is often remembered many times.
const CANDIDATES: usize = 50;
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

    /// Those that fit an expression best.
    fn best(self, conn: &Connection, expression: &str) -> Result<Vec<i64>, Fault> {
        match self {
            Self::Memories(place) => memories::best_with(conn, expression, place.workspace, CANDIDATES),
            Self::Passages(folders) => documents::best_with(conn, expression, folders, CANDIDATES),
        }
    }

    /// The newest that fit an expression.
    fn newest(self, conn: &Connection, expression: &str) -> Result<Vec<i64>, Fault> {
        match self {
            Self::Memories(place) => memories::newest_with(conn, expression, place.workspace, CANDIDATES),
            // Nothing of a document is newer than the rest.
            Self::Passages(folders) => documents::best_with(conn, expression, folders, CANDIDATES),
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
    let candidates = if words.is_empty() {
        Vec::new()
    } else if rare.is_empty() {
        texts.newest(conn, &words.join(" OR "))?
    } else {
        let rare: Vec<&str> = rare.iter().map(|(word, _)| *word).collect();
        texts.best(conn, &rare.join(" OR "))?
    };
    let mut covered: HashMap<i64, f64> = HashMap::new();
    for (_, holding) in &rare {
        for id in holding {
            *covered.entry(*id).or_default() += rarity(holding.len());
        }
    }
    let (mut said, mut hits) = (HashSet::new(), Vec::new());
    for memory in candidates {
        if said.insert(texts.text(conn, memory)?) {
            // What is found by common words alone covers next to nothing.
            let part = covered.get(&memory).map_or(0.1, |covered| (covered / whole).clamp(0.1, 1.0));
            hits.push(Hit { memory, weight: part });
        }
        if hits.len() == BEST {
            break;
        }
    }
    Ok(hits)
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
