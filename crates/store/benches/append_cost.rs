//! Measures the cost of the journal as it grows: prints the median and the 99th percentile of appending, recalling and
//! opening.
//!
//! Usage: `scripts/run_bench.sh append_cost [FOLDER]`, with a folder on the disk to measure.

mod costs;

use costs::{created, figures, finished, task, text};
use deputy_protocol::*;
use deputy_store::{RecallQuery, Store};
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

const TASKS: u64 = 1_000;
const SAMPLES: u64 = 500;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let parent = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let home = tempfile::tempdir_in(parent)?;
    let mut store = Store::open(home.path())?;
    for number in 0..TASKS {
        store.append(&task(number), 0, vec![created(number, "/home/me/project")]).await?;
    }
    for size in [1_000, 10_000, 100_000] {
        let mut seq = store.last_seq()?;
        while seq < size {
            let events = (seq..size.min(seq + 100)).map(finished).collect();
            store.append(&task(seq / 100 % TASKS), 0, events).await?;
            seq = store.last_seq()?;
        }
        let mut appends = Vec::new();
        let mut recalls = Vec::new();
        for sample in 0..SAMPLES {
            let began = Instant::now();
            store.append(&task(sample), 0, vec![finished(seq + sample)]).await?;
            appends.push(began.elapsed());
            let query = format!("please look for {}", text(sample * 7, 24));
            let began = Instant::now();
            store.recall(&words(&SessionId::new(format!("s{sample}")), &query))?;
            recalls.push(began.elapsed());
        }
        drop(store);
        let began = Instant::now();
        store = Store::open(home.path())?;
        let opening = began.elapsed();
        let (append, recall) = (figures(appends), figures(recalls));
        println!("{size:>7} events: append {append}, recall {recall}, open {opening:.2?}");
    }
    Ok(())
}

/// Returns the query of a task with a long goal.
fn words<'a>(session: &'a SessionId, text: &'a str) -> RecallQuery<'a> {
    RecallQuery {
        session,
        workspace: "/w",
        text,
        vector: None,
        documents_in: &[],
        now_ms: 0,
        limit: 30,
        budget_chars: usize::MAX,
        most_chars_each: usize::MAX,
    }
}
