//! Numbers, times, states and foreign text as people read them.

use super::asked::Extent;
use super::output::in_use;
use deputy_protocol::{PauseReason, Phrase, Question, StopReason, StoppedTask, TaskState};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Text from a model, a file or a page, with everything that could steer a terminal written out. A line's end as some
/// programs write it is a line's end.
pub(crate) fn printable(text: &str) -> String {
    deputy_policy::visible(&text.replace("\r\n", "\n"))
}

/// A text whose commands are shown as they are typed for the home in use, if it is a message of Deputy's own.
pub(super) fn own_words(text: &Phrase) -> String {
    let words = printable(text.trim());
    if text.id().is_some() { in_use(&words) } else { words }
}

/// A path with the home folder written as `~`.
pub(crate) fn place(path: &str) -> String {
    static HOME: LazyLock<Option<PathBuf>> = LazyLock::new(std::env::home_dir);
    printable(&from_home(path, HOME.as_deref()))
}

/// A path as seen from a task's folder, or with the home folder as `~` if it is outside.
pub(crate) fn place_in(workspace: &str, path: &str) -> String {
    match Path::new(path).strip_prefix(workspace) {
        Ok(inside) if !workspace.is_empty() && !inside.as_os_str().is_empty() => {
            printable(&inside.to_string_lossy())
        }
        _ => place(path),
    }
}

/// A text with the home folder in its paths written as `~`. Not for commands, which are shown exactly as they run.
pub(super) fn places(text: &str) -> String {
    let home = std::env::home_dir().filter(|home| home.is_absolute() && home.parent().is_some());
    home.map_or_else(
        || text.to_owned(),
        |home| from_home_within(text, &format!("{}/", home.to_string_lossy())),
    )
}

fn from_home_within(text: &str, home: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(home) {
        let (before, path) = rest.split_at(at);
        let begins = before.chars().next_back().or(shown.chars().next_back()).is_none_or(|c| !is_of_path(c));
        shown.push_str(before);
        shown.push_str(if begins { "~/" } else { home });
        rest = &path[home.len()..];
    }
    shown + rest
}

/// Whether the preceding character makes this part of a longer path.
fn is_of_path(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '/' | '.' | '-' | '_')
}

fn from_home(path: &str, home: Option<&Path>) -> String {
    // If the home is `/`, `~` would replace every path.
    let home = home.filter(|home| home.is_absolute() && home.parent().is_some());
    match home.and_then(|home| Path::new(path).strip_prefix(home).ok()) {
        Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Some(rest) => format!("~/{}", rest.to_string_lossy()),
        None => path.to_owned(),
    }
}

/// A task's goal as it is shown: without a last part that names a plan by its digest.
pub(crate) fn goal_words(goal: &str) -> String {
    let is_digest = |word: &str| word.len() >= 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let named = goal.rsplit_once(':').filter(|(_, plan)| plan.rsplit(' ').next().is_some_and(is_digest));
    printable(named.map_or(goal, |(words, _)| words))
}

/// The choices of a question, if it has any.
pub(crate) fn choices(question: &Question) -> String {
    match question.choices.as_slice() {
        [] => String::new(),
        choices => format!(" ({}, or an answer of your own)", choices.join(", ")),
    }
}

/// A text with a capital letter at its beginning.
pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Milliseconds as people say them.
pub(super) fn duration(ms: u64) -> String {
    match ms {
        0..60_000 => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
        60_000..3_600_000 => format!("{} min {} s", ms / 60_000, ms / 1000 % 60),
        _ => format!("{} h {} min", ms / 3_600_000, ms / 60_000 % 60),
    }
}

/// Each line with this in front.
pub(super) fn indent(text: &str, by: &str) -> String {
    text.lines().map(|line| format!("{by}{line}")).collect::<Vec<_>>().join("\n")
}

/// Lines of a text that are shown before its middle is left out.
pub(super) const MOST_LINES: usize = 13;
const HEAD_LINES: usize = 8;
const TAIL_LINES: usize = 4;

/// The first lines of a text, the number of lines that are left out, and its last lines.
pub(super) fn ends<T>(lines: &[T], extent: Extent) -> (&[T], usize, &[T]) {
    if extent == Extent::Whole || lines.len() <= MOST_LINES {
        return (lines, 0, &[]);
    }
    let tail_at = lines.len() - TAIL_LINES;
    (&lines[..HEAD_LINES], tail_at - HEAD_LINES, &lines[tail_at..])
}

/// A number with its thousands apart.
pub(crate) fn number(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let mut parts: Vec<&str> = Vec::new();
    if first > 0 {
        parts.push(&digits[..first]);
    }
    parts.extend((first..digits.len()).step_by(3).map(|at| &digits[at..at + 3]));
    parts.join(",")
}

/// An amount of money from its millionths: two places, or four where two would hide all of it.
pub(crate) fn money(micros: u64, currency: Option<&str>) -> String {
    let amount = micros as f64 / 1_000_000.0;
    let amount = if (1..10_000).contains(&micros) { format!("{amount:.4}") } else { format!("{amount:.2}") };
    currency.map_or(amount.clone(), |currency| format!("{amount} {currency}"))
}

/// A time of the day, with the date, in the machine's own zone.
pub(crate) fn when(at_ms: i64) -> String {
    match jiff::Timestamp::from_millisecond(at_ms) {
        Ok(stamp) => stamp.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string(),
        Err(_) => "at an unknown time".to_owned(),
    }
}

