//! Measures the cost of listing memories as they grow: prints the median and the 99th percentile of pages, searches,
//! edits and forgetting.
//!
//! Usage: `scripts/run_bench.sh memory_cost [FOLDER]`, with a folder on the disk to measure.

mod costs;

use costs::{created, figures, finished, task, text};
use deputy_protocol::*;
use deputy_store::Store;
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

const TASKS: u64 = 200;
const SAMPLES: u64 = 200;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let parent = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let home = tempfile::tempdir_in(parent)?;
    let store = Store::open(home.path())?;
    for number in 0..TASKS {
        store
            .append(&task(number), 0, vec![created(number, &format!("/home/me/project{}", number % 20))])
            .await?;
    }
    for size in [1_000, 10_000, 100_000] {
        let mut seq = store.last_seq()?;
        while seq < size {
            let events = (seq..size.min(seq + 100)).map(finished).collect();
            store.append(&task(seq / 100 % TASKS), 0, events).await?;
            seq = store.last_seq()?;
        }
        println!("{size} memories");
        let all = MemoriesQuery {
            search: None,
            task: None,
            workspace: None,
            only_kept: false,
            best: false,
            before: None,
            limit: 50,
        };
        let search = |words: &str| MemoriesQuery { search: Some(words.to_owned()), ..all.clone() };
        let folder = Some("/home/me/project7".to_owned());
        for (name, query) in [
            ("a page", all.clone()),
            ("a page of a task", MemoriesQuery { task: Some(task(7)), ..all.clone() }),
            ("a page of a folder", MemoriesQuery { workspace: folder.clone(), ..all.clone() }),
            ("a rare word", search("number4321")),
            ("a word that all hold", search("the")),
            ("two common words", search("invoice garden")),
            ("the beginning of very many words", search("n")),
            ("a common word in a folder", MemoriesQuery { workspace: folder, ..search("the") }),
            ("a common word nowhere", MemoriesQuery { workspace: Some("/none".to_owned()), ..search("the") }),
        ] {
            let mut times = Vec::new();
            for _ in 0..SAMPLES {
                let began = Instant::now();
                store.memories(&query)?;
                times.push(began.elapsed());
            }
            println!("  {name}: {}", figures(times));
        }
        let (mut edits, mut forgets, mut restores) = (Vec::new(), Vec::new(), Vec::new());
        for sample in 0..SAMPLES {
            let memory = TASKS + 1 + sample * 3;
            let began = Instant::now();
            store.edit_memory(memory, &text(seq + sample, 40), 1).await?;
            edits.push(began.elapsed());
            let began = Instant::now();
            store.forget_memory(memory, 1).await?;
            forgets.push(began.elapsed());
            let began = Instant::now();
            store.restore_memory(memory, 1).await?;
            restores.push(began.elapsed());
        }
        println!("  edit: {}, forget: {}, restore: {}", figures(edits), figures(forgets), figures(restores));
    }
    Ok(())
}
