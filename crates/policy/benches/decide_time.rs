//! Prints the median, the 99th percentile and the maximum time of decisions on the published commands, and the
//! maximum for texts of 64 KiB. Run it with `scripts/run_bench.sh decide_time`.

use deputy_policy::{Situation, decide};
use deputy_protocol::{Access, Effect, Facts, Risk, ShellAccess};
use std::time::{Duration, Instant};

fn main() {
    let folder = std::env::temp_dir().join(format!("decide-time-{}", std::process::id()));
    if let Err(error) = std::fs::create_dir_all(&folder) {
        eprintln!("cannot make the folder {} to decide in: {error}", folder.display());
        return;
    }
    let situation =
        Situation { walls: true, ..Situation::new(folder.clone(), folder.clone(), folder.join("deputy")) };
    let time = |command: &str| {
        let access = Access::Shell(ShellAccess { command: command.to_owned() });
        let facts = Facts {
            effect: Effect::Mutating,
            accesses: vec![access],
            summary: String::new().into(),
            diff: None,
            plan: None,
            risk: Risk::Low,
        };
        let begun = Instant::now();
        std::hint::black_box(decide(&situation, &facts));
        begun.elapsed()
    };
    let commands: Vec<String> = include_str!("../tests/corpus/commands.open.jsonl")
        .lines()
        .filter_map(|line| {
            serde_json::from_str::<serde_json::Value>(line).ok()?.get("command")?.as_str().map(str::to_owned)
        })
        .collect();
    time("ls"); // The tables are read on first use.
    let mut times: Vec<Duration> =
        (0..20).flat_map(|_| commands.iter().map(|command| time(command))).collect();
    times.sort();
    let at = |share: f64| times.get(((times.len() - 1) as f64 * share) as usize).copied().unwrap_or_default();
    println!("{} decisions: median {:?}, p99 {:?}, longest {:?}", times.len(), at(0.5), at(0.99), at(1.0));
    for piece in ["a", "a|", "a b ", "$(", "'", "echo 'a'\n", "{a,b}", "<<A\n", "[", "x=1 ", "*"] {
        println!("64 KiB of {piece:?}: {:?}", time(&piece.repeat(65_536 / piece.len())));
    }
    println!("one word of 64 KiB: {:?}", time(&format!("echo {}", "a".repeat(65_000))));
    println!(
        "a here-document of 64 KiB: {:?}",
        time(&format!("cat > x <<'EOF'\n{}EOF\n", "print(1); x | y\n".repeat(4000)))
    );
    if let Err(error) = std::fs::remove_dir_all(&folder) {
        eprintln!("cannot remove {}: {error}", folder.display());
    }
}
