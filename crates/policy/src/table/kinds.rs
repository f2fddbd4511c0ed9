//! Operands that are small languages: determines which texts only read and print.

use super::check::Touch;
use super::entry::Kind;
use super::{awk, sed};
use crate::shell::unknown::{self, Unknown};
use deputy_messages::policy as say;
use deputy_protocol::{Phrase, Risk};
use regex::Regex;
use std::sync::LazyLock;

/// Returns the problem with a text as an operand of a kind. `None` if it is harmless.
pub(crate) fn problem(kind: Kind, text: &str) -> Option<Phrase> {
    let bad = match kind {
        // Some programs read their arguments from such a file.
        Kind::Read | Kind::Magic => text.starts_with('@'),
        Kind::Text
        | Kind::List
        | Kind::Content
        | Kind::Visible
        | Kind::Revision
        | Kind::FileType
        | Kind::Member => false,
        // From the standard input, the names of arbitrary files would be read.
        Kind::Sums => text == "-",
        Kind::Zip => text.contains(['*', '?', '[', '\\']),
        Kind::Archive => text.contains(['*', '?', '[', '\\', ':']) || text.starts_with('@'),
        Kind::Lines => !text.contains(':'),
        Kind::Name => !name(text),
        Kind::Sql => !sql(text),
        Kind::Number => !number(text),
        Kind::Sed => !sed::only_prints(text),
        Kind::Jq => !jq(text),
        Kind::Format => !text.starts_with('+'),
        Kind::Date => text.contains('='),
        Kind::Printf => !printf(text),
        Kind::Pretty => text.contains("%G") || text.contains("signature") || text.contains("describe"),
        Kind::Local => text.contains(':') || text.starts_with('@'),
        Kind::Awk => !awk::only_prints(text),
        Kind::Test => false,
        Kind::Database => database(text).is_none(),
        Kind::Arithmetic => !arithmetic(text),
        Kind::Stdout => text != "-",
    };
    bad.then_some(match kind {
        Kind::Local => say::may_file_another_machine(),
        Kind::Awk => say::more_print_fields(),
        Kind::Read | Kind::Magic => say::may_list_arguments(),
        Kind::Number => say::not_plain_number(),
        Kind::Sed => say::more_print_lines(),
        Kind::Jq => say::may_read_more_input(),
        Kind::Format => say::would_set_clock(),
        Kind::Date => say::time_zone_of_file(),
        Kind::Sums => say::takes_names_files_another(),
        Kind::Zip | Kind::Archive => say::pattern_names_archives(),
        Kind::Lines => say::names_no_file(),
        Kind::Name => say::not_plain_name(),
        Kind::Sql => say::more_question_database(),
        Kind::Database => say::database_address_not_understood(),
        Kind::Arithmetic => say::more_arithmetic(),
        Kind::Stdout => say::file_that_is_written(),
        Kind::Printf => say::holds_more_known_conversions(),
        _ => say::may_run_verifier(),
    })
}

/// Returns the risk of an operand of a kind that is not harmless.
pub(crate) fn risk(kind: Kind, text: &str) -> Risk {
    // In sed, `e` runs a program, alone or after a substitution. In awk, pipes and calls by name do.
    static RUNS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?:^|[;{}\d$!/\s])e(?:[\s;}]|$)|[/|,#][gpiIm\d]*e[gpiIm\d]*\s*(?:[;}\n]|$)").ok()
    });
    match kind {
        Kind::Jq | Kind::Pretty | Kind::Local => Risk::High,
        Kind::Sed if RUNS.as_ref().is_none_or(|runs| runs.is_match(text)) => Risk::High,
        Kind::Awk if text.contains(['|', '@']) => Risk::High,
        _ => Risk::Medium,
    }
}

fn number(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-', '<', '>', '@']);
    let unit = digits.trim_start_matches(|c: char| c.is_ascii_digit() || ".,:/".contains(c));
    digits.starts_with(|c: char| c.is_ascii_digit())
        && unit.len() <= 3
        && unit.chars().all(|c| c.is_ascii_alphabetic() || c == '%')
}

fn name(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    text.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.chars().all(is_plain)
}

/// Whether a text is a single `select`, or a command that lists tables. It runs in the database's safe mode, so this
/// only affects what is asked.
fn sql(text: &str) -> bool {
    const LISTS: &[&str] = &[".tables", ".schema", ".indexes", ".databases", ".dbinfo"];
    const NEVER: &[&str] = &[
        "attach",
        "readfile",
        "writefile",
        "edit",
        "load_extension",
        "fts3_tokenizer",
        "fsdir",
        "lsdir",
        "zipfile",
        "vacuum",
        "into",
        "insert",
        "update",
        "delete",
        "replace",
        "drop",
        "create",
        "alter",
        "pragma",
        "sqlar_uncompress",
        "shell",
    ];
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default().to_ascii_lowercase();
    if LISTS.contains(&first.as_str()) {
        return !text.contains(['\n', '\r']) && words.all(name);
    }
    let text = text.trim_end().trim_end_matches(';').to_ascii_lowercase();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    matches!(first.as_str(), "select" | "with")
        && !text.contains([';', '\\'])
        && !text.lines().any(|line| line.trim_start().starts_with(['.', '#']))
        && !text.split(|c| !is_word(c)).any(|word| NEVER.contains(&word))
}

