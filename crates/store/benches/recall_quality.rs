//! Measures the quality of recall on labeled questions: by words, by meaning, and by both. Run by
//! `scripts/recall_quality.py`.
//!
//! `recall_quality PASSAGES VECTORS QUESTIONS QUESTION_VECTORS DIMENSION`: files with one passage on each line; with
//! the language, the line of the passage and the question on each line; and with their vectors as little-endian 32-bit
//! floats.

#[expect(dead_code, reason = "other benches use the rest")]
mod costs;

use costs::task;
use deputy_protocol::*;
use deputy_store::{NewEmbedding, QueryVector, RecallQuery, Store};
use std::error::Error;

const MODEL: &str = "measured";
/// The number of memories of one task, and of one transaction.
const BATCH: usize = 1_000;
/// The number of results that count.
const BEST: usize = 10;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A search method.
#[derive(Clone, Copy)]
enum Way {
    Words,
    Meaning,
    Both,
}

/// A question and the line that answers it, from 0.
struct Asked {
    language: String,
    answer: usize,
    text: String,
    vector: Vec<f32>,
}

fn vectors(path: &str, dimension: usize) -> Outcome<Vec<Vec<f32>>> {
    let bytes = std::fs::read(path)?;
    let (numbers, _) = bytes.as_chunks();
    let numbers: Vec<f32> = numbers.iter().copied().map(f32::from_le_bytes).collect();
    Ok(numbers.chunks_exact(dimension).map(<[f32]>::to_vec).collect())
}

fn questions(path: &str, vectors: Vec<Vec<f32>>) -> Outcome<Vec<Asked>> {
    let text = std::fs::read_to_string(path)?;
    let asked = text.lines().zip(vectors).map(|(line, vector)| {
        let mut parts = line.splitn(3, '\t');
        let mut part = || parts.next().ok_or("a question has three parts");
        let (language, line, text) = (part()?, part()?, part()?);
        let answer = line.parse::<usize>()? - 1;
        Ok(Asked { language: language.to_owned(), answer, text: text.to_owned(), vector })
    });
    asked.collect()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [passages, passage_vectors, asked, question_vectors, dimension] = args.as_slice() else {
        return Err("recall_quality PASSAGES VECTORS QUESTIONS QUESTION_VECTORS DIMENSION".into());
    };
    let dimension = dimension.parse()?;
    let passages: Vec<String> = std::fs::read_to_string(passages)?.lines().map(str::to_owned).collect();
    let asked = questions(asked, vectors(question_vectors, dimension)?)?;
    let home = tempfile::tempdir()?;
    let store = Store::open(home.path())?;
    let mut made = vectors(passage_vectors, dimension)?;
    for from in (0..passages.len()).step_by(BATCH) {
        say(&store, from, &passages[from..passages.len().min(from + BATCH)]).await?;
    }
    let waiting = store.pending_embeddings(passages.len())?;
    // Newest first.
    let made = waiting.into_iter().map(|of| NewEmbedding { of, vector: made.pop().unwrap_or_default() });
    store.keep_embeddings(MODEL, dimension, made.collect()).await?;

    println!("| questions | way | nDCG@10 | recall@5 | recall@10 | first |");
    println!("|---|---|---|---|---|---|");
    let mut languages: Vec<&str> = vec!["all"];
    for asked in &asked {
        if !languages.contains(&asked.language.as_str()) {
            languages.push(&asked.language);
        }
    }
    for name in languages {
        let of: Vec<&Asked> = asked.iter().filter(|asked| name == "all" || asked.language == name).collect();
        for (way_name, way) in [("words", Way::Words), ("meaning", Way::Meaning), ("hybrid", Way::Both)] {
            let ranks: Vec<Option<usize>> =
                of.iter().map(|asked| rank(&store, &passages, asked, way)).collect::<Outcome<_>>()?;
            let part = |most: usize| {
                ranks.iter().flatten().filter(|rank| **rank < most).count() as f64 / ranks.len() as f64
            };
            // One passage answers each question, so the maximum is 1.
            let gain: f64 = ranks.iter().flatten().map(|rank| 1.0 / (*rank as f64 + 2.0).log2()).sum();
            let gain = gain / ranks.len() as f64;
            println!(
                "| {} {name} | {way_name} | {gain:.3} | {:.3} | {:.3} | {:.3} |",
                of.len(),
                part(5),
                part(BEST),
                part(1)
            );
        }
    }
    Ok(())
}

/// Creates a task whose user says these passages.
async fn say(store: &Store, from: usize, passages: &[String]) -> Outcome<()> {
    let mut events = vec![costs::created(from as u64, "/home/me/project")];
    if let (TaskEvent::Created(created), Some(first)) = (&mut events[0], passages.first()) {
        created.spec.goal.clone_from(first);
    }
    let more = passages
        .iter()
        .skip(1)
        .map(|text| TaskEvent::Steered(Steered { text: text.clone(), named: Vec::new() }));
    events.extend(more);
    store.append(&task(from as u64), 0, events).await?;
    Ok(())
}

/// Returns the rank of the passage that answers a question, from 0. `None` if it is not found.
fn rank(store: &Store, passages: &[String], asked: &Asked, way: Way) -> Outcome<Option<usize>> {
    let session = SessionId::new("another");
    let vector = QueryVector { model: MODEL.to_owned(), vector: asked.vector.clone() };
    if let Way::Meaning = way {
        // Events are numbered from 1, and each contains one memory.
        let near = store.nearest(&vector, BEST)?;
        return Ok(near.iter().position(|(memory, _)| *memory as usize == asked.answer + 1));
    }
    let query = RecallQuery {
        session: &session,
        workspace: "/home/me/project",
        text: &asked.text,
        vector: matches!(way, Way::Both).then_some(&vector),
        documents_in: &[],
        now_ms: 0,
        limit: BEST,
        budget_chars: usize::MAX,
        most_chars_each: 400,
    };
    let found = store.recall(&query)?.items;
    Ok(found.iter().position(|item| item.text == passages[asked.answer]))
}
