//! Measures the cost of recall as memories grow, and what it misses: prints a row of a table for each size.
//!
//! Usage: `scripts/run_bench.sh recall_cost TEXTS VECTORS DIMENSION SIZE...`, with one text on each line, and their
//! vectors as little-endian 32-bit floats (written by `scripts/embed_lines.py`). The last 200 texts are the queries. If
//! a size is larger than the number of texts, additional memories are combined from two texts and their vectors, with
//! different weights.

#[expect(dead_code, reason = "other benches use the rest")]
mod costs;

use costs::task;
use deputy_protocol::*;
use deputy_store::{NewEmbedding, QueryVector, RecallQuery, Store};
use std::error::Error;
use std::time::{Duration, Instant};

const QUERIES: usize = 200;
const MODEL: &str = "measured";
/// The number of memories of one task, and of one transaction.
const BATCH: usize = 1_000;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Texts with their vectors, in any number.
struct Corpus {
    texts: Vec<String>,
    vectors: Vec<Vec<f32>>,
}

impl Corpus {
    fn read(texts: &str, vectors: &str, dimension: usize) -> Outcome<Self> {
        let bytes = std::fs::read(vectors)?;
        let (numbers, _) = bytes.as_chunks();
        let numbers: Vec<f32> = numbers.iter().copied().map(f32::from_le_bytes).collect();
        let vectors: Vec<Vec<f32>> = numbers.chunks_exact(dimension).map(<[f32]>::to_vec).collect();
        let texts = std::fs::read_to_string(texts)?.lines().take(vectors.len()).map(str::to_owned).collect();
        Ok(Self { texts, vectors })
    }

    fn real(&self) -> usize {
        self.vectors.len() - QUERIES
    }

    /// Returns the memory with a number.
    fn memory(&self, number: usize) -> (String, Vec<f32>) {
        let real = self.real();
        let (round, first) = (number / real, number % real);
        if round == 0 {
            return (self.texts[first].clone(), self.vectors[first].clone());
        }
        // Another partner in each round, at a large distance in the list.
        let other = (first * 7_919 + round * 104_729) % real;
        let mixed = self.vectors[first].iter().zip(&self.vectors[other]).map(|(a, b)| 0.7 * a + 0.3 * b);
        let text = format!("{} {} {number}", self.texts[first], self.texts[other]);
        (text.chars().take(500).collect(), normalized(mixed.collect()))
    }

    /// Returns a query: a text that is not one of the memories.
    fn query(&self, number: usize) -> (&str, &[f32]) {
        (&self.texts[self.real() + number], &self.vectors[self.real() + number])
    }
}

fn normalized(vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    vector.into_iter().map(|number| number / length).collect()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [texts, vectors, dimension, sizes @ ..] = args.as_slice() else {
        return Err("recall_cost TEXTS VECTORS DIMENSION SIZE...".into());
    };
    let dimension = dimension.parse()?;
    let corpus = Corpus::read(texts, vectors, dimension)?;
    let home = tempfile::tempdir()?;
    let store = Store::open(home.path())?;
    println!(
        "| memories | hybrid p50 | p99 | recall@10 | words alone p50 | p99 | first search | memory | said/s | kept/s |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut there = 0;
    for size in sizes {
        let size: usize = size.parse()?;
        let (mut saying, mut keeping) = (Duration::ZERO, Duration::ZERO);
        let added = size - there;
        while there < size {
            let count = BATCH.min(size - there);
            let begun = Instant::now();
            say(&store, &corpus, there, count).await?;
            saying += begun.elapsed();
            let waiting = store.pending_embeddings(count)?;
            // Newest first.
            let numbers = (there..there + count).rev();
            let made = waiting.into_iter().zip(numbers);
            let made =
                made.map(|(of, number)| NewEmbedding { of, vector: corpus.memory(number).1 }).collect();
            let begun = Instant::now();
            store.keep_embeddings(MODEL, dimension, made).await?;
            keeping += begun.elapsed();
            there += count;
        }
        let begun = Instant::now();
        recall(&store, corpus.query(0), true)?;
        let first = begun.elapsed();
        let (mut hybrid, mut words, mut found) = (Vec::new(), Vec::new(), 0);
        for number in 0..QUERIES {
            let query = corpus.query(number);
            let begun = Instant::now();
            recall(&store, query, true)?;
            hybrid.push(begun.elapsed());
            let begun = Instant::now();
            recall(&store, query, false)?;
            words.push(begun.elapsed());
            if number % 4 == 0 {
                found += missed(&store, &corpus, size, query)?;
            }
        }
        println!(
            "| {size} | {} | {} | {:.3} | {} | {} | {} | {} MB | {:.0} | {:.0} |",
            at(&mut hybrid, 50),
            at(&mut hybrid, 99),
            found as f64 / (QUERIES / 4 * 10) as f64,
            at(&mut words, 50),
            at(&mut words, 99),
            milliseconds(first),
            resident_mb()?,
            added as f64 / saying.as_secs_f64(),
            added as f64 / keeping.as_secs_f64(),
        );
    }
    Ok(())
}

/// Creates a task whose user says the next memories.
async fn say(store: &Store, corpus: &Corpus, from: usize, count: usize) -> Outcome<()> {
    let id = task(from as u64);
    let mut events = vec![costs::created(from as u64, "/home/me/project")];
    if let TaskEvent::Created(created) = &mut events[0] {
        created.spec.goal = corpus.memory(from).0;
    }
    let more = (from + 1..from + count)
        .map(|number| TaskEvent::Steered(Steered { text: corpus.memory(number).0, named: Vec::new() }));
    events.extend(more);
    store.append(&id, 0, events).await?;
    Ok(())
}

fn recall(store: &Store, (text, vector): (&str, &[f32]), by_meaning: bool) -> Outcome<Vec<String>> {
    let session = SessionId::new("another");
    let vector = QueryVector { model: MODEL.to_owned(), vector: vector.to_vec() };
    let query = RecallQuery {
        session: &session,
        workspace: "/home/me/project",
        text,
        vector: by_meaning.then_some(&vector),
        documents_in: &[],
        now_ms: 0,
        limit: 20,
        budget_chars: 6_000,
        most_chars_each: 400,
    };
    Ok(store.recall(&query)?.items.into_iter().map(|item| item.text).collect())
}

/// Returns how many of the ten nearest, by exact comparison, a search by meaning finds in its first ten.
fn missed(store: &Store, corpus: &Corpus, size: usize, (_, query): (&str, &[f32])) -> Outcome<usize> {
    let cosine = |vector: &[f32]| vector.iter().zip(query).map(|(a, b)| a * b).sum::<f32>();
    let mut all: Vec<(f32, usize)> =
        (0..size).map(|number| (cosine(&corpus.memory(number).1), number)).collect();
    all.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let near = store.nearest(&QueryVector { model: MODEL.to_owned(), vector: query.to_vec() }, 10)?;
    // Events are numbered from 1, and each contains one memory.
    let near: Vec<usize> = near.into_iter().map(|(memory, _)| memory as usize - 1).collect();
    Ok(all.iter().take(10).filter(|(_, number)| near.contains(number)).count())
}

fn at(times: &mut [Duration], percent: usize) -> String {
    times.sort();
    milliseconds(times[(times.len() * percent / 100).min(times.len() - 1)])
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

fn resident_mb() -> Outcome<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm")?;
    Ok(pages.split(' ').nth(1).ok_or("statm")?.parse::<u64>()? * 4 / 1024)
}
