//! The known output of a harmless command that is used as a word of another command.

use super::handed::Names;
use super::{forms, programs, words};
use crate::Situation;
use crate::shell::script::{Script, Simple};

/// The known properties of an output.
pub(super) enum Printed {
    /// Exactly these words.
    Known(String),
    /// Digits and blanks.
    Number,
    /// A date or a time in digits and plain punctuation.
    Stamp,
    /// The hash of a commit, or a name that resolves to a commit.
    Commit,
    /// Hashes of several commits.
    Commits,
    /// File names that a search finds.
    Names(Names),
    /// Any text.
    Text,
}

impl Printed {
    /// What is known of a part that is one of two, depending on the round of a loop.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Known(one), Self::Known(other)) if one == other => Self::Known(one),
            (Self::Number, Self::Number) => Self::Number,
            (Self::Stamp, Self::Stamp) => Self::Stamp,
            (Self::Commit, Self::Commit) => Self::Commit,
            _ => Self::Text,
        }
    }
}

/// What a text prints that is harmless.
pub(super) fn printed(situation: &Situation, script: &Script) -> Printed {
    let Some((last, _)) = script.commands.split_last() else { return Printed::Text };
    let is_silent = |simple: &Simple| {
        simple.redirects.iter().all(|each| each.operator.starts_with('<') || each.target == "/dev/null")
    };
    let is_one_pipeline =
        !script.is_grouped && script.commands.iter().all(|simple| simple.pipeline == last.pipeline);
    if !is_one_pipeline || !script.commands.iter().all(is_silent) {
        return Printed::Text;
    }
    let literal = |simple: &Simple| {
        let argv = words::argv(situation, simple, &situation.cwd, &[]);
        (argv.doubts.is_empty() && simple.assignments.is_empty()).then_some(argv.words)
    };
    let Some(argv) = literal(last) else { return Printed::Text };
    let argv: Vec<&str> = argv.iter().map(String::as_str).collect();
    if is_number(last, &argv) {
        return Printed::Number;
    }
    if let ["date", options @ .., format] = argv.as_slice()
        && options.iter().all(|word| matches!(*word, "-u" | "-d") || !word.starts_with('-'))
        && is_stamp(format)
    {
        return if is_digits(options, format) { Printed::Number } else { Printed::Stamp };
    }
    if script.commands.len() == 1 {
        if is_commit(situation, &argv) {
            let many = matches!(argv.get(1), Some(&("log" | "rev-list" | "tag" | "branch" | "for-each-ref")))
                && !argv.iter().any(|word| ONE.contains(word));
            return if many { Printed::Commits } else { Printed::Commit };
        }
        if let Some(value) = known(situation, &argv).filter(|value| value.chars().all(words::is_plain)) {
            return Printed::Known(value);
        }
    }
    let commands: Vec<&Simple> = script.commands.iter().collect();
    Names::of_pipeline(&commands, &situation.cwd, literal).map_or(Printed::Text, Printed::Names)
}

/// Whether a format of `date` begins with a number and contains no blanks and no literal letters except `T` and `Z`.
fn is_stamp(format: &str) -> bool {
    let Some(parts) = format.strip_prefix("+%") else { return false };
    parts.split('%').all(|part| {
        let mut rest = part.chars();
        rest.next().is_some_and(|c| "YmdHMSFTjsuwVUWGgyIN".contains(c))
            && rest.all(|c| c.is_ascii_digit() || "-_:.TZ".contains(c))
    })
}

/// Whether `date` prints one number with such a format: the seconds since 1970 are none of a day before that.
fn is_digits(options: &[&str], format: &str) -> bool {
    let is_since_1970 = |word: &&str| {
        let year = word.get(..5).and_then(|begin| begin.strip_suffix('-')?.parse::<u16>().ok());
        year.is_some_and(|year| year > 1970)
    };
    let days = options.iter().filter(|word| !word.starts_with('-'));
    match format {
        "+%s" => days.clone().all(is_since_1970),
        "+%Y" | "+%m" | "+%d" | "+%H" | "+%M" | "+%S" | "+%j" | "+%u" | "+%w" | "+%V" => true,
        _ => false,
    }
}

/// With these git lists one commit at most.
const ONE: [&str; 4] = ["-1", "--max-count=1", "-n1", "--show-current"];

