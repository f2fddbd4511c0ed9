//! Helpers of the benchmarks: a synthetic journal, and statistics of durations.

use deputy_protocol::*;
use std::time::Duration;

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

/// Formats the median and the 99th percentile.
pub(crate) fn figures(mut times: Vec<Duration>) -> String {
    times.sort();
    format!("median {:.2?} p99 {:.2?}", times[times.len() / 2], times[times.len() * 99 / 100])
}

/// Returns the id of a task.
pub(crate) fn task(number: u64) -> TaskId {
    TaskId::new(format!("t{number}"))
}

/// Returns the event that creates a task in a workspace.
pub(crate) fn created(number: u64, workspace: &str) -> TaskEvent {
    let spec = TaskSpec {
        id: task(number),
        session: SessionId::new(format!("s{number}")),
        goal: text(number, 12),
        profile: "general".to_owned(),
        backend: "offline".to_owned(),
        model: None,
        workspace: workspace.to_owned(),
        scope: Scope::default(),
        limits: Limits::default(),
        standing_consent: None,
        parent: None,
        terminal: None,
    };
    TaskEvent::Created(Created { spec, notice: None, named: Vec::new() })
}

/// Returns the event of a finished tool call with some text.
pub(crate) fn finished(number: u64) -> TaskEvent {
    let result = ToolResult::new(CallStatus::Ok, text(number, 80));
    TaskEvent::ToolFinished(ToolFinished { call: CallId::new(format!("c{number}")), result, duration_ms: 5 })
}

/// Returns some words that depend on the number: common ones and rare ones, as in the output of tools.
pub(crate) fn text(number: u64, words: u64) -> String {
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
