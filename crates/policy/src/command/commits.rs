//! Commands of git that note edits in a commit and do nothing else.

use super::effects::normal;
use super::hooks;
use super::outside::reached;
use crate::Situation;
use crate::path::{real, real_folder};
use crate::rules::is_plain;
use std::path::Path;

/// Whether a command, run where the situation stands, puts files below a folder into the index or into a commit: with
/// plain words, nothing opened to it, and no hook that would run.
pub(crate) fn commits(situation: &Situation, argv: &[String], folder: &Path) -> bool {
    let words: Vec<&str> = argv.iter().map(String::as_str).collect();
    let operands = match words.as_slice() {
        ["git", "add", rest @ ..] => added(rest),
        ["git", "commit", rest @ ..] => committed(rest),
        _ => None,
    };
    let Some(operands) = operands else { return false };
    let is_below =
        |word: &str| real(situation, &situation.cwd, word).is_some_and(|real| real.starts_with(folder));
    let opened = reached(situation, &situation.cwd, argv);
    real_folder(&situation.cwd).starts_with(folder)
        && operands.into_iter().all(|word| is_plain(word) && is_below(word))
        && opened.reads.is_empty()
        && opened.writes.is_empty()
        && !opened.reads_home
        && !opened.needs_open
        && hooks::run_by(&normal(argv), &situation.cwd, &situation.home).is_empty()
}

/// The paths that `git add` is given; `None` where it is given anything else.
fn added<'a>(words: &[&'a str]) -> Option<Vec<&'a str>> {
    const FLAGS: &[&str] =
        &["-A", "--all", "-u", "--update", "-v", "--verbose", "-N", "--intent-to-add", "--"];
    let operands: Vec<&str> = words.iter().filter(|word| !FLAGS.contains(word)).copied().collect();
    operands.iter().all(|word| !word.starts_with('-')).then_some(operands)
}

/// The paths that `git commit` is given; `None` where it is given anything but these and a message. What rewrites a
/// commit or passes checks by is neither.
fn committed<'a>(words: &[&'a str]) -> Option<Vec<&'a str>> {
    const FLAGS: &[&str] =
        &["-a", "--all", "-q", "--quiet", "-v", "--verbose", "-aq", "-qa", "--no-edit", "--"];
    const MESSAGES: &[&str] = &["-m", "--message", "-am", "-qm", "-aqm", "-qam"];
    let mut operands = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if MESSAGES.contains(word) {
            words.next()?;
        } else if word.starts_with('-') && !FLAGS.contains(word) && !word.starts_with("--message=") {
            return None;
        } else if !word.starts_with('-') {
            operands.push(*word);
        }
    }
    Some(operands)
}
