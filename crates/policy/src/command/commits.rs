//! Git commands that record edits in a commit and do nothing else.

use super::effects::normal;
use super::hooks;
use super::outside::reached;
use crate::Situation;
use crate::path::{real, real_folder};
use crate::rules::is_plain;
use std::path::Path;

/// Whether a command, run in the situation's folder, adds files below a folder to the index or to a commit: with
/// plain words, without opening anything, and without hooks.
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

/// Returns the paths that are passed to `git add`. `None` if there are other arguments.
fn added<'a>(words: &[&'a str]) -> Option<Vec<&'a str>> {
    const FLAGS: &[&str] =
        &["-A", "--all", "-u", "--update", "-v", "--verbose", "-N", "--intent-to-add", "--"];
    let operands: Vec<&str> = words.iter().filter(|word| !FLAGS.contains(word)).copied().collect();
    operands.iter().all(|word| !word.starts_with('-')).then_some(operands)
}

/// Returns the paths that are passed to `git commit`. `None` if there are arguments other than paths and a message,
/// in particular options that rewrite a commit or bypass checks.
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