fn is_number(simple: &Simple, argv: &[&str]) -> bool {
    match argv {
        ["wc", "-l" | "-w" | "-c" | "-m"] => simple.reads_pipe || simple.reads_inline,
        ["nproc"] | ["id", "-u" | "-g"] | ["date", "+%s" | "+%Y" | "+%j"] => true,
        ["seq", numbers @ ..] => numbers.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_digit())),
        ["git", "rev-list", "--count", ..] => true,
        ["git", "log", "-1", "--format=%ct" | "--format=%at"] => true,
        ["stat", "-c", "%Y" | "%s" | "%a", file] | ["grep", "-c", _, file] => !file.starts_with('-'),
        _ => false,
    }
}

/// Whether a command prints hashes of commits, or names that lead to one, each on its line, and nothing else.
pub(super) fn prints_commits(situation: &Situation, argv: &[String]) -> bool {
    is_commit(situation, &argv.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Sub-commands of git that print hashes of commits, or names that lead to one, and nothing else.
fn is_commit(situation: &Situation, argv: &[&str]) -> bool {
    // A name that is also a file name may be printed unchanged.
    let is_plain = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphanumeric())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "._/-~@".contains(c))
            && situation.cwd.join(name).symlink_metadata().is_err()
    };
    let is_head = |name: &str| {
        let rest = name.strip_prefix("HEAD").unwrap_or("x");
        rest.chars().all(|c| c.is_ascii_digit() || c == '~') && is_plain(name)
    };
    let is_count = |word: &str| {
        word.strip_prefix('-')
            .is_some_and(|count| !count.is_empty() && count.bytes().all(|b| b.is_ascii_digit()))
    };
    match argv {
        ["git", "merge-base", one, other] => is_plain(one) && is_plain(other),
        ["git", "rev-parse", "--abbrev-ref", "HEAD"] | ["git", "branch", "--show-current"] => {
            forms::no_reference_is_an_option(&situation.cwd)
        }
        ["git", "tag"] | ["git", "branch", "--format=%(refname:short)"] => {
            forms::no_reference_is_an_option(&situation.cwd)
        }
        ["git", "for-each-ref", rest @ ..] => {
            rest.contains(&"--format=%(refname:short)")
                && rest.iter().all(|word| {
                    ["--sort=", "refs/", "--format=%(refname:short)"]
                        .iter()
                        .any(|known| word.starts_with(known))
                })
                && forms::no_reference_is_an_option(&situation.cwd)
        }
        ["git", "describe", flags @ ..] => {
            flags.iter().all(|flag| matches!(*flag, "--tags" | "--abbrev=0" | "--always"))
                && forms::no_reference_is_an_option(&situation.cwd)
        }
        ["git", "rev-parse", flags @ .., name] => {
            flags.iter().all(|flag| matches!(*flag, "--short" | "--verify" | "-q" | "--quiet"))
                && is_head(name)
        }
        ["git", "log", rest @ ..] => {
            let is_format =
                |word: &str| matches!(word, "--format=%h" | "--format=%H" | "--pretty=%h" | "--pretty=%H");
            rest.iter().filter(|word| is_format(word)).count() == 1
                && rest.iter().all(|word| {
                    is_format(word)
                        || is_count(word)
                        || matches!(*word, "--no-merges" | "--reverse")
                        || is_plain(word)
                })
        }
        ["git", "rev-list", rest @ ..] => rest.iter().all(|word| {
            is_count(word)
                || matches!(*word, "--max-count=1" | "--all" | "--tags" | "--no-merges" | "--reverse")
                || is_plain(word)
        }),
        _ => false,
    }
}

fn known(situation: &Situation, argv: &[&str]) -> Option<String> {
    match argv {
        ["pwd"] => Some(situation.cwd.to_string_lossy().into_owned()),
        ["git", "rev-parse", "--show-toplevel"] => {
            let real = situation.cwd.canonicalize().ok()?;
            real.join(".git").is_dir().then(|| real.to_string_lossy().into_owned())
        }
        ["which", name] | ["command", "-v", name] => {
            programs::of_system(name).map(|path| path.to_string_lossy().into_owned())
        }
        _ => None,
    }
}
