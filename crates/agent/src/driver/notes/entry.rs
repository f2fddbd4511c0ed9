//! The entry of an earlier task: what was wanted, what came of it, and what the user said. It never contains the output of
//! a tool.

use super::{marked, one_line};
use deputy_protocol::{Report, StopReason, TaskState};
use deputy_store::EndedTask;

/// The maximum length of each part of an entry, in characters.
const GOAL_CHARS: usize = 200;
const CLOSING_CHARS: usize = 240;
const SAID_CHARS: usize = 120;
/// The maximum number of commits that an entry names, and of texts of the user.
const COMMITS: usize = 3;
const SAID: usize = 3;
/// The maximum number of files that an entry in full names.
const FILES: usize = 50;

/// Formats the entry of a task as a line. `None` if everything that was said in it was forgotten.
pub(super) fn line(ended: &EndedTask) -> Option<String> {
    let EndedTask { task, goal, said, closing, report } = ended;
    if goal.is_none() && closing.is_none() && said.is_empty() {
        return None;
    }
    let goal = goal.as_ref().map(|goal| format!(" the user wanted: {}", one_line(goal, GOAL_CHARS)));
    let mut line = format!("- [{}, task {}]{}", day(task.created_at_ms), task.id, goal.unwrap_or_default());
    line.push_str(&format!(" | {}", state(&task.state)));
    if let Some(closing) = closing {
        line.push_str(&format!(" | the assistant said: {}", one_line(closing, CLOSING_CHARS)));
    }
    let commits = commits(report.as_ref(), COMMITS);
    if !commits.is_empty() {
        line.push_str(&format!(" | commits: {}", commits.join(", ")));
    }
    let newest = &said[said.len().saturating_sub(SAID)..];
    if !newest.is_empty() {
        let said: Vec<String> = newest.iter().map(|said| one_line(said, SAID_CHARS)).collect();
        line.push_str(&format!(" | the user also said: {}", said.join("; ")));
    }
    Some(line)
}

/// Formats a task in full: everything that the user and the assistant said to each other, and what it changed.
pub(in crate::driver) fn in_full(ended: &EndedTask) -> String {
    let EndedTask { task, goal, said, closing, report } = ended;
    let mut text = format!("Task {} of {}, {}.", task.id, day(task.created_at_ms), state(&task.state));
    let mut add = |title: &str, lines: &[String]| {
        if !lines.is_empty() {
            text.push_str(&format!("\n\n{title}:\n{}", lines.join("\n")));
        }
    };
    add("The user wanted", goal.as_slice());
    add("The user also said", said);
    add("The assistant said last", closing.as_slice());
    add("Commits", &commits(report.as_ref(), usize::MAX));
    let files = report.iter().flat_map(|report| &report.changed).take(FILES);
    add("Changed files", &files.map(|file| one_line(&file.path, usize::MAX)).collect::<Vec<_>>());
    marked("memory", &text)
}

fn commits(report: Option<&Report>, most: usize) -> Vec<String> {
    let commits = report.iter().flat_map(|report| &report.commits).take(most);
    commits.map(|commit| format!("{} {}", commit.id, one_line(&commit.subject, SAID_CHARS))).collect()
}

/// Describes how a task ended.
fn state(state: &TaskState) -> &'static str {
    let TaskState::Stopped(stopped) = state else { return "not ended" };
    match stopped.reason {
        _ if stopped.undone => "UNDONE: the user undid everything that this task changed",
        StopReason::Completed => "done",
        StopReason::ManualStop => "stopped by the user",
        StopReason::Error => "failed",
        StopReason::IterationLimit => "stopped at its limit of steps",
        StopReason::Denied => "ended after the user said no",
        StopReason::NeedsModel => "had no model that could do it",
    }
}

/// Formats a time in the host's time zone.
fn day(at_ms: i64) -> String {
    let stamp = jiff::Timestamp::from_millisecond(at_ms).unwrap_or_default();
    stamp.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
}