/// Whether a text consists of numbers, operators, functions of `bc` and single letters, and nothing that repeats,
/// reads or defines.
fn arithmetic(text: &str) -> bool {
    const NAMES: [&str; 8] = ["scale", "ibase", "obase", "sqrt", "length", "last", "print", "auto"];
    let is_sign = |c: char| c.is_ascii_digit() || " \t\n+-*/%^().;=<>,".contains(c);
    let is_number = |c: char| {
        unknown::of(c).is_some_and(|mark| matches!(mark.unknown, Unknown::Number | Unknown::Computed))
    };
    let is_name = |name: &str| {
        name.is_empty()
            || NAMES.contains(&name)
            || name.len() == 1
            || name.bytes().all(|byte| matches!(byte, b'A'..=b'F'))
    };
    text.chars().all(|c| c.is_ascii_alphabetic() || is_sign(c) || is_number(c))
        && text.split(|c: char| !c.is_ascii_alphabetic()).all(is_name)
}

/// Returns the path in the name of a database file. SQLite parses `file:path?mode=ro`. Its escapes and hosts are
/// refused here, and only parameters that select how the file is opened are allowed.
pub(super) fn database(text: &str) -> Option<&str> {
    const PARAMETERS: [&str; 5] = ["mode=ro", "immutable=1", "immutable=0", "cache=private", "cache=shared"];
    let Some(address) = text.strip_prefix("file:") else {
        return (!text.starts_with('@')).then_some(text);
    };
    let (path, parameters) = address.split_once('?').unwrap_or((address, ""));
    let is_plain = !path.is_empty() && !path.starts_with("//") && !address.contains(['%', '#']);
    let are_known = parameters.is_empty() || parameters.split('&').all(|one| PARAMETERS.contains(&one));
    (is_plain && are_known).then_some(path)
}

/// Whether a format contains only conversions that print. `%n` sets a shell variable.
fn printf(text: &str) -> bool {
    static FORMAT: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let field = r"[-+ 0#']*(?:\d+|\*)?(?:\.(?:-?\d+|\*)?)?";
        let letter = r"[hlLjzt]*[diouxXeEfFgGaAcsbqQ]|\([^()]*\)T";
        Regex::new(&format!(r"^(?s:[^%]|%%|%{field}(?:{letter}))*$")).ok()
    });
    FORMAT.as_ref().is_some_and(|format| format.is_match(text))
}

/// Whether a jq filter has no word that loads code, reads other files or shows the environment, except as a field.
/// Strings and comments are not distinguished from the rest, so their parsing does not matter.
fn jq(text: &str) -> bool {
    const LOADING: &[&str] = &[
        "import",
        "include",
        "env",
        "ENV",
        "modulemeta",
        "get_search_list",
        "halt_error",
        "__prog_args",
        "__prog_name",
    ];
    // `.env` is a field; `..` and `1.` do not start a field.
    let is_field = |at: usize| {
        let before = text[..at].strip_suffix('.');
        before.is_some_and(|before| !before.ends_with(|c: char| c == '.' || c.is_ascii_digit()))
    };
    let is_harmless = |word: &str| {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        !LOADING.contains(&word) || is_field(at)
    };
    text.split(|c: char| !c.is_alphanumeric() && c != '_').all(is_harmless)
}

/// Returns the paths that an expression of `test` checks. Only expressions without arithmetic and without variable
/// names are accepted.
pub(crate) fn test(words: &[&str]) -> Result<Vec<Touch>, Phrase> {
    // No harmless test contains these. They are refused in any position, so that the parsing of the operators does
    // not matter.
    if words.iter().any(|word| matches!(*word, "-v" | "-R") || word.contains("$(") || word.contains('`')) {
        return Err(say::test_variables_can_run());
    }
    if words.iter().any(|word| unknown::holds(word)) {
        return test_of_unknown(words).map(|()| Vec::new());
    }
    let mut touches = Vec::new();
    let mut look = |text: &str| touches.push(Touch::new(Kind::List, text));
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        match word {
            "!" | "-a" | "-o" | "]" => {}
            "-e" | "-f" | "-d" | "-r" | "-w" | "-x" | "-s" | "-L" | "-h" | "-b" | "-c" | "-p" | "-S"
            | "-g" | "-u" | "-k" | "-O" | "-G" => {
                look(words.next().ok_or_else(|| say::tests_nothing(word))?);
            }
            "-z" | "-n" => {
                words.next().ok_or_else(|| say::tests_nothing(word))?;
            }
            left => match words.next() {
                Some("=" | "==" | "!=") => {
                    words.next().ok_or(say::compares_nothing())?;
                }
                Some("-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge") => {
                    let right = words.next().ok_or(say::compares_nothing())?;
                    let plain =
                        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                    if !plain(left) || !plain(right) {
                        return Err(say::comparison_numbers_evaluates_what());
                    }
                }
                Some("-nt" | "-ot" | "-ef") => {
                    look(left);
                    look(words.next().ok_or(say::compares_nothing())?);
                }
                _ => return Err(say::not_known_harmless_test(left)),
            },
        }
    }
    Ok(touches)
}

