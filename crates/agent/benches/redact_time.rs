//! Prints how long it takes to redact files.
//!
//! Usage: `scripts/run_bench.sh redact_time FILE...`

use std::time::{Duration, Instant};

fn main() {
    for file in std::env::args_os().skip(1) {
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("cannot read {}: {error}", file.display());
                continue;
            }
        };
        let time = || {
            let begun = Instant::now();
            std::hint::black_box(deputy_agent::without_secrets(&text));
            begun.elapsed()
        };
        let best = (0..10).map(|_| time()).min().unwrap_or(Duration::ZERO);
        println!("{}: {} bytes, best of 10: {best:?}", file.display(), text.len());
    }
}