/// A time in the machine's own zone: of the day if it is today, otherwise with the date.
pub(crate) fn until(at_ms: i64) -> String {
    let zone = jiff::tz::TimeZone::system();
    let Ok(stamp) = jiff::Timestamp::from_millisecond(at_ms) else { return "an unknown time".to_owned() };
    let (at, now) = (stamp.to_zoned(zone.clone()), jiff::Timestamp::now().to_zoned(zone));
    let is_today = at.date() == now.date();
    at.strftime(if is_today { "%H:%M" } else { "%Y-%m-%d %H:%M" }).to_string()
}

/// The state of a task, in words.
pub(crate) fn state_words(state: &TaskState) -> String {
    match state {
        TaskState::Queued(_) => "queued".to_owned(),
        TaskState::Running(running) => format!("running, step {}", running.iteration),
        TaskState::AwaitingSubtasks(_) => "waiting for its sub-tasks".to_owned(),
        TaskState::AwaitingProvider(waits) => {
            format!("waiting until {} for {}", until(waits.until_ms), printable(&waits.backend))
        }
        TaskState::Paused(paused) => match paused.reason {
            PauseReason::ByUser => "paused by you".to_owned(),
            PauseReason::Question => "needs an answer".to_owned(),
            PauseReason::Permission => "needs approval".to_owned(),
            PauseReason::Budget => "paused: limit reached".to_owned(),
            PauseReason::Expired => "paused: nobody answered in time".to_owned(),
        },
        TaskState::Stopped(stopped) if stopped.undone => "undone".to_owned(),
        TaskState::Stopped(stopped) => stop_words(stopped.reason).to_owned() + &denied_words(stopped),
        TaskState::Interrupted(_) => "interrupted".to_owned(),
    }
}

/// How a task ended, in words. Its answer counts, also where a request was denied on the way.
pub(super) fn stop_words(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Completed | StopReason::Denied => "done",
        StopReason::ManualStop => "stopped by you",
        StopReason::Error => "failed",
        StopReason::IterationLimit => "stopped: step limit reached",
        StopReason::NeedsModel => "not done: needs a model",
    }
}

/// What of it was denied, to follow the words.
pub(super) fn denied_words(StoppedTask { reason, denied, .. }: &StoppedTask) -> String {
    match (reason, denied) {
        (StopReason::Denied, 0) => " · request denied".to_owned(),
        (StopReason::Completed | StopReason::Denied, 1) => " · 1 request denied".to_owned(),
        (StopReason::Completed | StopReason::Denied, 2..) => format!(" · {denied} requests denied"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_cannot_steer_the_terminal() {
        assert_eq!(printable("a\u{1b}[2Jb\u{202e}c\r\n\tü"), "a\\u{1b}[2Jb\\u{202e}c\n\tü");
    }

    #[test]
    fn paths_below_the_home_begin_with_a_tilde() {
        let home = Some(Path::new("/home/ada"));
        assert_eq!(from_home("/home/ada/code/atlas", home), "~/code/atlas");
        assert_eq!(from_home("/home/ada", home), "~");
        assert_eq!(from_home("/home/adam/code", home), "/home/adam/code");
        assert_eq!(from_home("/srv/data", home), "/srv/data");
        assert_eq!(from_home("/root", Some(Path::new("/"))), "/root");
    }

    #[test]
    fn paths_within_a_text_begin_with_a_tilde_where_they_begin() {
        let shown = |text| from_home_within(text, "/home/ada/");
        assert_eq!(shown("/home/ada/a: move 3 to `/home/ada/b`"), "~/a: move 3 to `~/b`");
        assert_eq!(shown("/mnt/home/ada/a and /home/ada/b"), "/mnt/home/ada/a and ~/b");
        assert_eq!(shown("/home/ada/home/ada/x"), "~/home/ada/x");
        assert_eq!(shown("nothing"), "nothing");
    }

    #[test]
    fn a_plan_is_not_named_by_its_digest() {
        let digest = "af5d3ef22e69e876d0514f61a000f0263e26175224d54f3672a47be0664384ba";
        assert_eq!(goal_words(&format!("Tidy up inbox: apply the plan {digest}")), "Tidy up inbox");
        assert_eq!(goal_words("Note: write it down"), "Note: write it down");
        assert_eq!(goal_words(digest), digest);
    }

    /// A task that was finished with one request denied was said to be stopped by that denial.
    #[test]
    fn an_end_says_what_was_denied_and_undone() {
        let words = |reason, denied, undone| {
            state_words(&TaskState::Stopped(StoppedTask {
                reason,
                summary: String::new().into(),
                denied,
                undone,
            }))
        };
        assert_eq!(words(StopReason::Completed, 0, false), "done");
        assert_eq!(words(StopReason::Completed, 2, false), "done · 2 requests denied");
        assert_eq!(words(StopReason::Denied, 1, false), "done · 1 request denied");
        assert_eq!(words(StopReason::Denied, 0, false), "done · request denied");
        assert_eq!(words(StopReason::ManualStop, 1, false), "stopped by you");
        assert_eq!(words(StopReason::Completed, 1, true), "undone");
    }

    #[test]
    fn numbers_as_people_say_them() {
        assert_eq!(
            [duration(40), duration(61_000), duration(3_700_000)],
            ["0.0 s", "1 min 1 s", "1 h 1 min"]
        );
        assert_eq!([number(7), number(1_234), number(123_456), number(0)], ["7", "1,234", "123,456", "0"]);
        assert_eq!(
            [money(1_500_000, Some("USD")), money(900, None), money(0, None)],
            ["1.50 USD", "0.0009", "0.00"]
        );
    }
}