/// Checks a test of text that is known only at run time. It must have one or two operands, so that none of them can
/// be an operator.
fn test_of_unknown(words: &[&str]) -> Result<(), Phrase> {
    let words = words.strip_suffix(&["]"]).unwrap_or(words);
    let words = words.strip_prefix(&["!"]).unwrap_or(words);
    let is_one = |word: &&str| !unknown::marks(word).any(|mark| mark.is_split && mark.is_any());
    let is_number = |word: &str| match unknown::marks(word).collect::<Vec<_>>().as_slice() {
        [] => !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()),
        [only] => {
            let is_digits = matches!(only.unknown, Unknown::Number | Unknown::Computed | Unknown::Stamp);
            word.chars().count() == 1 && is_digits
        }
        _ => false,
    };
    let is_known = match words {
        ["-z" | "-n", text] => is_one(text),
        // Whether a file is there, which the walls limit to what can be seen at all.
        [
            "-e" | "-f" | "-d" | "-r" | "-w" | "-x" | "-s" | "-L" | "-h" | "-b" | "-c" | "-p" | "-S" | "-g"
            | "-u" | "-k" | "-O" | "-G",
            text,
        ] => is_one(text),
        [left, "=" | "==" | "!=" | "-nt" | "-ot" | "-ef", right] => is_one(left) && is_one(right),
        [left, "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge", right] => is_number(left) && is_number(right),
        _ => false,
    };
    is_known.then_some(()).ok_or_else(say::word_known_only_when_runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jq_reads_only_its_input() {
        for filter in [
            ".",
            ".name",
            ".dependencies | to_entries[] | \"\\(.key)\"",
            ".environment",
            ".env",
            ".a.env | keys",
        ] {
            assert_eq!(problem(Kind::Jq, filter), None, "{filter}");
        }
        for filter in [
            "import \"evil\" as e; e::x",
            "env",
            "$ENV.PATH",
            "env.HOME",
            ". | env",
            "..env",
            "\"\\(env)\"",
            "{env}",
            ".[env]",
            "include \"x\"; .",
            "$ ENV",
            "$\n#\nENV",
            "$__prog_args",
            "1.env",
        ] {
            assert!(problem(Kind::Jq, filter).is_some(), "{filter}");
        }
    }

    #[test]
    fn questions_to_a_database_lead_nowhere_else() {
        for text in [
            "select 1",
            "SELECT a, b FROM t WHERE c = 'x' LIMIT 5;",
            ".tables",
            ".schema users",
            "with x as (select 1) select * from x",
        ] {
            assert!(sql(text), "{text}");
        }
        for text in [
            ".shell id",
            ".output x",
            "select 1;.shell id",
            "select 1\n.shell id",
            "select readfile('.env')",
            "attach 'x' as y",
            "select load_extension('x')",
            "vacuum into 'x'",
            ".schema\n.shell id",
            "insert into a values (1)",
            "",
        ] {
            assert!(!sql(text), "{text}");
        }
    }

    #[test]
    fn numbers_hide_no_letters() {
        for text in ["5", "+3", "-7", "10k", "1,1", "+1M", "0.5", "50%"] {
            assert_eq!(problem(Kind::Number, text), None, "{text}");
        }
        for text in ["o", "ols", "", "x5", "5abcd", "-delete"] {
            assert!(problem(Kind::Number, text).is_some(), "{text}");
        }
    }

    #[test]
    fn formats_that_only_print_are_told_from_those_that_set_variables() {
        for text in ["%s\\n", "100%%", "%-5.1f|%*d", "%(%F %T)T", "%q %b %x", "\n", "%lu"] {
            assert!(printf(text), "{text:?}");
        }
        for text in ["%n", "a%5nb", "%.0n", "%ln", "%", "%%%", "%k", "%-n", "%(%F)n", "%$(x)s"] {
            assert!(!printf(text), "{text:?}");
        }
    }

    #[test]
    fn tests_look_at_paths_and_compare_plain_numbers() {
        assert_eq!(test(&["-d", "src", "]"]).unwrap()[0].text, "src");
        assert!(test(&["-v", "a[$(id)]"]).is_err());
        assert!(test(&["a[$(id)]", "-eq", "0"]).is_err());
        assert!(test(&["1", "-lt", "2"]).unwrap().is_empty());
    }
}
