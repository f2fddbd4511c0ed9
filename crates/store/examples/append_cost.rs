//! What the journal costs as it grows: prints median and 99th percentile of appending, recalling and opening.
//!
//! `cargo run --release -p deputy-store --example append_cost [FOLDER]`, the folder being on the disk that is meant.

use deputy_protocol::*;
use deputy_store::Store;
use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const TASKS: u64 = 1_000;
const SAMPLES: u64 = 500;
const WORDS: [&str; 12] = [
    "invoice",
    "garden",
    "photograph",
    "budget",
    "chapter",
    "engine",
    "holiday",
    "recipe",
    "contract",
    "museum",
    "bicycle",
    "letter",
];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let parent = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let home = tempfile::tempdir_in(parent)?;
    let mut store = Store::open(home.path())?;
    for number in 0..TASKS {
        store.append(&task(number), 0, vec![created(number)]).await?;
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
            store.recall(&SessionId::new(format!("s{sample}")), &query, 30)?;
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

fn figures(mut times: Vec<Duration>) -> String {
    times.sort();
    format!("median {:.2?} p99 {:.2?}", times[times.len() / 2], times[times.len() * 99 / 100])
}

fn task(number: u64) -> TaskId {
    TaskId::new(format!("t{number}"))
}

fn created(number: u64) -> TaskEvent {
    let spec = TaskSpec {
        id: task(number),
        session: SessionId::new(format!("s{number}")),
        goal: text(number, 12),
        profile: "general".to_owned(),
        backend: "offline".to_owned(),
        workspace: "/home/me/project".to_owned(),
        scope: Scope::default(),
        limits: Limits::default(),
        standing_consent: None,
    };
    TaskEvent::Created(Created { spec })
}

fn finished(number: u64) -> TaskEvent {
    let result = ToolResult::new(CallStatus::Ok, text(number, 80));
    TaskEvent::ToolFinished(ToolFinished { call: CallId::new(format!("c{number}")), result, duration_ms: 5 })
}

/// Some words, each number's own: common ones and rare ones, as in what tools give back.
fn text(number: u64, words: u64) -> String {
    let word = |place: u64| {
        let mixed = (number * 31 + place).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        match place % 4 {
            0 => WORDS[mixed as usize % WORDS.len()].to_owned(),
            1 => "the".to_owned(),
            _ => format!("number{}", mixed % 20_000),
        }
    };
    (0..words).map(word).collect::<Vec<_>>().join(" ")
}
