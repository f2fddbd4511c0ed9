//! Crash points: a debug build of `deputy` kills itself before or after the journal commit given in an environment
//! variable.

use std::fmt;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};

/// The environment variable with the crash point, e.g. `before:7`.
pub const CRASH_VARIABLE: &str = "DEPUTY_TEST_CRASH_AT";

/// The number of commits after which a scenario counts as endless.
const MAX_COMMITS: u64 = 10_000;
const SIGKILL: i32 = 9;

/// The commit at which the process kills itself, counted from 1 since its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashPoint {
    /// Before the commit: the events are not in the journal.
    Before(u64),
    /// After the commit: the events are in the journal and have had no effects yet.
    After(u64),
}

impl fmt::Display for CrashPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Before(commit) => write!(f, "before:{commit}"),
            Self::After(commit) => write!(f, "after:{commit}"),
        }
    }
}

/// The result of running a child with a crash point.
#[derive(Debug)]
pub enum Fate {
    /// The child killed itself at the crash point.
    Killed,
    /// The child exited, because it has fewer commits.
    Untouched(Output),
}

/// Runs a child that kills itself at `point`, if it reaches that point.
pub fn run_to(point: CrashPoint, mut command: Command) -> io::Result<Fate> {
    let output = command.env(CRASH_VARIABLE, point.to_string()).stdin(Stdio::null()).output()?;
    Ok(if output.status.signal() == Some(SIGKILL) { Fate::Killed } else { Fate::Untouched(output) })
}

/// A long scenario plays one crash point out of this many, unless tests run at full length. The number is odd, so that
/// points before commits and points after them are both played.
const STRIDE: u64 = 7;

/// Runs a scenario for each crash point, `before:1, after:1, before:2, ...`, until a run does not reach its crash
/// point.
///
/// `scenario` creates a fresh home, runs a child to the point with [`run_to`], runs it again without a crash point,
/// checks the invariants, and returns the fate of the first child. Returns the number of crash points.
pub fn crash_at_every_commit(scenario: impl FnMut(CrashPoint) -> io::Result<Fate>) -> io::Result<u64> {
    crash_at(1, 0, scenario)
}

/// Like [`crash_at_every_commit`], for a long scenario: unless tests run at full length ([`crate::is_full`]), it is run
/// for one point out of seven, chosen by [`crate::seed`]. Returns the number of crash points up to the last one reached.
pub fn crash_at_some_commits(scenario: impl FnMut(CrashPoint) -> io::Result<Fate>) -> io::Result<u64> {
    let stride = if crate::is_full() { 1 } else { STRIDE };
    crash_at(stride, crate::seed() % stride, scenario)
}

/// Runs a scenario for one crash point out of `stride`, from the one with number `first`.
fn crash_at(
    stride: u64,
    first: u64,
    mut scenario: impl FnMut(CrashPoint) -> io::Result<Fate>,
) -> io::Result<u64> {
    let points = (1..=MAX_COMMITS).flat_map(|commit| [CrashPoint::Before(commit), CrashPoint::After(commit)]);
    let mut reached = 0;
    for (number, point) in (0..).zip(points).skip(first as usize).step_by(stride as usize) {
        match scenario(point)? {
            Fate::Killed => reached = number + 1,
            Fate::Untouched(_) => return Ok(reached),
        }
    }
    Err(io::Error::other(format!(
        "The child was still killed at commit {MAX_COMMITS}: does it kill itself whatever `{CRASH_VARIABLE}` says?"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A child with three commits.
    const THREE_COMMITS: &str = r#"for n in 1 2 3; do
        [ "$DEPUTY_TEST_CRASH_AT" = "before:$n" ] && kill -9 $$
        echo "commit $n"
        [ "$DEPUTY_TEST_CRASH_AT" = "after:$n" ] && kill -9 $$
    done; echo done"#;

    fn child(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(script);
        command
    }

    #[test]
    fn every_commit_is_crashed_at_before_and_after() {
        let mut seen = Vec::new();
        let points = crash_at(1, 0, |point| {
            seen.push(point.to_string());
            run_to(point, child(THREE_COMMITS))
        });
        assert_eq!(points.unwrap(), 6);
        assert_eq!(seen, ["before:1", "after:1", "before:2", "after:2", "before:3", "after:3", "before:4"]);
    }

    #[test]
    fn a_part_of_the_crash_points_ends_where_all_of_them_do() {
        let mut seen = Vec::new();
        let points = crash_at(4, 1, |point| {
            seen.push(point.to_string());
            run_to(point, child(THREE_COMMITS))
        });
        assert_eq!(points.unwrap(), 6);
        assert_eq!(seen, ["after:1", "after:3", "after:5"]);
    }

    #[test]
    fn a_child_that_fails_by_itself_is_not_taken_for_killed() {
        let fate = run_to(CrashPoint::Before(1), child("echo out; exit 3")).unwrap();
        let Fate::Untouched(output) = fate else { panic!("{fate:?}") };
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(3), &b"out\n"[..]));
    }
}
